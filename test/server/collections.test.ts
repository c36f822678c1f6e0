import { expect, test } from 'vitest';
import { type Call, testInstance } from '../support/instance.ts';

const make = async (call: Call, orgPath: string, kind: 'collections' | 'spaces', title: string, parent?: string) =>
  (await call('POST', `${orgPath}/${kind}`, { title, parent })).body.id as string;

/** Titles of a list. */
const titles = async (call: Call, path: string) =>
  (await call('GET', path)).body.items.map((item: any) => item.title).join(' ');

/**
 * A tree made in this order, so that it stands as
 * `Guides (Pumps (Valves), Intro), Home, Empty`; Intro and Home are spaces.
 */
async function tree() {
  const service = await testInstance();
  const { call, orgPath } = service;
  const guides = await make(call, orgPath, 'collections', 'Guides');
  const pumps = await make(call, orgPath, 'collections', 'Pumps', guides);
  const valves = await make(call, orgPath, 'collections', 'Valves', pumps);
  const intro = await make(call, orgPath, 'spaces', 'Intro', guides);
  const home = await make(call, orgPath, 'spaces', 'Home');
  const empty = await make(call, orgPath, 'collections', 'Empty');
  return { ...service, guides, pumps, valves, intro, home, empty };
}

test('a new collection is complete, readable by default, and last under its parent', async () => {
  const { call, orgPath, org, instance } = await testInstance();
  const parent = await make(call, orgPath, 'collections', 'Guides');

  const made = await call('POST', `${orgPath}/collections`, { parent, colour: 'ignored' });

  const { id } = made.body;
  const location = `${instance.base}/v1/collections/${id}`;
  expect(made.headers.location).toBe(location);
  expect(made.body).toEqual({
    object: 'collection',
    id: expect.stringMatching(/^[A-Za-z][A-Za-z0-9]{11}$/),
    title: 'Untitled',
    organization: org,
    parent,
    defaultLevel: 'read',
    urls: { location, app: `${instance.base}/o/${org}/c/${id}` },
    permissions: { view: true, admin: true, viewInviteLinks: true, create: true },
  });
  expect((await call('GET', `/v1/collections/${id}`)).body).toEqual(made.body);
});

test('a parent must be a collection of the organization', async () => {
  const { call, orgPath, otherOrg } = await testInstance();
  const other = await otherOrg();
  const foreign = await make(other.call, `/v1/orgs/${other.org}`, 'collections', 'Foreign');

  for (const parent of [foreign, 'nothing']) {
    const answer = await call('POST', `${orgPath}/collections`, { parent });
    expect(answer.status).toBe(400);
    expect(answer.error.details).toMatchObject([{ in: 'body', path: '/parent', rule: 'reference' }]);
  }
});

test('collections are listed depth first, or the top level only', async () => {
  const { call, orgPath } = await tree();

  expect(await titles(call, `${orgPath}/collections`)).toBe('Guides Pumps Valves Empty');
  expect(await titles(call, `${orgPath}/collections?nested=true`)).toBe('Guides Pumps Valves Empty');
  expect(await titles(call, `${orgPath}/collections?nested=false`)).toBe('Guides Empty');
  expect((await call('GET', `${orgPath}/collections?nested=false&limit=1`)).body).toMatchObject({ count: 2, next: {} });
  expect((await call('GET', `${orgPath}/collections?nested=maybe`)).error.details).toMatchObject([
    { path: 'nested', rule: 'type' },
  ]);
});

