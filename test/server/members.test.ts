import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

test('the last administrator can be neither demoted nor removed', async () => {
  const { call, orgPath, admin, user } = await testInstance();

  const demoted = await call('PATCH', `${orgPath}/members/${admin}`, { role: 'read' });
  const removed = await call('DELETE', `${orgPath}/members/${admin}`);

  expect([demoted.status, demoted.error.reason]).toEqual([409, 'last-admin']);
  expect(removed.error.reason).toBe('last-admin');
  await user({ role: 'admin' });
  expect((await call('PATCH', `${orgPath}/members/${admin}`, { role: 'read' })).body.role).toBe('read');
});

test('members sorted by last seen leave out disabled ones and those never seen', async () => {
  const { call, orgPath, admin, user, as } = await testInstance();
  const seen = await user({ role: 'read' });
  await user({ role: 'read' });
  await as(seen)('POST', `${orgPath}/ping`);

  const list = await call('GET', `${orgPath}/members?sort=lastSeenAt&order=asc`);

  expect(list.body.items.map((member: any) => member.id).toSorted()).toEqual([admin, seen].toSorted());
  expect(list.body.count).toBe(2);
  expect((await call('GET', `${orgPath}/members`)).body.count).toBe(3);
});

test('search finds names and addresses by any part, also shorter than a trigram, and treats operators as text', async () => {
  const { call, orgPath, user } = await testInstance();
  const ada = await user({ role: 'edit', name: 'Ada "Countess" Lovelace', email: 'ada@lumen.example' });

  const find = async (text: string) =>
    (await call('GET', `${orgPath}/members?search=${encodeURIComponent(text)}`)).body.items.map(
      (member: any) => member.id,
    );

  expect(await find('lovel')).toEqual([ada]);
  expect(await find('DA@LUM')).toEqual([ada]);
  expect(await find('ov')).toEqual([ada]);
  expect(await find('"Countess"')).toEqual([ada]);
  expect(await find('lovel* OR admin')).toEqual([]);
});

