import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

async function service() {
  const made = await testInstance();
  const team = async (title: string, members?: string[]) =>
    (await made.call('PUT', `${made.orgPath}/teams`, { title, members })).body.id as string;
  const titles = async (query = '', call = made.call) =>
    (await call('GET', `${made.orgPath}/teams${query}`)).body.items.map((item: any) => item.title);
  /** `<name>:<role>` of a team's members, in order. */
  const people = async (id: string) =>
    (await made.call('GET', `${made.orgPath}/teams/${id}/members`)).body.items.map(
      (item: any) => `${item.organization.user.displayName}:${item.team.role}`,
    );
  return { ...made, team, titles, people };
}

test('a new team is complete, and its members have the role member', async () => {
  const { call, orgPath, user, instance, people } = await service();
  const ada = await user({ role: 'read', name: 'Ada' });

  const made = await call('PUT', `${orgPath}/teams`, { title: 'Writers', members: [ada, ada] });

  expect(made.status).toBe(201);
  expect(made.headers.location).toBe(`${instance.base}${orgPath}/teams/${made.body.id}`);
  expect(made.body).toEqual({
    object: 'team',
    id: made.body.id,
    title: 'Writers',
    members: 1,
    spaces: 0,
    createdAt: '2026-03-01T08:00:00.000Z',
    permissions: { admin: true, view: true },
  });
  expect((await call('GET', `${orgPath}/teams/${made.body.id}`)).body).toEqual(made.body);
  expect(await people(made.body.id)).toEqual(['Ada:member']);
});

test('a team with people who are not members is refused, each is reported', async () => {
  const { call, orgPath, user, titles } = await service();
  const stranger = await user();

  const answer = await call('PUT', `${orgPath}/teams`, { title: 'Writers', members: [stranger, 'nobody'] });

  expect(answer.error.details).toMatchObject([
    { path: '/members/0', rule: 'reference' },
    { path: '/members/1', rule: 'reference' },
  ]);
  expect(await titles()).toEqual([]);
  expect((await call('PUT', `${orgPath}/teams`, {})).error.details).toMatchObject([
    { path: '/title', rule: 'required' },
  ]);
});