test('paging through the tree gives each collection once', async () => {
  const { call, orgPath } = await tree();
  const seen: string[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/collections?limit=1${page}`);
    seen.push(...body.items.map((item: any) => item.title));
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen.join(' ')).toBe('Guides Pumps Valves Empty');
});

test('edits keep members that are not sent, and can remove the default level', async () => {
  const { call, guides } = await tree();
  const path = `/v1/collections/${guides}`;

  const described = await call('PATCH', path, { description: 'How to' });
  const closed = await call('PATCH', path, { defaultLevel: null });

  expect(described.body).toMatchObject({ title: 'Guides', description: 'How to', defaultLevel: 'read' });
  expect(closed.body).toEqual({ ...described.body, defaultLevel: null });
  expect((await call('PATCH', path, {})).body).toEqual(closed.body);
  const wrong = await call('PATCH', path, { title: null, defaultLevel: 'owner' });
  expect(wrong.error.details?.map(({ path, rule }) => [path, rule])).toEqual([
    ['/title', 'type'],
    ['/defaultLevel', 'enum'],
  ]);
});

test('the contents of a deleted collection move to the end of its parent, in the same order', async () => {
  const { call, orgPath, guides, intro, pumps } = await tree();

  const answer = await call('DELETE', `/v1/collections/${guides}`);

  expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([205, '0', undefined]);
  expect((await call('GET', `/v1/collections/${guides}`)).status).toBe(404);
  expect((await call('DELETE', `/v1/collections/${guides}`)).status).toBe(404);
  expect((await call('GET', `/v1/spaces/${intro}`)).body).not.toHaveProperty('parent');
  expect((await call('GET', `/v1/collections/${pumps}`)).body).not.toHaveProperty('parent');
  expect(await titles(call, `${orgPath}/collections`)).toBe('Empty Pumps Valves');
  expect(await titles(call, `${orgPath}/spaces`)).toBe('Home Intro');
});

test('a deleted space is restored in the parent collection when its own was deleted', async () => {
  const { call, pumps, guides, orgPath } = await tree();
  const lost = await make(call, orgPath, 'spaces', 'Lost', pumps);
  await call('DELETE', `/v1/spaces/${lost}`);
  await call('DELETE', `/v1/collections/${pumps}`);

  const back = await call('POST', `/v1/spaces/${lost}/restore`);

  expect(back.body.parent).toBe(guides);
});

test("a collection's spaces are its direct ones, in order", async () => {
  const { call, orgPath, guides, valves } = await tree();
  await make(call, orgPath, 'spaces', 'Deep', valves);
  await make(call, orgPath, 'spaces', 'Second', guides);

  expect(await titles(call, `/v1/collections/${guides}/spaces`)).toBe('Intro Second');
  const first = await call('GET', `/v1/collections/${guides}/spaces?limit=1`);
  const second = await call('GET', `/v1/collections/${guides}/spaces?limit=1&page=${first.body.next.page}`);
  expect([first, second].map(({ body }) => [body.count, body.items[0].title])).toEqual([
    [2, 'Intro'],
    [2, 'Second'],
  ]);
  expect((await call('GET', '/v1/collections/nothing/spaces')).status).toBe(404);
});

test('a collection moves next to spaces and collections of the new parent, with its contents', async () => {
  const { call, orgPath, guides, pumps, home, intro, empty } = await tree();
  const move = (body: unknown) => call('POST', `/v1/collections/${pumps}/move`, body);

  const up = await move({ parent: null, position: { before: { type: 'space', space: home } } });
  expect([up.status, up.body.parent]).toEqual([200, undefined]);
  expect(await titles(call, `${orgPath}/collections`)).toBe('Guides Pumps Valves Empty');

  expect((await move({ parent: null })).status).toBe(200);
  expect(await titles(call, `${orgPath}/collections`)).toBe('Guides Empty Pumps Valves');

  const beside = await move({ parent: guides, position: { after: { type: 'space', space: intro } } });
  expect(beside.body.parent).toBe(guides);
  expect(await titles(call, `${orgPath}/collections?nested=false`)).toBe('Guides Empty');

  expect((await move({ parent: null, position: { after: { type: 'collection', collection: empty } } })).status).toBe(
    200,
  );
  expect(
    (
      await move({
        position: { before: { type: 'collection', collection: empty }, after: { type: 'space', space: home } },
      })
    ).status,
  ).toBe(200);
  expect(await titles(call, `${orgPath}/collections`)).toBe('Guides Pumps Valves Empty');
});

test('a move that would change nothing is refused', async () => {
  const { call, empty, guides, home } = await tree();

  for (const [path, body] of [
    [`/v1/collections/${empty}/move`, {}],
    [`/v1/collections/${empty}/move`, { parent: null }],
    [`/v1/collections/${empty}/move`, { position: { after: { type: 'space', space: home } } }],
    [`/v1/collections/${guides}/move`, { position: { before: { type: 'space', space: home } } }],
    [`/v1/spaces/${home}/move`, { position: { after: { type: 'collection', collection: guides } } }],
  ] as const) {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.error.reason]).toEqual([409, 'no-change']);
  }
});

test('neighbours must be under the new parent and next to each other', async () => {
  const { call, guides, pumps, valves, home, intro, empty } = await tree();
  const fault = async (body: unknown) => {
    const answer = await call('POST', `/v1/collections/${pumps}/move`, body);
    return [answer.status, ...(answer.error.details ?? []).map(({ path, rule }) => `${path} ${rule}`)];
  };

  expect(await fault({ position: { before: { type: 'space', space: home } } })).toEqual([
    400,
    '/position/before reference',
  ]);
  expect(await fault({ parent: null, position: { after: { type: 'space', space: intro } } })).toEqual([
    400,
    '/position/after reference',
  ]);
  expect(await fault({ position: { after: { type: 'collection', collection: intro } } })).toEqual([
    400,
    '/position/after reference',
  ]);
  expect(await fault({ position: { after: { type: 'collection', collection: pumps } } })).toEqual([
    400,
    '/position/after reference',
  ]);
  expect(
    await fault({
      parent: null,
      position: {
        after: { type: 'collection', collection: guides },
        before: { type: 'collection', collection: empty },
      },
    }),
  ).toEqual([400, '/position conflict']);
  expect(await fault({ position: { before: { type: 'page', page: 'x' } } })).toEqual([
    400,
    expect.stringContaining('/position/before/type'),
    expect.anything(),
  ]);
  expect(await fault({ parent: 'nothing' })).toEqual([400, '/parent reference']);
  for (const parent of [pumps, valves]) expect(await fault({ parent })).toEqual([400, '/parent reference']);
});

test('a transfer moves everything to the end of the other organization', async () => {
  const { call, orgPath, guides, pumps, valves, intro, user, as, grant, join } = await tree();
  const target = (await call('POST', '/v1/orgs', { title: 'Target' })).body.id;
  await make(call, `/v1/orgs/${target}`, 'spaces', 'There');
  await call('POST', `${orgPath}/custom-fields`, { name: 'audience', type: 'text' });
  await call('PATCH', `/v1/spaces/${intro}/custom-fields`, { values: { audience: { value: 'all' } } });
  const stranger = await user({ role: null });
  const both = await user({ role: null });
  for (const guest of [stranger, both]) await grant(guest, { collection: guides }, 'edit');
  await join(target, both, null);
  expect((await as(stranger)('GET', `/v1/spaces/${intro}`)).status).toBe(200);

  const moved = await call('POST', `/v1/collections/${pumps}/transfer`, { organization: target });
  expect(moved.body).toMatchObject({ organization: target });
  expect(moved.body).not.toHaveProperty('parent');
  await call('POST', `/v1/collections/${guides}/transfer`, { organization: target });

  expect(await titles(call, `/v1/orgs/${target}/collections`)).toBe('Pumps Valves Guides');
  expect(await titles(call, `/v1/orgs/${target}/spaces`)).toBe('There Intro');
  expect(await titles(call, `${orgPath}/collections`)).toBe('Empty');
  expect((await call('GET', `/v1/collections/${valves}`)).body).toMatchObject({ organization: target, parent: pumps });
  expect((await call('GET', `/v1/spaces/${intro}/custom-fields`)).body).toEqual([]);
  expect((await as(stranger)('GET', `/v1/spaces/${intro}`)).status).toBe(404);
  expect((await as(both)('GET', `/v1/spaces/${intro}`)).body.permissions.edit).toBe(true);
});

test('a transfer is refused within the organization, to an unknown one, without permission, and for spaces in a site', async () => {
  const { call, org, guides, intro, otherOrg, join, admin, orgPath } = await tree();
  const other = await otherOrg();
  const transfer = async (id: string, organization: unknown) => {
    const answer = await call('POST', `/v1/collections/${id}/transfer`, { organization });
    return [answer.status, answer.error.reason];
  };

  expect(await transfer(guides, org)).toEqual([409, 'no-change']);
  expect(await transfer(guides, other.org)).toEqual([400, 'validation']);
  expect(await transfer(guides, 7)).toEqual([400, 'validation']);
  expect(await transfer('nothing', org)).toEqual([404, 'not-found']);
  await join(other.org, admin, 'edit');
  expect(await transfer(guides, other.org)).toEqual([403, 'forbidden']);
  await other.call('PATCH', `/v1/orgs/${other.org}/members/${admin}`, { role: 'create' });
  await call('POST', `${orgPath}/sites`, { title: 'Shown', spaces: [intro] });
  expect(await transfer(guides, other.org)).toEqual([412, 'cannot-move']);
});

test('guests see the collections with a grant for them, and their levels there', async () => {
  const { as, user, instance, grant, guides, pumps, valves, orgPath, empty, home } = await tree();
  const guest = await user({ role: null });
  const call = as(guest);
  await grant(guest, { collection: pumps }, 'create');

  expect(await titles(call, `${orgPath}/collections`)).toBe('Pumps Valves');
  expect((await call('GET', `/v1/collections/${guides}`)).status).toBe(404);
  expect((await call('GET', `/v1/collections/${valves}`)).body.permissions).toEqual({
    view: true,
    admin: false,
    viewInviteLinks: false,
    create: true,
  });
  expect((await call('POST', `${orgPath}/collections`, { parent: valves })).status).toBe(201);
  const refusal = async (body: object) => {
    const answer = await call('POST', `${orgPath}/collections`, body);
    return [answer.status, answer.body.error.message];
  };
  expect(await refusal({ parent: guides })).toEqual([403, expect.stringContaining('"create" on the collection')]);
  expect(await refusal({ title: 7 })).toEqual([403, expect.stringContaining('"createContent" on the organization')]);
  expect((await call('PATCH', `/v1/collections/${valves}`, { title: 'Mine' })).status).toBe(403);
  await instance.store.write((db) =>
    db.updateTable('content_grant').set({ level: 'admin' }).where('user', '=', guest).execute(),
  );
  expect((await call('POST', `/v1/collections/${valves}/move`, { parent: null })).status).toBe(403);
  // A neighbour that the guest cannot see is told like one that is not there.
  const answer = await call('POST', `/v1/collections/${pumps}/move`, {
    position: { before: { type: 'space', space: home } },
  });
  expect([answer.status, empty]).toEqual([400, empty]);
});

test('a transfer includes deleted spaces, which can be restored there', async () => {
  const { call, orgPath, guides, pumps } = await tree();
  const target = (await call('POST', '/v1/orgs', { title: 'Target' })).body.id;
  const lost = await make(call, orgPath, 'spaces', 'Lost', pumps);
  await call('DELETE', `/v1/spaces/${lost}`);

  await call('POST', `/v1/collections/${guides}/transfer`, { organization: target });

  expect(await titles(call, `/v1/orgs/${target}/spaces?deleted=true`)).toBe('Lost');
  expect((await call('POST', `/v1/spaces/${lost}/restore`)).body).toMatchObject({
    organization: target,
    parent: pumps,
  });
});

test('a transfer needs an organization that is not blocked, with an active membership', async () => {
  const { call, guides, otherOrg, join, admin, instance } = await tree();
  const other = await otherOrg();
  await join(other.org, admin, 'admin');
  const transfer = async () =>
    (await call('POST', `/v1/collections/${guides}/transfer`, { organization: other.org })).error?.reason;
  const set = (table: 'member' | 'organization', change: object) =>
    instance.store.write((db) =>
      db
        .updateTable(table)
        .set(change)
        .where(table === 'member' ? 'organization' : 'id', '=', other.org)
        .execute(),
    );

  await set('member', { disabled: 1 });
  expect(await transfer()).toBe('member-disabled');
  await set('member', { disabled: 0 });
  await set('organization', { blocked: JSON.stringify({ reason: 'security' }) });
  expect(await transfer()).toBe('organization-blocked');
  await set('organization', { blocked: null });
  expect(await transfer()).toBeUndefined();
});
