import { Agent, request as httpRequest } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import { type Endpoint, pathWith } from '../../src/contract/endpoint.ts';
import { type Field, fieldOf } from '../../src/contract/fields.ts';
import { allEndpoints } from '../../src/server/http/openapi-document.ts';
import { checkAnswer } from '../support/answers.ts';
import { serve, test } from '../support/cli.ts';
import { newDatabase, onPostgres } from '../support/engine.ts';
import { isLong } from '../support/long-form.ts';

/** `npm run test:fuzz` runs the long form, with another seed each time; the short one finds what a change did. */
const requests = Number(process.env.DOCSCTL_FUZZ_REQUESTS ?? (isLong ? 20_000 : 1_000));
const seed = Number(process.env.DOCSCTL_FUZZ_SEED ?? (isLong ? Date.now() % 2 ** 31 : 20_260_301));
const mostGrowth = 160 * 1024 * 1024;
const longestMs = 5000;
/** Requests after which the program is as large as its code makes it: counting begins here. */
const warm = Math.min(2000, Math.floor(requests / 4));

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

const pathTricks = [
  '..%2f..%2f',
  '%2e%2e',
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  'x'.repeat(5000),
  '__proto__',
  "a'--",
  '*',
  '%25s',
];

/** Bodies that are no JSON, or JSON that nobody writes. */
const rawBodies: ((json: string) => string | Buffer)[] = [
  (json) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0xff, 0xc0, 0x80, 0x7d])]),
  (json) => json.slice(0, Math.floor(json.length / 2)),
  (json) => `${json.slice(0, -1)}${json.length > 2 ? ',' : ''}"title":"a","title":"b","__proto__":{"title":"c"}}`,
  () => `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  () => `{"a":`.repeat(50_000),
  () => '{"title":1e999,"limit":-1e999,"position":123456789012345678901234567890}',
  () => '{"title":"\\ud800","emoji":"\\u0000"}',
  (json) => `\ufeff${json}`,
  (json) => `[${json}]`,
  () => 'null',
  () => '"text"',
  () => '',
  () => `{"title":"${'x'.repeat(1_000_000)}"}`,
  (json) => `${json}${json}`,
];

const tokens = ['', 'x', 'x'.repeat(8000), "' or 1=1 --", 'null', '\u00e9\u00ff', '../../token', '%00', 'a b'];

interface Reply {
  status: number;
  headers: Record<string, string>;
  text: string;
  ms: number;
}

/** One request as it is, over connections that are kept. */
function createSender(url: string) {
  const { hostname, port } = new URL(url);
  const agent = new Agent({ keepAlive: true });
  const send = (method: string, path: string, headers: Record<string, string>, body?: string | Buffer) =>
    new Promise<Reply>((resolve, reject) => {
      const started = performance.now();
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const options = { hostname, port, agent, method, path, headers: { ...headers, ...length } };
      const request = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('error', reject);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as Record<string, string>,
            text: Buffer.concat(chunks).toString(),
            ms: performance.now() - started,
          }),
        );
      });
      request.on('error', reject);
      request.end(body);
    });
  return { send, close: () => agent.destroy() };
}

test(`generated requests cause no internal error (seed ${seed})`, { timeout: 900_000 }, async ({ home }) => {
  console.log(`${requests} generated requests. To have the same again: DOCSCTL_FUZZ_SEED=${seed}`);
  const { address, drop } = await newDatabase({ isEmpty: true });
  onTestFinished(drop);
  const database = onPostgres ? ['--db', address] : [];
  const service = await serve(home, '--seed', 'demo', '--log', 'off', ...database);
  const { send, close } = createSender(service.url);
  const { organization: org } = service;
  const random = randomFrom(seed);
  const endpoints = await allEndpoints();
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const json = { 'content-type': 'application/json' };
  const read = async (path: string) => JSON.parse((await send('GET', path, as(service.token))).text);

  const members = (await read(`/v1/orgs/${org}/members?limit=20`)).items as any[];
  const people = members.map(({ id }) => id as string);
  const callers = [service.token];
  for (const user of people.slice(0, 4)) {
    const words = ['serve', 'token', 'create', '--db', service.database, '--user', user, '-o', 'json'];
    callers.push((await home.docsctl(...words)).json.token);
  }
  const pool = new Set<string>([org, service.user]);

  /** Ids by the path parameter that takes them, learned from answers. */
  const idsByParam: Record<string, Set<string>> = { userId: new Set(people) };
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
    const ids = idsByParam[name];
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
    if (param !== undefined && typeof key === 'string') (idsByParam[param] ??= new Set()).add(key);
    for (const [name, member] of Object.entries(value)) {
      if ((name === 'id' || name === 'slug' || name === 'name') && typeof member === 'string' && pool.size < 500)
        pool.add(member);
      learn(member, depth + 1);
    }
  };

  const bodyFor = (endpoint: Endpoint): string | Buffer | undefined => {
    if (!endpoint.body) return random.next() < 0.05 ? '{"unexpected":1}' : undefined;
    const value = random.next() < 0.9 ? valueFor(fieldOf(endpoint.body())) : random.pick(hostile);
    const text = JSON.stringify(value) ?? '';
    return random.next() < 0.1 ? random.pick(rawBodies)(text) : text;
  };

  let answered = 0;
  let accepted = 0;
  let compared = 0;
  let least = Infinity;
  let grown = 0;
  for (let i = 0; i < requests; i++) {
    const endpoint: Endpoint = random.pick(endpoints);
    // Deleting the ground under the rest of the run would leave little to find.
    if (endpoint.method === 'DELETE' && random.next() < 0.8) continue;
    const params = Object.fromEntries(
      [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, paramFor(name!)]),
    );
    // An administrator who loses the role is refused everything after it.
    if (endpoint.method !== 'GET' && endpoint.name.startsWith('members.') && params.userId === service.user) continue;
    const query = Object.entries(fieldOf(endpoint.query()).members ?? {})
      .filter(() => random.next() < 0.4)
      .map(
        ([name, field]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(valueFor(field)).toWellFormed())}`,
      )
      .join('&');
    const body = bodyFor(endpoint);
    let path: string;
    try {
      path = pathWith(endpoint.path, params) + (query ? `?${query}` : '');
    } catch {
      // An id that is no well-formed text cannot be sent at all.
      continue;
    }
    if (random.next() < 0.03) path = path.replace(/\/[^/]+$/, `/${random.pick(pathTricks)}`);
    const isStranger = random.next() < 0.03;
    const token = isStranger ? random.pick(tokens) : random.next() < 0.7 ? service.token : random.pick(callers);
    const headers: Record<string, string> = { ...as(token), ...(body === undefined ? {} : json) };
    if (random.next() < 0.02) headers['content-type'] = random.pick(['text/plain', '', 'application/json;;;', 'a/b']);
    if (random.next() < 0.01) headers['content-encoding'] = random.pick(['gzip', 'br', 'identity', 'x']);

    const answer = await send(endpoint.method, path, headers, body);
    const { status } = answer;
    const description = `request ${i}: ${endpoint.name} ${path} ${String(body).slice(0, 500)} -> ${status} ${answer.text.slice(0, 300)}`;
    expect(status, description).toBeLessThan(500);
    expect(answer.ms, description).toBeLessThan(longestMs);
    answered++;
    const parsed = answer.text === '' ? undefined : JSON.parse(answer.text);
    if (status >= 400) {
      expect(parsed.error, description).toMatchObject({
        code: status,
        message: expect.any(String),
        reason: expect.any(String),
        requestId: answer.headers['x-request-id'],
      });
    } else {
      accepted++;
      expect(isStranger, description).toBe(false);
      await checkAnswer(endpoint.method, path.split('?')[0]!, { ...answer, body: answer.text });
      learn(parsed);
      if (typeof body === 'string' && endpoint.method !== 'GET')
        compared += await expectStored(endpoint, body, parsed, description, answer.headers.location);
    }
    if (i % 500 === 0 || i === requests - 1) {
      const { text } = await send('GET', '/metrics', {});
      const bytes = Number(/^process_resident_memory_bytes (\d+)/m.exec(text)![1]);
      if (i >= warm) {
        least = Math.min(least, bytes);
        grown = Math.max(grown, bytes - least);
      }
    }
  }
  close();
  const exit = await service.stop();
  const check = await home.docsctl('serve', 'check', '--db', service.database);
  console.log(
    `${answered} answered, ${accepted} accepted, ${compared} texts compared, memory grew by ${Math.round(grown / 2 ** 20)} MiB`,
  );

  // A fault of the service would have been logged with its stack.
  expect(service.log()).not.toMatch(/^internal error |^ {4}at /m);
  expect([exit, check.exitCode]).toEqual([0, 0]);
  expect(grown).toBeLessThan(mostGrowth);
  // Requests that are all refused at the door would prove nothing.
  expect(accepted / answered).toBeGreaterThan(0.1);
  expect(compared).toBeGreaterThan(requests / 200);

  /** What was taken is there to the last character: in the answer, and when it is read again. @returns how many texts */
  async function expectStored(
    endpoint: Endpoint,
    body: string,
    answer: any,
    description: string,
    location: string | undefined,
  ) {
    const fields = endpoint.body ? (fieldOf(endpoint.body()).members ?? {}) : {};
    let sent: Record<string, unknown>;
    try {
      sent = JSON.parse(body);
    } catch {
      return 0;
    }
    const isOfService = location?.startsWith(`${service.url}/v1/`);
    const again = isOfService ? await send('GET', location!.slice(service.url.length), as(service.token)) : undefined;
    const stored = again?.status === 200 ? JSON.parse(again.text) : answer;
    let count = 0;
    for (const [name, value] of Object.entries(sent)) {
      // What the contract does not know is left alone.
      if (typeof value !== 'string' || typeof answer?.[name] !== 'string' || !Object.hasOwn(fields, name)) continue;
      expect(answer[name] === value, `${name} in ${description}`).toBe(true);
      expect(
        stored[name] === value,
        `${name} of ${description}, read again: ${String(stored[name]).slice(0, 200)}`,
      ).toBe(true);
      count++;
    }
    return count;
  }
});
