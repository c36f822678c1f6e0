import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

const paths = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

test('people invited by email are members at once: users, new users and members', async () => {
  const { call, orgPath, user } = await testInstance();
  const userId = await user({ email: 'Known@lumen.example' });
  const memberId = await user({ email: 'present@lumen.example', role: 'comment' });

  const { status, body } = await call('POST', `${orgPath}/invites`, {
    emails: ['known@LUMEN.example', 'New.Person@lumen.example', 'present@lumen.example', 'new.person@lumen.example'],
    role: 'edit',
  });

  expect(status).toBe(200);
  expect(body).toMatchObject({ invited: 2, failedSSOEmails: [] });
  expect(body.users).toEqual([userId, expect.any(String), memberId]);
  expect((await call('GET', `${orgPath}/members/${body.users[1]}`)).body).toMatchObject({
    role: 'edit',
    sso: false,
    joinedAt: '2026-03-01T08:00:00.000Z',
    user: { displayName: 'New.Person', email: 'New.Person@lumen.example' },
  });
  expect((await call('GET', `${orgPath}/members/${userId}`)).body.role).toBe('edit');
  expect((await call('GET', `${orgPath}/members/${memberId}`)).body.role).toBe('comment');
  expect((await call('GET', `${orgPath}/members`)).body.count).toBe(4);
});

test("the role is the address's own, else the request's, else the organization's, else guest", async () => {
  const { call, orgPath } = await testInstance();
  const roles = async (body: object) => {
    const { users } = (await call('POST', `${orgPath}/invites`, body)).body;
    return Promise.all(users.map(async (id: string) => (await call('GET', `${orgPath}/members/${id}`)).body.role));
  };

  expect(
    await roles({
      emails: ['a@x.example', { email: 'b@x.example', role: 'admin' }, { email: 'c@x.example', role: null }],
      role: 'read',
    }),
  ).toEqual(['read', 'admin', null]);
  expect(await roles({ emails: ['d@x.example'] })).toEqual([null]);
  await call('PATCH', orgPath, { defaultRole: 'comment' });
  expect(await roles({ emails: ['e@x.example'] })).toEqual(['comment']);
  expect(await roles({ emails: ['f@x.example'], role: null })).toEqual([null]);
});

test("SSO invites are for the organization's e-mail domains only", async () => {
  const { call, orgPath, user } = await testInstance();
  await call('PATCH', orgPath, { emailDomains: ['Lumen.example'] });
  await user({ email: 'member@other.example', role: 'read' });

  const { body } = await call('POST', `${orgPath}/invites`, {
    emails: [
      'in@LUMEN.example',
      'out@other.example',
      { email: 'sub@a.lumen.example', role: 'read' },
      'member@other.example',
    ],
    sso: true,
  });

  expect(body).toMatchObject({
    invited: 1,
    failedSSOEmails: ['out@other.example', 'sub@a.lumen.example', 'member@other.example'],
  });
  expect((await call('GET', `${orgPath}/members/${body.users[0]}`)).body.sso).toBe(true);
});

test('all invalid addresses are reported, and nobody is invited', async () => {
  const { call, orgPath } = await testInstance();

  const answer = await call('POST', `${orgPath}/invites`, {
    emails: [
      'fine@x.example',
      'no address',
      'two@@x.example',
      { email: 'a@b', role: 'read' },
      { email: 'a@x.example' },
      7,
    ],
    role: 'boss',
  });

  expect(paths(answer)).toEqual([
    '/emails/1 format',
    '/emails/2 format',
    '/emails/3/email format',
    '/emails/4/role required',
    '/emails/5 type',
    '/role enum',
  ]);
  expect(paths(await call('POST', `${orgPath}/invites`, {}))).toEqual(['/emails required']);
  expect((await call('GET', `${orgPath}/members`)).body.count).toBe(1);
});

async function links() {
  const service = await testInstance();
  const { call, orgPath } = service;
  const space = (await call('POST', `${orgPath}/spaces`, { title: 'Handbook' })).body.id as string;
  const collection = (await call('POST', `${orgPath}/collections`, { title: 'Guides' })).body.id as string;
  const link = async (body: object) => (await call('POST', `${orgPath}/link-invites`, body)).body.id as string;
  const linksPath = `${orgPath}/link-invites`;
  const join = (who: string, id: string) => service.as(who)('POST', `${orgPath}/invites/${id}`);
  return { ...service, space, collection, link, linksPath, joinBy: join };
}