test('teams are listed by title, ignoring case beyond ASCII too, page by page', async () => {
  const { call, orgPath, team, titles } = await service();
  for (const title of ['beta', 'Ägypten', 'Alpha', 'ärzte', 'Beta']) await team(title);

  const all = await titles();
  expect(all.slice(0, 1)).toEqual(['Alpha']);
  expect(all.slice(1, 3).toSorted()).toEqual(['Beta', 'beta']);
  expect(all.slice(3)).toEqual(['Ägypten', 'ärzte']);
  const seen: string[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/teams?limit=1${page}`);
    expect(body.count).toBe(5);
    seen.push(...body.items.map((item: any) => item.title));
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen).toEqual(all);
});

test('filters: part of the title with its wildcards as text, and who owns the team', async () => {
  const { call, orgPath, team, titles, user } = await service();
  const ada = await user({ role: 'read' });
  const writers = await team('Writers 100%');
  await team('Readers', [ada]);
  await call('PUT', `${orgPath}/teams/${writers}/members/${ada}`, { role: 'owner' });

  expect(await titles('?title=RITER')).toEqual(['Writers 100%']);
  expect(await titles('?title=0%25')).toEqual(['Writers 100%']);
  expect(await titles('?title=_riters')).toEqual([]);
  expect(await titles(`?owner=${ada}`)).toEqual(['Writers 100%']);
  expect(await titles('?owner=nobody')).toEqual([]);
  expect((await call('GET', `${orgPath}/teams?owner=${ada}&title=read`)).body.count).toBe(0);
});

test('a team is renamed by its owner and by administrators, deleted by administrators only', async () => {
  const { call, orgPath, team, user, as } = await service();
  const owner = await user({ role: null });
  const reader = await user({ role: 'read' });
  const id = await team('Writers');
  await call('PUT', `${orgPath}/teams/${id}/members/${owner}`, { role: 'owner' });
  const path = `${orgPath}/teams/${id}`;

  expect((await as(owner)('PATCH', path, { title: 'Authors' })).body).toMatchObject({
    title: 'Authors',
    permissions: { admin: true, view: true },
  });
  expect((await as(reader)('PATCH', path, { title: 'Mine' })).status).toBe(403);
  expect((await as(reader)('GET', path)).body.permissions).toEqual({ admin: false, view: true });
  expect((await as(owner)('DELETE', path)).status).toBe(403);
  expect((await as(owner)('GET', orgPath)).body.permissions.ownTeam).toBe(true);
  expect((await call('PATCH', path, {})).error.details).toMatchObject([{ path: '/title', rule: 'required' }]);
  expect((await call('DELETE', path)).status).toBe(204);
  expect((await call('DELETE', path)).status).toBe(404);
  expect((await call('GET', `${orgPath}/members/${owner}`)).body.teams).toBe(0);
});

test('guests do not see teams that they do not own', async () => {
  const { orgPath, team, user, as } = await service();
  const guest = await user({ role: null });
  const id = await team('Writers', [guest]);

  expect((await as(guest)('GET', `${orgPath}/teams/${id}`)).status).toBe(404);
  expect((await as(guest)('PATCH', `${orgPath}/teams/${id}`, { title: 'x' })).status).toBe(404);
  expect((await as(guest)('GET', `${orgPath}/teams`)).status).toBe(403);
});

test('members are added, set and removed in this order, by ID or email address', async () => {
  const { call, orgPath, team, user, people } = await service();
  const ada = await user({ role: 'read', name: 'Ada', email: 'Ada@lumen.example' });
  const bob = await user({ role: 'read', name: 'bob' });
  const cleo = await user({ role: 'read', name: 'Cleo', email: 'cleo@lumen.example' });
  const id = await team('Writers', [ada]);
  const update = (body: unknown) => call('PUT', `${orgPath}/teams/${id}/members`, body);

  const first = await update({ add: ['ada@LUMEN.example', cleo], memberships: { [bob]: { role: 'owner' } } });
  expect([first.status, first.body]).toEqual([204, undefined]);
  expect(await people(id)).toEqual(['Ada:member', 'bob:owner', 'Cleo:member']);

  await update({
    add: [bob],
    memberships: { [ada]: { role: 'owner' } },
    remove: ['cleo@lumen.example', 'nobody@at.all', 'x'],
  });
  expect(await people(id)).toEqual(['Ada:owner', 'bob:owner']);

  await update({ add: [cleo, ada], memberships: { [bob]: { role: 'member' } }, remove: [bob, ada] });
  expect(await people(id)).toEqual(['Cleo:member']);
  expect((await update({})).status).toBe(204);
  expect((await call('GET', `${orgPath}/teams/${id}`)).body.members).toBe(1);
});

test('an update with somebody who is not a member changes nothing', async () => {
  const { call, orgPath, team, user, people } = await service();
  const ada = await user({ role: 'read', name: 'Ada' });
  const stranger = await user({ email: 'stranger@at.all' });
  const id = await team('Writers');

  const answer = await call('PUT', `${orgPath}/teams/${id}/members`, {
    add: [ada, 'stranger@at.all'],
    memberships: { [stranger]: { role: 'owner' } },
    remove: [stranger],
  });

  expect(answer.error.details?.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    '/add/1 reference',
    `/memberships/${stranger} reference`,
  ]);
  expect(await people(id)).toEqual([]);
  const wrong = await call('PUT', `${orgPath}/teams/${id}/members`, {
    memberships: { [ada]: { role: 'boss' } },
    add: 'x',
  });
  expect(wrong.error.details?.map(({ path, rule }) => `${path} ${rule}`)).toEqual([
    '/add type',
    `/memberships/${ada}/role enum`,
  ]);
});

test('one member can be set with a role, else the present one, else member; and removed', async () => {
  const { call, orgPath, team, user, people } = await service();
  const ada = await user({ role: 'read', name: 'Ada' });
  const id = await team('Writers');
  const path = `${orgPath}/teams/${id}/members/${ada}`;

  expect((await call('DELETE', path)).status).toBe(404);
  expect((await call('PUT', path)).status).toBe(204);
  expect(await people(id)).toEqual(['Ada:member']);
  await call('PUT', path, { role: 'owner' });
  await call('PUT', path, {});
  expect(await people(id)).toEqual(['Ada:owner']);
  expect((await call('PUT', path, { role: 'boss' })).error.details).toMatchObject([{ path: '/role', rule: 'enum' }]);
  expect((await call('DELETE', path)).status).toBe(204);
  expect(await people(id)).toEqual([]);
  for (const method of ['PUT', 'DELETE']) {
    expect((await call(method, `${orgPath}/teams/${id}/members/nobody`)).status).toBe(404);
    expect((await call(method, `${orgPath}/teams/nothing/members/${ada}`)).status).toBe(404);
  }
});

test('the members of a team are listed by name, each as a whole object', async () => {
  const { call, orgPath, team, user } = await service();
  const names = ['zoe', 'Ada', 'Émile', 'émile', 'bob'];
  const ids: string[] = [];
  for (const name of names) ids.push(await user({ role: 'read', name }));
  const id = await team('Writers', ids);

  const seen: any[] = [];
  for (let page = ''; ;) {
    const { body } = await call('GET', `${orgPath}/teams/${id}/members?limit=2${page}`);
    expect(body.count).toBe(5);
    seen.push(...body.items);
    if (!body.next) break;
    page = `&page=${body.next.page}`;
  }
  expect(seen.map((item) => item.organization.user.displayName.toLowerCase())).toEqual([
    'ada',
    'bob',
    'zoe',
    'émile',
    'émile',
  ]);
  expect(new Set(seen.map((item) => item.organization.id)).size).toBe(5);
  const [first] = seen;
  expect(first.organization).toEqual((await call('GET', `${orgPath}/members/${ids[1]}`)).body);
  expect(first.organization.teams).toBe(1);
});

test('a team of another organization is not found', async () => {
  const { call, otherOrg, orgPath, team } = await service();
  const id = await team('Writers');
  const other = await otherOrg();

  expect((await other.call('GET', `/v1/orgs/${other.org}/teams/${id}`)).status).toBe(404);
  expect((await other.call('DELETE', `/v1/orgs/${other.org}/teams/${id}`)).status).toBe(404);
  expect((await other.call('GET', `${orgPath}/teams/${id}`)).status).toBe(404);
  expect((await call('GET', `${orgPath}/teams/${id}`)).status).toBe(200);
});
