import { expect, test } from 'vitest';
import { catchUp } from '../../src/server/open-instance.ts';
import { testInstance } from '../support/instance.ts';

const day = 86_400_000;
const faults = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

async function service() {
  const made = await testInstance();
  const { call, orgPath } = made;
  const space = async (body: object = {}) => (await call('POST', `${orgPath}/spaces`, body)).body.id as string;
  const collection = async (body: object = {}) =>
    (await call('POST', `${orgPath}/collections`, body)).body.id as string;
  const titles = async (path = `${orgPath}/spaces`, by = call) =>
    (await by('GET', path)).body.items.map((item: any) => item.title).join(' ');
  return { ...made, space, collection, titles };
}

test('a new space is complete', async () => {
  const { call, orgPath, org, instance, collection } = await service();
  const parent = await collection();

  const made = await call('POST', `${orgPath}/spaces`, { parent });

  const { id, revision } = made.body;
  const location = `${instance.base}/v1/spaces/${id}`;
  expect([made.status, made.headers.location]).toEqual([201, location]);
  expect(made.body).toEqual({
    object: 'space',
    id: expect.stringMatching(/^[A-Za-z][A-Za-z0-9]{11}$/),
    title: 'Untitled',
    emoji: '📄',
    visibility: 'private',
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    editMode: 'live',
    urls: { location, app: `${instance.base}/o/${org}/s/${id}` },
    organization: org,
    parent,
    revision,
    defaultLevel: 'read',
    comments: 0,
    changeRequests: 0,
    changeRequestsOpen: 0,
    changeRequestsDraft: 0,
    permissions: {
      view: true,
      access: true,
      admin: true,
      viewInviteLinks: true,
      edit: true,
      triggerGitSync: true,
      comment: true,
      merge: true,
      review: true,
    },
  });
  expect((await call('GET', `/v1/spaces/${id}`)).body).toEqual(made.body);
});

test('the values of a new space are validated and stored', async () => {
  const { call, orgPath } = await service();

  const made = await call('POST', `${orgPath}/spaces`, { title: '', emoji: '📘', editMode: 'locked' });

  expect(made.body).toMatchObject({ title: '', emoji: '📘', editMode: 'locked' });
  const wrong = await call('POST', `${orgPath}/spaces`, { title: null, editMode: 'open', parent: null });
  expect(faults(wrong)).toEqual(['/title type', '/parent type', '/editMode enum']);
  expect(faults(await call('POST', `${orgPath}/spaces`, { parent: 'nothing' }))).toEqual(['/parent reference']);
});