test('link invites lead to the organization, a space or a collection', async () => {
  const { call, orgPath, linksPath, space, collection, instance } = await links();

  const toOrg = await call('POST', linksPath, { role: 'edit' });
  const toSpace = await call('POST', linksPath, { level: 'comment', space });
  const toCollection = await call('POST', linksPath, { level: null, collection });

  expect(toOrg.body).toEqual({ object: 'invite', id: toOrg.body.id, role: 'edit', redundant: true });
  expect(toOrg.headers.location).toBe(`${instance.base}${linksPath}/${toOrg.body.id}`);
  expect(toSpace.body).toEqual({
    object: 'invite',
    id: toSpace.body.id,
    level: 'comment',
    redundant: true,
    space: (await call('GET', `/v1/spaces/${space}`)).body,
  });
  expect(toCollection.body).toEqual({
    object: 'invite',
    id: toCollection.body.id,
    level: null,
    redundant: true,
    collection: (await call('GET', `/v1/collections/${collection}`)).body,
  });
  for (const { body } of [toOrg, toSpace, toCollection]) {
    expect((await call('GET', `${linksPath}/${body.id}`)).body).toEqual(body);
  }
  expect((await call('GET', `${orgPath}/link-invites/nothing`)).status).toBe(404);
});

test('a link must be to an object of the organization', async () => {
  const { call, linksPath, otherOrg, space } = await links();
  const other = await otherOrg();
  const foreign = (await other.call('POST', `/v1/orgs/${other.org}/spaces`)).body.id;

  const fault = async (body: object) => paths(await call('POST', linksPath, body));
  expect(await fault({ level: 'read', space: foreign })).toEqual(['/space reference']);
  expect(await fault({ level: 'read', collection: 'nothing' })).toEqual(['/collection reference']);
  expect(await fault({ level: 'boss', space })).toEqual(['/level enum']);
  expect(await fault({ space })).toEqual(['/level required']);
  expect(await fault({})).toEqual(['/role required']);
  await call('DELETE', `/v1/spaces/${space}`);
  expect(await fault({ level: 'read', space })).toEqual(['/space reference']);
});

test('links are listed newest first; one to a deleted space is hidden until it is restored', async () => {
  const { call, linksPath, link, space, clock, user, joinBy } = await links();
  const ids: string[] = [];
  for (const body of [{ role: 'read' }, { level: 'read', space }, { role: null }]) {
    ids.unshift(await link(body));
    clock.advance(1000);
  }
  const listed = async () => (await call('GET', linksPath)).body;

  expect((await listed()).items.map((item: any) => item.id)).toEqual(ids);
  const first = await call('GET', `${linksPath}?limit=2`);
  const rest = await call('GET', `${linksPath}?limit=2&page=${first.body.next.page}`);
  expect([first, rest].flatMap(({ body }) => body.items.map((item: any) => item.id))).toEqual(ids);
  await call('DELETE', `/v1/spaces/${space}`);
  expect(await listed()).toMatchObject({ count: 2, items: [{ id: ids[0] }, { id: ids[2] }] });
  expect((await call('GET', `${linksPath}/${ids[1]}`)).status).toBe(404);
  expect((await joinBy(await user(), ids[1]!)).status).toBe(404);
  await call('POST', `/v1/spaces/${space}/restore`);
  expect((await listed()).count).toBe(3);
});

test('the role or level of a link can be changed, and the link deleted', async () => {
  const { call, linksPath, link, space } = await links();
  const toOrg = await link({ role: 'read' });
  const toSpace = await link({ level: 'read', space });
  const edit = (id: string, body: object) => call('PATCH', `${linksPath}/${id}`, body);

  expect((await edit(toOrg, { role: null })).body.role).toBeNull();
  expect((await edit(toSpace, { level: 'admin' })).body.level).toBe('admin');
  expect((await edit(toSpace, {})).body.level).toBe('admin');
  expect(paths(await edit(toOrg, { level: 'read' }))).toEqual(['/level unexpected']);
  expect(paths(await edit(toSpace, { role: 'read' }))).toEqual(['/role unexpected']);
  expect(paths(await edit(toOrg, { role: 'boss' }))).toEqual(['/role enum']);
  expect((await call('DELETE', `${linksPath}/${toOrg}`)).status).toBe(205);
  expect((await call('DELETE', `${linksPath}/${toOrg}`)).status).toBe(404);
  expect((await edit(toOrg, { role: 'read' })).status).toBe(404);
});

