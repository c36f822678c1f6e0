import { openInstance } from '../../../src/server/open-instance.ts';

type Call = (method: string, path: string, body?: unknown, as?: string) => Promise<any>;

/** What the random calls may name. */
interface World {
  call: Call;
  org: string;
  admin: string;
  /** A number below `limit`. */
  below(limit: number): number;
  users: string[];
  collections: string[];
  spaces: string[];
  teams: string[];
}

/**
 * Makes an organization through the API, as the numbers say: the same ones make the same calls.
 *
 * @param numbers one for each choice
 */
export async function fillRandomly(file: string, numbers: readonly number[]): Promise<void> {
  let clock = Date.parse('2026-03-01T10:00:00Z');
  const instance = await openInstance({ file, now: () => (clock += 1_000) });
  const call: Call = async (method, path, body, as = admin) => {
    const request = { method, path, query: new URLSearchParams(), headers: { 'content-type': 'application/json' }, as };
    const [, pathname = path, query = ''] = /^([^?]*)\??(.*)$/.exec(path) ?? [];
    const { status, body: answer } = await instance.handle({
      ...request,
      path: pathname,
      query: new URLSearchParams(query),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = typeof answer === 'string' ? answer : Buffer.from(answer).toString();
    return status < 300 && text !== '' ? JSON.parse(text) : undefined;
  };
  const { administrator } = await import('../../../src/server/organizations/bootstrap.ts');
  const { user: admin = '', organization = '' } = (await instance.store.read(administrator)) ?? {};
  let index = 0;
  const below = (limit: number) => (limit === 0 ? 0 : (numbers[index++ % numbers.length] ?? 0) % limit);
  const world: World = {
    call,
    org: `/v1/orgs/${organization}`,
    admin,
    below,
    users: [],
    collections: [],
    spaces: [],
    teams: [],
  };
  await people(world);
  await places(world);
  for (const space of world.spaces) await contentOf(world, space);
  await publishing(world);
  await instance.close();
}

const roles = ['admin', 'create', 'review', 'edit', 'comment', 'read', null] as const;
const pick = <Item>({ below }: World, list: readonly Item[]): Item | undefined => list[below(list.length)];

async function people(world: World): Promise<void> {
  const { call, org, below } = world;
  await call('PATCH', org, {
    emailDomains: ['lumen.example'],
    ai: below(2) === 1,
    defaultRole: pick(world, roles) ?? null,
  });
  const emails = Array.from({ length: 3 + below(5) }, (_, index) => ({
    email: `P${index}@lumen.example`,
    role: pick(world, roles) ?? null,
  }));
  const { users } = await call('POST', `${org}/invites`, { emails });
  world.users.push(...users);
  for (let count = below(4); count > 0; count -= 1) {
    const members = world.users.filter(() => below(2) === 0);
    const { id } = await call('PUT', `${org}/teams`, {
      title: pick(world, ['Writers', 'writers', 'Équipe ✍️']),
      members,
    });
    world.teams.push(id);
    if (members[0]) await call('PUT', `${org}/teams/${id}/members/${members[0]}`, { role: 'owner' });
  }
  for (const [index, type] of ['text', 'number', 'boolean', 'tags'].entries())
    if (below(2) === 0) await call('POST', `${org}/custom-fields`, { name: `f${index}`, type, title: 'Field' });
}

async function places(world: World): Promise<void> {
  const { call, org, below, collections, spaces, users } = world;
  for (let count = below(5); count > 0; count -= 1) {
    const parent = below(2) === 0 ? pick(world, collections) : undefined;
    const { id } = await call('POST', `${org}/collections`, { title: 'Same', ...(parent && { parent }) });
    collections.push(id);
    await call('PATCH', `/v1/collections/${id}`, { defaultLevel: pick(world, roles) ?? null, description: 'd' });
  }
  for (let count = 1 + below(4); count > 0; count -= 1) {
    const parent = below(2) === 0 ? pick(world, collections) : undefined;
    const { id } = await call('POST', `${org}/spaces`, {
      title: pick(world, ['Docs', 'API']),
      ...(parent && { parent }),
    });
    spaces.push(id);
    await call('PATCH', `/v1/spaces/${id}`, { defaultLevel: pick(world, roles) ?? null });
    await call('PATCH', `/v1/spaces/${id}/custom-fields`, { values: { f0: { value: 'v' }, f1: { value: 1.5 } } });
    if (below(2) === 0)
      await call('POST', `/v1/spaces/${id}/move`, { position: { before: { type: 'space', space: spaces[0] } } });
  }
  for (const kind of ['space', 'collection'] as const) {
    const place = pick(world, kind === 'space' ? spaces : collections);
    if (place === undefined) continue;
    const invite = await call('POST', `${org}/link-invites`, { level: pick(world, roles) ?? null, [kind]: place });
    for (const user of users) if (below(2) === 0) await call('POST', `${org}/invites/${invite.id}`, {}, user);
  }
}

const texts = [
  '',
  '# Title\n\nText with [a link](https://example.com).\n',
  '* a\n* b\n',
  '```js\nlet a;\n```\n',
  'Grüße 日本\n',
];

async function change(world: World, path: string): Promise<void> {
  const { call, below } = world;
  const { pages } = await call('GET', `${path}/pages`);
  const all: string[] = pages.flatMap((page: any) => [page.id, ...page.pages.map((each: any) => each.id)]);
  const page = pick(world, all);
  const document = { markdown: pick(world, texts) };
  const kind = below(6);
  const insert = {
    operation: 'insert_page',
    title: pick(world, ['One', 'Two']),
    document,
    ...(kind === 1 && page && { into: page }),
  };
  const changes = [
    insert,
    insert,
    { operation: 'update_page', page, document, hidden: below(2) === 0 },
    { operation: 'update_page', page, at: below(3), emoji: '🚀', description: 'What it is' },
    { operation: 'delete_page', page },
    {
      operation: 'insert_files',
      files: [
        {
          name: `f${below(9)}.txt`,
          base64: Buffer.from(`file ${below(3)}`).toString('base64'),
          contentType: 'text/plain',
        },
      ],
    },
  ];
  await call('POST', path, { changes: [page === undefined ? insert : changes[kind]] });
}

async function contentOf(world: World, space: string): Promise<void> {
  const { call, below, users, admin } = world;
  const path = `/v1/spaces/${space}`;
  const requests: string[] = [];
  for (let count = 6 + below(12); count > 0; count -= 1) {
    const request = pick(world, requests);
    const by = below(3) === 0 ? (pick(world, users) ?? admin) : admin;
    const at = request === undefined ? path : `${path}/change-requests/${request}`;
    switch (below(8)) {
      case 0: {
        const made = await call('POST', `${path}/change-requests`, { subject: 'Change' });
        if (made) requests.push(made.id);
        break;
      }
      case 1:
        await call('PATCH', at, { status: pick(world, ['open', 'draft', 'archived']) });
        break;
      case 2:
        await call('POST', `${at}/${below(2) === 0 ? 'merge' : 'update'}`);
        break;
      case 3: {
        const { pages } = await call('GET', `${at}/content/pages`);
        const body = { body: { markdown: 'A *remark*' }, ...(pages[0] && below(2) === 0 && { page: pages[0].id }) };
        const comment = await call('POST', `${at}/comments`, body, by);
        if (!comment) break;
        await call('POST', `${at}/comments/${comment.id}/replies`, { body: { markdown: 'Yes' } });
        await call('PUT', `${at}/comments/${comment.id}`, { resolved: below(2) === 0, addedReactions: ['👍'] });
        break;
      }
      default:
        await change(world, below(2) === 0 ? `${at}/content` : `${path}/content`);
    }
  }
  if (below(3) === 0) await call('POST', `${path}/duplicate`);
}

async function publishing(world: World): Promise<void> {
  const { call, org, below, spaces } = world;
  for (let count = below(3); count > 0; count -= 1) {
    const { id } = await call('POST', `${org}/sites`, { title: 'Site', spaces: spaces.filter(() => below(2) === 0) });
    const site = `${org}/sites/${id}`;
    await call('POST', `${site}/share-links`, { name: 'Partners' });
    for (let sections = below(3); sections > 0; sections -= 1) {
      const section = await call('POST', `${site}/sections`, { spaceId: pick(world, spaces), icon: 'book' });
      if (section && below(2) === 0)
        await call('POST', `${site}/section-groups`, { title: 'Group', sections: [section.id] });
    }
    const settings = await call('GET', `${site}/customization`);
    await call('PUT', `${site}/customization`, { ...settings, styling: { ...settings.styling, theme: 'bold' } });
    if (below(2) === 0) await call('POST', `${site}/publish`);
    if (below(2) === 0) await call('PATCH', org, { defaultContent: { type: 'site', site: id } });
  }
  if (below(2) === 0) {
    const text =
      below(2) === 0
        ? '{"openapi":"3.1.0","info":{"title":"A","version":"1"},"paths":{}}'
        : 'openapi: 3.0.0\ninfo: {title: A, version: "2"}\npaths: {}\n';
    await call('POST', `${org}/openapi`, { slug: 'pets', source: { text } });
  }
  if (below(2) === 0) await call('POST', `${org}/translations`, { title: 'German', languages: ['de'] });
  if (below(2) === 0)
    await call('POST', `${org}/saml`, { label: 'Okta', defaultTeam: world.teams[0], ssoURL: 'https://sso.example' });
}