test('spaces are listed in the order of the tree, those of a collection at its place', async () => {
  const { call, orgPath, space, collection, titles } = await service();
  await space({ title: 'First' });
  const guides = await collection({ title: 'Guides' });
  await space({ title: 'Last' });
  const inner = await collection({ title: 'Inner', parent: guides });
  await space({ title: 'After', parent: guides });
  await space({ title: 'Deep', parent: inner });

  expect(await titles()).toBe('First Deep After Last');
  const seen: string[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/spaces?limit=1${page}`);
    expect(body.count).toBe(4);
    seen.push(body.items[0].title);
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen.join(' ')).toBe('First Deep After Last');
});

test('the limit of a page: zero, the largest, and invalid ones', async () => {
  const { call, orgPath, space } = await service();
  await space();

  expect((await call('GET', `${orgPath}/spaces?limit=0`)).body).toEqual({ count: 1, items: [] });
  expect((await call('GET', `${orgPath}/spaces?limit=1000`)).body.items.length).toBe(1);
  for (const limit of ['1001', '-1', '1.5', 'ten', '']) {
    const answer = await call('GET', `${orgPath}/spaces?limit=${limit}`);
    expect(answer.error.details).toMatchObject([{ in: 'query', path: 'limit' }]);
  }
});

test('edits keep members that are not sent and change updatedAt', async () => {
  const { call, space, clock } = await service();
  const path = `/v1/spaces/${await space({ title: 'Handbook' })}`;
  const before = (await call('GET', path)).body;
  clock.advance(1000);

  const edited = await call('PATCH', path, {
    editMode: 'locked',
    defaultLevel: null,
    visibility: 'public',
    revision: 'x',
  });

  expect(edited.body).toEqual({
    ...before,
    editMode: 'locked',
    defaultLevel: null,
    updatedAt: '2026-03-01T08:00:01.000Z',
  });
  clock.advance(1000);
  expect((await call('PATCH', path, {})).body).toEqual(edited.body);
  expect(faults(await call('PATCH', path, { emoji: null, defaultLevel: 'guest' }))).toEqual([
    '/emoji type',
    '/defaultLevel enum',
  ]);
});

test('only administrators see a deleted space, and only a few requests find it', async () => {
  const { call, as, user, orgPath, space, titles, collection, admin } = await service();
  const parent = await collection();
  const id = await space({ title: 'Lost', parent });
  const reader = as(await user({ role: 'read' }));
  const path = `/v1/spaces/${id}`;

  const answer = await call('DELETE', path);

  expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([205, '0', undefined]);
  expect((await call('GET', path)).body).toMatchObject({ title: 'Lost', deletedAt: '2026-03-01T08:00:00.000Z' });
  expect((await reader('GET', path)).status).toBe(404);
  for (const [method, requestPath] of [
    ['PATCH', path],
    ['DELETE', path],
    ['POST', `${path}/move`],
    ['POST', `${path}/duplicate`],
    ['POST', `${path}/transfer`],
    ['GET', `${path}/change-requests`],
    ['GET', `${path}/custom-fields`],
  ] as const) {
    expect((await call(method, requestPath)).status).toBe(404);
  }
  expect(await titles()).toBe('');
  expect(await titles(`/v1/collections/${parent}/spaces`)).toBe('');
  expect(await titles(`${orgPath}/spaces?deleted=true`)).toBe('Lost');
  expect(await titles(`${orgPath}/spaces?deleted=true`, reader)).toBe('');
  expect((await call('GET', `${orgPath}/members/${admin}`)).body.spaces).toBe(0);
});

test('a deleted space is restored to its place, once', async () => {
  const { call, space, titles, as, user } = await service();
  const ids = [];
  for (const title of ['a', 'b', 'c']) ids.push(await space({ title }));
  const path = `/v1/spaces/${ids[1]}`;

  const active = await call('POST', `${path}/restore`);
  expect([active.status, active.error.reason]).toEqual([409, 'invalid-state']);
  expect((await as(await user({ role: 'create' }))('POST', `${path}/restore`)).status).toBe(403);
  await call('DELETE', path);
  const back = await call('POST', `${path}/restore`);

  expect(back.status).toBe(200);
  expect(back.body).not.toHaveProperty('deletedAt');
  expect(await titles()).toBe('a b c');
  expect((await call('POST', `${path}/restore`)).error.message).toContain('not deleted');
});

test('after seven days a deleted space cannot be restored, also before it is purged', async () => {
  const { call, orgPath, space, clock, instance, titles } = await service();
  const id = await space({ title: 'Lost' });
  const kept = await space({ title: 'Kept' });
  await call('DELETE', `/v1/spaces/${id}`);
  clock.advance(7 * day - 1);
  expect((await call('GET', `/v1/spaces/${id}`)).status).toBe(200);
  expect(await titles(`${orgPath}/spaces?deleted=true`)).toBe('Lost');
  await call('DELETE', `/v1/spaces/${kept}`);

  clock.advance(1);

  expect((await call('GET', `/v1/spaces/${id}`)).status).toBe(404);
  expect((await call('POST', `/v1/spaces/${id}/restore`)).status).toBe(404);
  expect(await titles(`${orgPath}/spaces?deleted=true`)).toBe('Kept');
  await catchUp(instance);
  const rows = await instance.store.read((db) => db.selectFrom('space').select('id').execute());
  expect(rows.map((row) => row.id)).toEqual([kept]);
  expect((await call('POST', `/v1/spaces/${kept}/restore`)).status).toBe(200);
});

test('a duplicate is directly after its original, without comments and requests', async () => {
  const { call, space, titles, clock, user, grant, as } = await service();
  const id = await space({ title: 'Handbook', emoji: '📘', editMode: 'locked' });
  await space({ title: 'Next' });
  await call('PATCH', `/v1/spaces/${id}`, { defaultLevel: 'edit' });
  await call('POST', `/v1/spaces/${id}/change-requests`, { subject: 'Change' });
  const guest = await user({ role: null });
  await grant(guest, { space: id }, 'edit');
  clock.advance(1000);

  const copy = await call('POST', `/v1/spaces/${id}/duplicate`);

  expect([copy.status, copy.headers.location]).toEqual([201, copy.body.urls.location]);
  expect(copy.body).toMatchObject({
    title: 'Handbook (copy)',
    emoji: '📘',
    editMode: 'locked',
    defaultLevel: 'edit',
    createdAt: '2026-03-01T08:00:01.000Z',
    changeRequests: 0,
    comments: 0,
  });
  expect(copy.body.revision).not.toBe((await call('GET', `/v1/spaces/${id}`)).body.revision);
  expect(await titles()).toBe('Handbook Handbook (copy) Next');
  expect((await as(guest)('GET', `/v1/spaces/${copy.body.id}`)).status).toBe(404);
  const long = await space({ title: '📘'.repeat(50) });
  expect((await call('POST', `/v1/spaces/${long}/duplicate`)).body.title).toBe('📘'.repeat(50));
  const cut = await space({ title: 'x'.repeat(45) });
  expect((await call('POST', `/v1/spaces/${cut}/duplicate`)).body.title).toBe(`${'x'.repeat(45)} (cop`);
});

test('a duplicate needs permission to create content in the parent of the original', async () => {
  const { as, user, space, collection, grant } = await service();
  const parent = await collection();
  const inside = await space({ parent });
  const top = await space();
  const editor = as(await user({ role: 'edit' }));
  const guest = await user({ role: null });
  await grant(guest, { collection: parent }, 'create');
  const spaceAdmin = await user({ role: null });
  await grant(spaceAdmin, { space: inside }, 'admin');

  expect((await editor('POST', `/v1/spaces/${inside}/duplicate`)).status).toBe(403);
  expect((await as(guest)('POST', `/v1/spaces/${inside}/duplicate`)).status).toBe(201);
  expect((await as(guest)('POST', `/v1/spaces/${top}/duplicate`)).status).toBe(404);
  expect((await as(spaceAdmin)('POST', `/v1/spaces/${inside}/duplicate`)).status).toBe(403);
  expect((await as(await user({ role: 'create' }))('POST', `/v1/spaces/${top}/duplicate`)).status).toBe(201);
});

test('a space moves between collections and next to its neighbours', async () => {
  const { call, space, collection, titles } = await service();
  const [a, b] = [await space({ title: 'a' }), await space({ title: 'b' })];
  const guides = await collection({ title: 'Guides' });
  const c = await space({ title: 'c', parent: guides });

  expect((await call('POST', `/v1/spaces/${b}/move`, { parent: guides })).body.parent).toBe(guides);
  expect(await titles()).toBe('a c b');
  await call('POST', `/v1/spaces/${b}/move`, { position: { before: { type: 'space', space: c } } });
  expect(await titles()).toBe('a b c');
  const out = await call('POST', `/v1/spaces/${b}/move`, {
    parent: null,
    position: { before: { type: 'space', space: a } },
  });
  expect(out.body).not.toHaveProperty('parent');
  expect(await titles()).toBe('b a c');
  const same = await call('POST', `/v1/spaces/${b}/move`, { position: {}, parent: null });
  expect(same.status).toBe(200);
  expect((await call('POST', `/v1/spaces/${b}/move`)).error.reason).toBe('no-change');
  expect(faults(await call('POST', `/v1/spaces/${b}/move`, { parent: 7 }))).toEqual(['/parent type']);
});

test('deleted spaces between neighbours do not matter', async () => {
  const { call, space, titles } = await service();
  const [a, x, b, c] = [
    await space({ title: 'a' }),
    await space({ title: 'x' }),
    await space({ title: 'b' }),
    await space({ title: 'c' }),
  ];
  await call('DELETE', `/v1/spaces/${x}`);
  const move = (body: object) => call('POST', `/v1/spaces/${c}/move`, body);

  expect(faults(await move({ position: { after: { type: 'space', space: x } } }))).toEqual([
    '/position/after reference',
  ]);
  expect(
    (await move({ position: { after: { type: 'space', space: a }, before: { type: 'space', space: b } } })).status,
  ).toBe(200);
  expect(await titles()).toBe('a c b');
});

test('a move needs permission on the space, and to create content in the new parent', async () => {
  const { as, user, space, collection, grant } = await service();
  const from = await collection();
  const to = await collection();
  const id = await space({ parent: from });
  const guest = await user({ role: null });
  await grant(guest, { space: id }, 'admin');
  await grant(guest, { collection: to }, 'edit');
  const move = (body: object) => as(guest)('POST', `/v1/spaces/${id}/move`, body);

  expect((await move({ parent: to })).status).toBe(403);
  expect((await move({ parent: null })).status).toBe(403);
  const other = await user({ role: null });
  await grant(other, { space: id }, 'admin');
  await grant(other, { collection: to }, 'create');
  expect((await as(other)('POST', `/v1/spaces/${id}/move`, { parent: to })).body.parent).toBe(to);
});

test('a space moves to another organization, without what belongs to the old one', async () => {
  const { call, orgPath, space, collection, user, as, grant, titles } = await service();
  const id = await space({ title: 'Handbook', parent: await collection() });
  const target = (await call('POST', '/v1/orgs', { title: 'Target' })).body.id;
  const guest = await user({ role: null });
  await grant(guest, { space: id }, 'edit');
  const invite = (await call('POST', `${orgPath}/link-invites`, { level: 'read', space: id })).body.id;

  const moved = await call('POST', `/v1/spaces/${id}/transfer`, { organization: target });

  expect(moved.status).toBe(200);
  expect(moved.body.organization).toBe(target);
  expect(moved.body).not.toHaveProperty('parent');
  expect(moved.body.urls.app).toContain(`/o/${target}/s/`);
  expect([await titles(), await titles(`/v1/orgs/${target}/spaces`)]).toEqual(['', 'Handbook']);
  expect((await as(guest)('GET', `/v1/spaces/${id}`)).status).toBe(404);
  expect((await call('GET', `${orgPath}/link-invites`)).body.count).toBe(0);
  expect((await call('GET', `/v1/orgs/${target}/link-invites/${invite}`)).body.space.id).toBe(id);
});

test('a transfer is refused for a space in a site, within the organization, and to an unknown one', async () => {
  const { call, orgPath, org, space, otherOrg } = await service();
  const id = await space();
  const other = await otherOrg();
  const target = (await call('POST', '/v1/orgs', { title: 'Target' })).body.id;
  const transfer = async (organization?: unknown) => {
    const { status, error } = await call('POST', `/v1/spaces/${id}/transfer`, { organization });
    return [status, error?.reason];
  };

  expect(await transfer()).toEqual([400, 'validation']);
  expect(await transfer(other.org)).toEqual([400, 'validation']);
  expect(await transfer(org)).toEqual([409, 'no-change']);
  const site = (await call('POST', `${orgPath}/sites`, { title: 'Docs', spaces: [id] })).body.id;
  expect(await transfer(target)).toEqual([412, 'cannot-move']);
  await call('DELETE', `${orgPath}/sites/${site}`);
  expect(await transfer(target)).toEqual([200, undefined]);
});

test('the level on a space is the highest of role, default levels and grants', async () => {
  const { call, as, user, space, collection, grant } = await service();
  const outer = await collection();
  const inner = await collection({ parent: outer });
  const id = await space({ parent: inner });
  const may = async (who: string) => {
    const { status, body } = await as(who)('GET', `/v1/spaces/${id}`);
    if (status !== 200) return status;
    return ['admin', 'triggerGitSync', 'review', 'edit', 'comment', 'view'].find((name) => body.permissions[name]);
  };
  const reader = await user({ role: 'read' });
  const guest = await user({ role: null });

  expect([await may(reader), await may(guest)]).toEqual(['view', 404]);
  await call('PATCH', `/v1/spaces/${id}`, { defaultLevel: 'comment' });
  expect([await may(reader), await may(guest)]).toEqual(['comment', 404]);
  await call('PATCH', `/v1/collections/${outer}`, { defaultLevel: 'review' });
  expect([await may(reader), await may(guest)]).toEqual(['review', 404]);
  await grant(guest, { collection: outer }, 'edit');
  await grant(guest, { space: id }, 'read');
  await grant(reader, { collection: inner }, 'admin');
  expect([await may(reader), await may(guest)]).toEqual(['admin', 'edit']);
});

test('people who are not members do not see a space', async () => {
  const { otherOrg, space, as, user } = await service();
  const id = await space();
  const other = await otherOrg();

  for (const call of [other.call, as(await user()), as(await user({ role: null }))]) {
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['POST', '/restore'],
      ['POST', '/move'],
    ] as const) {
      expect((await call(method, `/v1/spaces/${id}${path}`)).status).toBe(404);
    }
  }
});
