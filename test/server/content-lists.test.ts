import { expect, test } from 'vitest';
import { highest, type RoleName, roles } from '../../src/contract/access.ts';
import { collectionPermissions, spacePermissions } from '../../src/server/engine/access.ts';
import type { Connection, Statement } from '../../src/store/sqlite/connection.ts';
import type { Row } from '../../src/store/tables.ts';
import { type Call, testInstance, type TestInstance } from '../support/instance.ts';
import fc from '../support/property.ts';
import { connectionOf, onPostgres } from '../support/engine.ts';

type Collection = Row<'collection'>;
type Space = Row<'space'>;
type Grant = Row<'content_grant'>;

interface Content {
  collections: Collection[];
  spaces: Space[];
  grants: Grant[];
}

interface Viewer {
  user: string;
  role: RoleName | null;
}

const level = fc.constantFrom<RoleName | null>(null, null, ...roles);
const collectionParts = fc.record({ parent: fc.nat(), position: fc.nat(3), level });
const spaceParts = fc.record({ parent: fc.nat(), position: fc.nat(3), level, deleted: fc.boolean() });
const grantParts = fc.record({ to: fc.nat(9), viewer: fc.constantFrom(1, 2, 3, 4, 3, 4), level });
const organization = fc.record({
  collections: fc.array(collectionParts, { maxLength: 8 }),
  spaces: fc.array(spaceParts, { maxLength: 14 }),
  grants: fc.array(grantParts, { maxLength: 8 }),
  changes: fc.array(fc.record({ what: fc.nat(6), item: fc.nat(), to: fc.nat() }), { maxLength: 12 }),
  limit: fc.integer({ min: 1, max: 5 }),
});

type Parts = typeof organization extends fc.Arbitrary<infer T> ? T : never;