test("joining gives the link's role, and only ever raises one", async () => {
  const { call, orgPath, user, link, joinBy } = await links();
  const newcomer = await user();
  const reviewer = await user({ role: 'review' });
  const guest = await user({ role: null });
  const id = await link({ role: 'edit' });
  const role = async (who: string) => (await call('GET', `${orgPath}/members/${who}`)).body.role;

  const joined = await joinBy(newcomer, id);
  expect([joined.status, joined.body]).toEqual([200, {}]);
  for (const who of [reviewer, guest]) await joinBy(who, id);

  expect(await Promise.all([newcomer, reviewer, guest].map(role))).toEqual(['edit', 'review', 'edit']);
  expect((await joinBy(newcomer, 'nothing')).status).toBe(404);
});

test('people who join with a content link are guests, who see only that content', async () => {
  const { call, as, user, link, space, collection, orgPath, joinBy } = await links();
  const newcomer = await user();
  const inside = (await call('POST', `${orgPath}/spaces`, { parent: collection })).body.id;
  const toCollection = await link({ level: 'comment', collection });

  await joinBy(newcomer, toCollection);

  expect((await call('GET', `${orgPath}/members/${newcomer}`)).body).toMatchObject({ role: null, spaces: 1 });
  expect((await as(newcomer)('GET', `/v1/spaces/${inside}`)).body.permissions).toMatchObject({
    comment: true,
    edit: false,
  });
  expect((await as(newcomer)('GET', `/v1/spaces/${space}`)).status).toBe(404);
  for (const level of ['read', 'edit', 'comment'] as const) {
    await joinBy(newcomer, await link({ level, space }));
  }
  expect((await as(newcomer)('GET', `/v1/spaces/${space}`)).body.permissions).toMatchObject({
    edit: true,
    review: false,
  });
  await call('DELETE', `${orgPath}/members/${newcomer}`);
  await joinBy(newcomer, await link({ level: null, space }));
  expect((await as(newcomer)('GET', `/v1/spaces/${space}`)).status).toBe(404);
});

test('with invite links turned off none can be created or used, whatever else is invalid', async () => {
  const { call, orgPath, linksPath, link, user, joinBy } = await links();
  const id = await link({ role: 'read' });
  await call('PATCH', orgPath, { inviteLinks: false });
  const newcomer = await user();

  for (const answer of [await call('POST', linksPath, { role: 'boss' }), await joinBy(newcomer, id)]) {
    expect([answer.status, answer.error.reason]).toEqual([403, 'invite-links-disabled']);
  }
  expect((await call('GET', linksPath)).body.count).toBe(1);
  expect((await call('PATCH', `${linksPath}/${id}`, { role: 'edit' })).status).toBe(200);
  expect((await call('POST', `${orgPath}/invites`, { emails: ['still@x.example'] })).body.invited).toBe(1);
});

test('only administrators manage invites', async () => {
  const { orgPath, linksPath, link, user, as, otherOrg, joinBy } = await links();
  const id = await link({ role: 'read' });
  const creator = as(await user({ role: 'create' }));

  for (const [method, path] of [
    ['POST', `${orgPath}/invites`],
    ['GET', linksPath],
    ['POST', linksPath],
    ['GET', `${linksPath}/${id}`],
    ['PATCH', `${linksPath}/${id}`],
    ['DELETE', `${linksPath}/${id}`],
  ] as const) {
    expect((await creator(method, path, method === 'GET' ? undefined : {})).status).toBe(403);
  }
  const other = await otherOrg();
  expect((await other.call('GET', `/v1/orgs/${other.org}/link-invites/${id}`)).status).toBe(404);
  expect((await other.call('POST', `/v1/orgs/${other.org}/invites/${id}`)).status).toBe(404);
  expect((await joinBy(await user({ role: 'read', disabled: true }), id)).error.reason).toBe('member-disabled');
});
