import { expect, test } from 'vitest';
import { type Endpoint, pathWith } from '../../src/contract/endpoint.ts';
import { type Field, fieldOf } from '../../src/contract/fields.ts';
import { allEndpoints } from '../../src/generate/openapi.ts';
import { seedDemo } from '../../src/server/demo.ts';
import { testInstance } from '../support/instance.ts';

const isLong = process.env.DOCSCTL_LONG_TESTS === '1';
const requests = Number(process.env.DOCSCTL_FUZZ_REQUESTS ?? (isLong ? 20_000 : 1_500));
const seed = Number(process.env.DOCSCTL_FUZZ_SEED ?? Date.now() % 2 ** 31);

/** Mulberry32: small, and the same for the same seed everywhere. */
function randomFrom(start: number) {
  let state = start;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    below: (limit: number) => Math.floor(next() * limit),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!,
  };
}

const hostile: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  '',
  ' ',
  '\n',
  '\u202e',
  'x'.repeat(300),
  'é'.repeat(50),
  '👩‍👩‍👧‍👦',
  "' or 1=1 --",
  '"; drop table space; --',
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '${7*7}',
  '{{7*7}}',
  'https://127.0.0.1/',
  'http://[::1]/',
  'javascript:alert(1)',
  'data:text/plain,hi',
  [],
  {},
  [[]],
  [null],
  { a: { b: { c: {} } } },
  { constructor: { prototype: { x: 1 } } },
  JSON.parse('{"__proto__":{"x":1}}'),
  '2026-13-45T99:99:99Z',
  'admin',
  'guest',
];

test(`generated requests meet no fault of the service (seed ${seed})`, { timeout: 600_000 }, async () => {
  const { instance, org, admin, as } = await testInstance();
  await seedDemo(instance);
  const random = randomFrom(seed);
  const call = as(admin);
  const endpoints = await allEndpoints();
  const pool = new Set<string>([org, admin]);
  const people = (await call('GET', `/v1/orgs/${org}/members?limit=20`)).body.items.map(
    (member: any) => member.id as string,
  );
  const callers = [admin, ...people];

  /** Ids by the path parameter that takes them, learned from answers. */
  const known: Record<string, Set<string>> = { userId: new Set(people) };
  const paramsByObject: Record<string, string> = {
    space: 'spaceId',
    collection: 'collectionId',
    site: 'siteId',
    team: 'teamId',
    'change-request': 'changeRequestId',
    comment: 'commentId',
    'comment-reply': 'commentReplyId',
    'site-section': 'siteSectionId',
    'site-section-group': 'siteSectionGroupId',
    'site-space': 'siteSpaceId',
    'share-link': 'shareLinkId',
    invite: 'inviteId',
    'saml-provider': 'samlProviderId',
    'openapi-spec': 'specSlug',
    'translation-settings': 'translationSettingsId',
    revision: 'revisionId',
  };
  const paramFor = (name: string) => {
    if (name === 'orgId' && random.next() < 0.95) return org;
    const ids = known[name];
    return ids && ids.size > 0 && random.next() < 0.85 ? random.pick([...ids]) : idFor();
  };

  const idFor = () =>
    random.next() < 0.8 ? random.pick([...pool]) : String(random.pick(hostile)).slice(0, 200) || 'x';

  const valueFor = (field: Field, depth = 0): unknown => {
    if (random.next() < 0.08) return random.pick(hostile);
    if (field.nullable && random.next() < 0.1) return null;
    switch (field.kind) {
      case 'enum':
        return random.pick(field.values!);
      case 'boolean':
        return random.next() < 0.5;
      case 'number':
        return random.pick([0, 1, 2, 10, 50]);
      case 'array':
        return Array.from({ length: random.below(3) + 1 }, () => valueFor(field.item!, depth + 1));
      case 'union':
        return valueFor(random.pick(field.branches!), depth + 1);
      case 'object':
        return Object.fromEntries(
          Object.entries(field.members!)
            .filter(([, member]) => !member.optional || random.next() < 0.5)
            .map(([name, member]) => [name, valueFor(member, depth + 1)]),
        );
      case 'string':
        return random.next() < 0.5
          ? idFor()
          : random.pick([
              'Pumps',
              'a-slug',
              'https://example.test/x',
              'person@lumen.example',
              '# Title\n\nText [link](./a.md)\n',
              '😀',
            ]);
      default:
        return depth > 4
          ? null
          : random.pick<unknown>(['text', 1, { type: 'object', properties: {}, additionalProperties: false }, []]);
    }
  };

  const learn = (value: unknown, depth = 0) => {
    if (typeof value !== 'object' || value === null || depth > 4) return;
    const { object, id, slug } = value as Record<string, unknown>;
    const param = typeof object === 'string' ? paramsByObject[object] : undefined;
    const key = param === 'specSlug' ? slug : id;
    if (param !== undefined && typeof key === 'string') (known[param] ??= new Set()).add(key);
    for (const [name, member] of Object.entries(value)) {
      if ((name === 'id' || name === 'slug' || name === 'name') && typeof member === 'string' && pool.size < 500)
        pool.add(member);
      learn(member, depth + 1);
    }
  };

  let answered = 0;
  let accepted = 0;
  const slow: string[] = [];
  for (let i = 0; i < requests; i++) {
    const endpoint: Endpoint = random.pick(endpoints);
    // Deleting the ground under the rest of the run would leave little to find.
    if (endpoint.method === 'DELETE' && random.next() < 0.8) continue;
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, paramFor(name!)]),
    );
    const query = Object.entries(fieldOf(endpoint.query()).members ?? {})
      .filter(() => random.next() < 0.4)
      .map(
        ([name, field]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(valueFor(field)).toWellFormed())}`,
      )
      .join('&');
    const body = endpoint.body
      ? random.next() < 0.9
        ? valueFor(fieldOf(endpoint.body()))
        : random.pick(hostile)
      : undefined;
    let path: string;
    try {
      path = pathWith(endpoint.path, params) + (query ? `?${query}` : '');
    } catch {
      // An id that is no well-formed text cannot be sent at all.
      continue;
    }
    const started = performance.now();
    const answer = await as(random.next() < 0.7 ? admin : random.pick(callers))(endpoint.method, path, body);
    if (performance.now() - started > 5000) slow.push(`${endpoint.name} ${path}`);
    const told = `${endpoint.name} ${path} ${JSON.stringify(body)?.slice(0, 500)} -> ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300)}`;
    expect(answer.status, told).toBeLessThan(500);
    answered++;
    if (answer.status < 400) accepted++;
    if (answer.status >= 400) {
      expect(answer.error, told).toMatchObject({
        code: answer.status,
        message: expect.any(String),
        reason: expect.any(String),
        requestId: expect.any(String),
      });
    } else learn(answer.body);
  }
  expect(slow).toEqual([]);
  // Requests that are all refused at the door would prove nothing.
  expect(accepted / answered).toBeGreaterThan(0.1);
});