/** Writes what the parts say: a number is a place among what exists. */
async function make({ instance, org }: TestInstance, viewers: Viewer[], parts: Parts) {
  const common = { organization: org, created_at: '2026-03-01T08:00:00.000Z' };
  const collections: string[] = [];
  const spaces: string[] = [];
  const parentOf = (parent: number) => collections[parent % (collections.length + 1)] ?? null;
  await instance.store.write(async (db) => {
    for (const { parent, position, level: default_level } of parts.collections) {
      const id = `Co${collections.length}`;
      const row = { ...common, id, parent: parentOf(parent), position, title: id, description: null, default_level };
      await db.insertInto('collection').values(row).execute();
      collections.push(id);
    }
    for (const [index, { parent, position, level: default_level, deleted }] of parts.spaces.entries()) {
      const id = `Sp${index}`;
      const place = { id, parent: parentOf(parent), position, default_level };
      const times = {
        created_at: `2026-03-01T08:00:0${index % 4}.000Z`,
        updated_at: common.created_at,
        deleted_at: deleted ? common.created_at : null,
      };
      const looks = { title: id, emoji: '📄', edit_mode: 'live' as const, git_sync: null, visitor_auth: null };
      await db
        .insertInto('space')
        .values({ ...common, ...place, ...times, ...looks, revision: id })
        .execute();
      spaces.push(id);
    }
    for (const { to, viewer, level } of parts.grants) {
      const { user } = viewers[viewer % viewers.length]!;
      const item = [...collections, ...spaces][to % Math.max(1, collections.length + spaces.length)];
      if (item === undefined) continue;
      const on = item.startsWith('C') ? { collection: item, space: null } : { collection: null, space: item };
      const grant = { organization: org, user, level, ...on };
      await db
        .insertInto('content_grant')
        .values(grant)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
  });
}

/** Changes by calls of an administrator; those that are refused change nothing. */
async function change({ call }: TestInstance, target: string, content: Content, changes: Parts['changes']) {
  for (const { what, item, to } of changes) {
    const space = content.spaces[item % Math.max(1, content.spaces.length)]?.id;
    const collection = content.collections[item % Math.max(1, content.collections.length)]?.id;
    const parent = content.collections[to % (content.collections.length + 1)]?.id ?? null;
    const calls = [
      ['POST', `/v1/collections/${collection}/move`, { parent: null }],
      ['POST', `/v1/spaces/${space}/move`, { parent }],
      ['POST', `/v1/collections/${collection}/move`, { parent }],
      ['DELETE', `/v1/spaces/${space}`],
      ['POST', `/v1/spaces/${space}/restore`],
      ['DELETE', `/v1/collections/${collection}`],
      ['POST', `/v1/collections/${collection}/transfer`, { organization: target }],
    ] as const;
    const [method, path, body] = calls[what]!;
    await call(method, path, body);
  }
}

const readContent = ({ instance, org }: TestInstance): Promise<Content> =>
  instance.store.read(async (db) => ({
    collections: await db.selectFrom('collection').selectAll().where('organization', '=', org).execute(),
    spaces: await db.selectFrom('space').selectAll().where('organization', '=', org).execute(),
    grants: await db.selectFrom('content_grant').selectAll().where('organization', '=', org).execute(),
  }));

/** The rules of lists, in plain code over all rows. */
function rules({ collections, spaces, grants }: Content, { user, role }: Viewer) {
  const granted = (id: string) => grants.find((g) => g.user === user && (g.space ?? g.collection) === id)?.level;
  const lineOf = (item: Collection | Space): (Collection | Space)[] => {
    const parent = collections.find(({ id }) => id === item.parent);
    return parent ? [...lineOf(parent), item] : [item];
  };
  const levelOf = (item: Collection | Space) =>
    highest(
      role,
      ...lineOf(item).map(({ id }) => granted(id)),
      ...(role === null ? [] : lineOf(item).map((each) => each.default_level)),
    );
  const inOrder = <T extends Collection | Space>(items: T[]) => items.toSorted((a, b) => compare(lineOf(a), lineOf(b)));
  const seen = <T extends Collection | Space>(items: T[]) => inOrder(items.filter((item) => levelOf(item) !== null));
  const live = spaces.filter((space) => space.deleted_at === null);
  return {
    levelOf,
    spaces: seen(live),
    deleted: inOrder(spaces.filter((space) => space.deleted_at !== null && levelOf(space) === 'admin')),
    collections: seen(collections),
    topCollections: seen(collections).filter(({ parent }) => parent === null),
    spacesIn: (collection: string) => seen(live.filter(({ parent }) => parent === collection)),
    byCreated: (sign: 1 | -1) =>
      live
        .filter((space) => levelOf(space) !== null)
        .toSorted((a, b) => sign * order(a.created_at, b.created_at) || order(a.id, b.id)),
  };
}

const order = (a: string | number, b: string | number) => (a < b ? -1 : a > b ? 1 : 0);

function compare(a: (Collection | Space)[], b: (Collection | Space)[]): number {
  for (const [index, item] of a.entries()) {
    const other = b[index];
    if (!other) return 1;
    const by = order(item.position, other.position) || order(item.id, other.id);
    if (by !== 0) return by;
  }
  return a.length - b.length;
}

/** All pages of a list; every page has the count. */
async function listed(call: Call, path: string, limit: number) {
  const items: any[] = [];
  const counts = new Set<number>();
  let page = '';
  do {
    const query = `${path.includes('?') ? '&' : '?'}limit=${limit}${page && `&page=${encodeURIComponent(page)}`}`;
    const { status, body } = await call('GET', path + query);
    expect(status).toBe(200);
    items.push(...body.items);
    counts.add(body.count);
    expect(counts.size, `pages of ${path}`).toBe(1);
    expect(items.length, `items of ${path}`).toBeLessThanOrEqual(body.count);
    page = body.next?.page ?? '';
  } while (page !== '');
  expect([...counts]).toEqual([items.length]);
  return items;
}

async function expectSameLists(service: TestInstance, content: Content, viewer: Viewer, limit: number) {
  const expected = rules(content, viewer);
  const call = service.as(viewer.user);
  const { orgPath } = service;
  const levels = <T extends Collection | Space>(items: T[], permissions: (level: RoleName) => object) =>
    items.map((item) => ({ id: item.id, permissions: permissions(expected.levelOf(item)!) }));
  const partsOf = ({ id, permissions }: any) => ({ id, permissions });
  const read = async (path: string) => (await listed(call, path, limit)).map(partsOf);

  expect(await read(`${orgPath}/spaces`)).toEqual(levels(expected.spaces, spacePermissions));
  expect(await read(`${orgPath}/spaces?deleted=true`)).toEqual(levels(expected.deleted, spacePermissions));
  expect(await read(`${orgPath}/collections`)).toEqual(levels(expected.collections, collectionPermissions));
  expect(await read(`${orgPath}/collections?nested=false`)).toEqual(
    levels(expected.topCollections, collectionPermissions),
  );
  for (const { id } of expected.collections) {
    expect(await read(`/v1/collections/${id}/spaces`)).toEqual(levels(expected.spacesIn(id), spacePermissions));
  }
  for (const [name, sign] of [
    ['asc', 1],
    ['desc', -1],
  ] as const) {
    const items = await listed(service.call, `${orgPath}/members/${viewer.user}/spaces?order=${name}`, limit);
    expect(items.map((item) => [item.space.id, item.permission])).toEqual(
      expected.byCreated(sign).map((space) => [space.id, expected.levelOf(space)]),
    );
  }
}

test('the lists of spaces and collections have what the rules say, for every role', async () => {
  await fc.assert(
    fc.asyncProperty(organization, async (parts) => {
      const service = await testInstance();
      const viewers: Viewer[] = [{ user: service.admin, role: 'admin' }];
      for (const role of ['edit', 'read', null, null] as const)
        viewers.push({ user: await service.user({ role }), role });
      const other = await service.otherOrg();
      await service.join(other.org, service.admin, 'admin');
      await make(service, viewers, parts);
      await change(service, other.org, await readContent(service), parts.changes);
      const content = await readContent(service);

      for (const viewer of viewers) await expectSameLists(service, content, viewer, parts.limit);
    }),
    { numRuns: 20 },
  );
});

test('what was granted above the role counts in lists, too', async () => {
  const { instance, call, as, user, org, orgPath } = await testInstance();
  const creator = await user({ role: 'create' });
  const made = [];
  for (const title of ['Pumps', 'Valves']) made.push((await call('POST', `${orgPath}/spaces`, { title })).body.id);
  const [space] = made;
  const row = { user: creator, organization: org, space, collection: null, level: 'admin' as const };
  await instance.store.write((db) => db.insertInto('content_grant').values(row).execute());

  const { items } = (await as(creator)('GET', `${orgPath}/spaces`)).body;

  const administrated = items.filter(({ permissions }: any) => permissions.admin);
  expect(administrated.map(({ id }: { id: string }) => id)).toEqual([space]);
});

/** So many collections at the top level with ten spaces in each, of which a guest may see two and one more space. */
async function manySpaces(count: number) {
  const service = await testInstance();
  const { org, instance } = service;
  const guest = await service.user({ role: null });
  const time = new Date(service.clock.now).toISOString();
  await instance.store.write(async ({ session }) => {
    await session.run(
      `insert into collection (id, organization, position, title, created_at)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count - 1})
      select 'Co' || i, '${org}', i, '', '${time}' from n`,
      [],
    );
    await session.run(
      `insert into space (id, organization, parent, position, title, emoji, edit_mode, created_at, updated_at, revision)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${count * 10 - 1})
      select 'Sp' || i, '${org}', 'Co' || (i / 10), i, '', '📄', 'live', '${time}', '${time}', '' from n`,
      [],
    );
  });
  await service.grant(guest, { collection: 'Co1' }, 'read');
  await service.grant(guest, { collection: 'Co5' }, 'read');
  await service.grant(guest, { space: 'Sp90' }, 'read');
  return { service, viewers: [service.admin, await service.user({ role: 'read' }), guest] };
}

/** What the database does for a request: the statements with their rows, and whole tables that they read. */
async function workOf({ instance }: TestInstance, request: () => Promise<unknown>) {
  const raw = connectionOf(instance.store);
  const { prepare } = raw;
  let rows = 0;
  const texts: string[] = [];
  raw.prepare = <R>(text: string): Statement<R> => {
    const statement = prepare.call<typeof raw, [string], Statement<R>>(raw, text);
    texts.push(text);
    return {
      columns: () => statement.columns(),
      iterate: (...values) => statement.iterate(...values),
      get: (...values) => statement.get(...values),
      run: (...values) => statement.run(...values),
      all(...values) {
        const all = statement.all(...values);
        rows += all.length;
        return all;
      },
    };
  };
  try {
    await request();
  } finally {
    raw.prepare = prepare;
  }
  const plans = texts.filter((text) => /^(select|with)/i.test(text)).map((text) => explain(raw.sqlite, text));
  return {
    rows,
    statements: texts.length,
    scans: plans.flat().filter((step) => /^SCAN (space|collection|[scg])\b/.test(step)),
  };
}

const explain = (sqlite: Connection['sqlite'], text: string) =>
  sqlite
    .prepare(`explain query plan ${text}`)
    .all(...Array.from({ length: text.split('?').length - 1 }, () => 'x'))
    .map(({ detail }) => String(detail));

if (!onPostgres)
  test('a page of a list takes the same work however many spaces and collections there are', async () => {
    const [few, many] = await Promise.all([manySpaces(12), manySpaces(300)]);
    for (const list of ['spaces', 'collections', 'collections?nested=false', 'spaces?deleted=true']) {
      for (const [index, viewer] of few.viewers.entries()) {
        const work = ({ service, viewers }: typeof few) => {
          const path = `${service.orgPath}/${list}${list.includes('?') ? '&' : '?'}limit=7`;
          return workOf(service, () => service.as(viewers[index] ?? viewer)('GET', path));
        };
        const [ofFew, ofMany] = [await work(few), await work(many)];
        expect(ofMany, list).toEqual(ofFew);
        expect(ofMany.scans, list).toEqual([]);
      }
    }
  });