test('paging gives every member once, also when others join or leave', async () => {
  const { call, orgPath, user, clock } = await testInstance();
  const people: string[] = [];
  for (let i = 0; i < 9; i++) {
    clock.advance(1000);
    people.push(await user({ role: 'read' }));
  }
  const seen: string[] = [];
  let page = '';
  for (let turn = 0; ; turn++) {
    const { body } = await call('GET', `${orgPath}/members?limit=2&order=asc${page}`);
    seen.push(...body.items.map((member: any) => member.id));
    if (turn === 1) {
      await call('DELETE', `${orgPath}/members/${people[0]}`);
      await call('DELETE', `${orgPath}/members/${people[8]}`);
    }
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(new Set(seen).size).toBe(seen.length);
  for (const person of people.slice(1, 8)) expect(seen).toContain(person);
  expect(seen).not.toContain(people[8]);
});

test('a page token works only for its own list', async () => {
  const { call, orgPath, user } = await testInstance();
  await user({ role: 'read' });
  const { body } = await call('GET', `${orgPath}/members?limit=1`);

  const other = await call('GET', `${orgPath}/members?limit=1&order=asc&page=${body.next.page}`);

  expect([other.status, other.error.reason]).toEqual([400, 'bad-page-token']);
  expect((await call('GET', `${orgPath}/members?page=nonsense`)).error.reason).toBe('bad-page-token');
});

const faults = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

test('a member is complete, counts included', async () => {
  const { call, orgPath, user, instance, clock, as } = await testInstance();
  const ada = await user({ role: 'edit', name: 'Ada', email: 'ada@lumen.example' });
  await call('POST', `${orgPath}/spaces`);
  await call('PUT', `${orgPath}/teams`, { title: 'Writers', members: [ada] });
  const expected = {
    object: 'member',
    id: ada,
    role: 'edit',
    user: {
      object: 'user',
      id: ada,
      displayName: 'Ada',
      email: 'ada@lumen.example',
      urls: { location: `${instance.base}/v1/users/${ada}` },
    },
    disabled: false,
    joinedAt: '2026-03-01T08:00:00.000Z',
    sso: false,
    spaces: 1,
    teams: 1,
  };

  expect((await call('GET', `${orgPath}/members/${ada}`)).body).toEqual(expected);
  clock.advance(1000);
  expect((await as(ada)('POST', `${orgPath}/ping`)).body).toEqual({});
  const { items } = (await call('GET', `${orgPath}/members?role=edit`)).body;
  expect(items).toEqual([{ ...expected, lastSeenAt: '2026-03-01T08:00:01.000Z' }]);
});

test('the role filter accepts each role, and guest; count, order and sort work with it', async () => {
  const { call, orgPath, user, clock } = await testInstance();
  const ids: Record<string, string> = {};
  for (const role of ['create', 'review', 'edit', 'comment', 'read', null] as const) {
    clock.advance(1000);
    ids[role ?? 'guest'] = await user({ role });
  }
  for (const [role, id] of Object.entries(ids)) {
    const { body } = await call('GET', `${orgPath}/members?role=${role}`);
    expect([body.count, body.items.map((item: any) => item.id)]).toEqual([1, [id]]);
  }
  expect((await call('GET', `${orgPath}/members?role=null`)).error.details).toMatchObject([
    { path: 'role', rule: 'enum' },
  ]);
  expect((await call('GET', `${orgPath}/members?sort=name&order=up`)).error.details).toMatchObject([
    { path: 'order' },
    { path: 'sort' },
  ]);
  const joined = (await call('GET', `${orgPath}/members`)).body.items.map((item: any) => item.joinedAt);
  expect(joined).toEqual(joined.toSorted().toReversed());
  const first = (await call('GET', `${orgPath}/members?order=asc`)).body.items.map((item: any) => item.joinedAt);
  expect(first).toEqual(first.toSorted());
});

test('a role can be changed, to guest too; an empty change changes nothing', async () => {
  const { call, orgPath, user } = await testInstance();
  const path = `${orgPath}/members/${await user({ role: 'read' })}`;

  expect((await call('PATCH', path, { role: 'create' })).body.role).toBe('create');
  expect((await call('PATCH', path, {})).body.role).toBe('create');
  expect((await call('PATCH', path, { role: null })).body.role).toBeNull();
  expect(faults(await call('PATCH', path, { role: 'guest' }))).toEqual(['/role enum']);
  expect((await call('PATCH', `${orgPath}/members/nobody`, { role: 'read' })).status).toBe(404);
});

test('a removed member loses teams and grants, also after joining again', async () => {
  const { call, orgPath, user, join, grant, org, as } = await testInstance();
  const ada = await user({ role: 'read' });
  const space = (await call('POST', `${orgPath}/spaces`)).body.id;
  const team = (await call('PUT', `${orgPath}/teams`, { title: 'Writers', members: [ada] })).body.id;
  await grant(ada, { space }, 'admin');

  const answer = await call('DELETE', `${orgPath}/members/${ada}`);

  expect([answer.status, answer.body]).toEqual([204, undefined]);
  expect((await call('DELETE', `${orgPath}/members/${ada}`)).status).toBe(404);
  expect((await as(ada)('GET', orgPath)).status).toBe(404);
  expect((await call('GET', `${orgPath}/teams/${team}`)).body.members).toBe(0);
  await join(org, ada, null);
  expect((await as(ada)('GET', `/v1/spaces/${space}`)).status).toBe(404);
});

test('a member is marked as signing in through SSO', async () => {
  const { call, orgPath, user } = await testInstance();
  const ada = await user({ role: 'read' });

  expect((await call('POST', `${orgPath}/members/${ada}/sso`)).body.sso).toBe(true);
  expect((await call('GET', `${orgPath}/members/${ada}`)).body.sso).toBe(true);
  expect((await call('POST', `${orgPath}/members/nobody/sso`)).status).toBe(404);
});

test("a member's spaces come with the level on each, by age, as many as are counted", async () => {
  const { call, orgPath, user, grant, clock } = await testInstance();
  const make = async (kind: string, body: object) => {
    clock.advance(1000);
    return (await call('POST', `${orgPath}/${kind}`, body)).body.id;
  };
  const guides = await make('collections', { title: 'Guides' });
  const inner = await make('spaces', { title: 'Inner', parent: guides });
  const outer = await make('spaces', { title: 'Outer' });
  await make('spaces', { title: 'Other' });
  const gone = await make('spaces', { title: 'Gone', parent: guides });
  await call('DELETE', `/v1/spaces/${gone}`);
  const guest = await user({ role: null });
  const editor = await user({ role: 'edit' });
  await grant(guest, { collection: guides }, 'comment');
  await grant(guest, { space: outer }, 'review');
  await grant(editor, { space: inner }, 'admin');
  const levels = async (who: string, query = '') =>
    (await call('GET', `${orgPath}/members/${who}/spaces${query}`)).body.items.map(
      (item: any) => `${item.space.title} ${item.permission}`,
    );

  expect(await levels(guest)).toEqual(['Outer review', 'Inner comment']);
  expect(await levels(editor, '?order=asc')).toEqual(['Inner admin', 'Outer edit', 'Other edit']);
  for (const who of [guest, editor]) {
    const { count } = (await call('GET', `${orgPath}/members/${who}/spaces?limit=0`)).body;
    expect((await call('GET', `${orgPath}/members/${who}`)).body.spaces).toBe(count);
  }
  const pages: string[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/members/${editor}/spaces?limit=1${page}`);
    pages.push(body.items[0].space.title);
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(pages).toEqual(['Other', 'Outer', 'Inner']);
  expect((await call('GET', `${orgPath}/members/nobody/spaces`)).status).toBe(404);
});

test('spaces made at the same moment are all listed, page by page, in both orders', async () => {
  const { call, orgPath, admin } = await testInstance();
  for (let i = 0; i < 5; i++) await call('POST', `${orgPath}/spaces`);
  for (const order of ['asc', 'desc']) {
    const seen = new Set();
    for (let page = ''; ;) {
      const { body } = await call('GET', `${orgPath}/members/${admin}/spaces?order=${order}&limit=2${page}`);
      for (const item of body.items) seen.add(item.space.id);
      if (!body.next) break;
      page = `&page=${body.next.page}`;
    }
    expect(seen.size).toBe(5);
  }
});

test("a member's teams come by title with the role in each", async () => {
  const { call, orgPath, user } = await testInstance();
  const ada = await user({ role: 'read' });
  const ids: string[] = [];
  for (const title of ['writers', 'Ärzte', 'Authors']) {
    ids.push((await call('PUT', `${orgPath}/teams`, { title, members: [ada] })).body.id);
  }
  await call('PUT', `${orgPath}/teams/${ids[0]}/members/${ada}`, { role: 'owner' });
  const teams = async (query = '') =>
    (await call('GET', `${orgPath}/members/${ada}/teams${query}`)).body.items.map(
      (item: any) => `${item.team.title} ${item.member.role}`,
    );

  expect(await teams()).toEqual(['Authors member', 'writers owner', 'Ärzte member']);
  expect(await teams('?title=ÄRZ')).toEqual(['Ärzte member']);
  const { body } = await call('GET', `${orgPath}/members/${ada}/teams?limit=1`);
  expect(body).toMatchObject({ count: 3, items: [{ team: { members: 1, permissions: { admin: true, view: true } } }] });
  expect(
    (await call('GET', `${orgPath}/members/${ada}/teams?limit=1&page=${body.next.page}`)).body.items[0].team.title,
  ).toBe('writers');
});

test('people with a role see members, administrators manage them', async () => {
  const { orgPath, user, as, otherOrg } = await testInstance();
  const ada = await user({ role: 'read' });
  const guest = as(await user({ role: null }));
  const creator = as(await user({ role: 'create' }));
  const disabled = as(await user({ role: 'admin', disabled: true }));
  const other = await otherOrg();

  expect((await as(ada)('GET', `${orgPath}/members`)).status).toBe(200);
  expect((await guest('GET', `${orgPath}/members`)).status).toBe(403);
  for (const [method, path] of [
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/sso'],
  ] as const) {
    expect((await creator(method, `${orgPath}/members/${ada}${path}`)).status).toBe(403);
    expect((await other.call(method, `${orgPath}/members/${ada}${path}`)).status).toBe(404);
    expect((await other.call(method, `/v1/orgs/${other.org}/members/${ada}${path}`)).status).toBe(404);
  }
  const answer = await disabled('GET', `${orgPath}/members`);
  expect([answer.status, answer.error.reason]).toEqual([403, 'member-disabled']);
});

test('grants are listed by member and place, without those on deleted spaces', async () => {
  const { call, orgPath, user, as } = await testInstance();
  const [one, other] = [await user({ role: 'read' }), await user({ role: null })].toSorted();
  const collection = (await call('POST', `${orgPath}/collections`, { title: 'All' })).body.id;
  const kept = (await call('POST', `${orgPath}/spaces`, { title: 'Kept' })).body.id;
  const deleted = (await call('POST', `${orgPath}/spaces`, { title: 'Deleted' })).body.id;
  for (const place of [{ collection }, { space: kept }, { space: deleted }]) {
    const link = (await call('POST', `${orgPath}/link-invites`, { level: 'edit', ...place })).body.id;
    for (const member of [one, other]) await as(member!)('POST', `${orgPath}/invites/${link}`, {});
  }
  await call('DELETE', `/v1/spaces/${deleted}`);

  const pages: any[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/grants?limit=1${page}`);
    expect(body.count).toBe(4);
    pages.push(...body.items);
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }

  const places = [{ collection }, { space: kept }].toSorted((a, b) =>
    Object.values(a)[0]! < Object.values(b)[0]! ? -1 : 1,
  );
  expect(pages).toEqual(
    [one, other].flatMap((member) => places.map((place) => ({ object: 'grant', member, level: 'edit', ...place }))),
  );
});
