import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

const faults = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

async function service() {
  const made = await testInstance();
  const path = `${made.orgPath}/translations`;
  return { ...made, path, create: (body: object) => made.call('POST', path, body) };
}

test('new settings are complete, in English by default', async () => {
  const { create, call, path, instance } = await service();

  const made = await create({ title: 'Handbook' });

  const location = `${instance.base}${path}/${made.body.id}`;
  expect([made.status, made.headers.location]).toEqual([201, location]);
  expect(made.body).toEqual({
    object: 'translation-settings',
    id: made.body.id,
    title: 'Handbook',
    languages: ['en'],
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    permissions: { view: true, edit: true },
    urls: { location },
  });
  expect((await call('GET', `${path}/${made.body.id}`)).body).toEqual(made.body);
  expect((await create({ title: 'b', languages: ['de', 'en', 'sl'] })).body.languages).toEqual(['de', 'en', 'sl']);
});

test('languages are valid codes, at least one, each once', async () => {
  const { create } = await service();

  expect(faults(await create({ languages: ['en'] }))).toEqual(['/title required']);
  expect(faults(await create({ title: 'a', languages: [] }))).toEqual(['/languages minItems']);
  expect(faults(await create({ title: 'a', languages: ['en', 'xx'] }))).toEqual(['/languages/1 enum']);
  expect(faults(await create({ title: 'a', languages: ['en', 'de', 'en'] }))).toEqual(['/languages/2 unique']);
});

test('settings can be changed and deleted; languages that are not sent stay', async () => {
  const { create, call, path, clock } = await service();
  const made = (await create({ title: 'a', languages: ['de'] })).body;
  const settingsPath = `${path}/${made.id}`;
  clock.advance(1000);

  const renamed = await call('PUT', settingsPath, { title: 'b' });
  expect([renamed.status, renamed.body]).toEqual([200, { ...made, title: 'b', updatedAt: '2026-03-01T08:00:01.000Z' }]);
  expect((await call('PUT', settingsPath, { title: 'b', languages: ['fr'] })).body.languages).toEqual(['fr']);
  expect(faults(await call('PUT', settingsPath, { languages: ['fr'] }))).toEqual(['/title required']);
  expect((await call('DELETE', settingsPath)).status).toBe(205);
  for (const method of ['GET', 'DELETE']) expect((await call(method, settingsPath)).status).toBe(404);
  expect((await call('PUT', settingsPath, { title: 'c' })).status).toBe(404);
});

test('settings are listed newest first', async () => {
  const { create, call, path, clock } = await service();
  for (const title of ['a', 'b', 'c']) {
    await create({ title });
    clock.advance(1000);
  }
  const first = await call('GET', `${path}?limit=2`);
  const rest = await call('GET', `${path}?limit=2&page=${first.body.next.page}`);

  expect([first, rest].flatMap(({ body }) => body.items.map((item: any) => item.title))).toEqual(['c', 'b', 'a']);
  expect([first.body.count, rest.body.next]).toEqual([3, undefined]);
});

test('readers see settings, those who create content change them, guests do not see them', async () => {
  const { create, path, user, as, otherOrg } = await service();
  const { id } = (await create({ title: 'a' })).body;
  const reader = as(await user({ role: 'read' }));
  const creator = as(await user({ role: 'create' }));
  const guest = as(await user({ role: null }));
  const other = await otherOrg();

  expect((await reader('GET', `${path}/${id}`)).body.permissions).toEqual({ view: true, edit: false });
  for (const [method, requestPath] of [
    ['POST', path],
    ['PUT', `${path}/${id}`],
    ['DELETE', `${path}/${id}`],
  ] as const) {
    expect((await reader(method, requestPath, {})).status).toBe(403);
  }
  expect((await creator('PUT', `${path}/${id}`, { title: 'b' })).body.permissions.edit).toBe(true);
  expect((await guest('GET', path)).status).toBe(403);
  expect((await guest('GET', `${path}/${id}`)).status).toBe(404);
  expect((await other.call('GET', `/v1/orgs/${other.org}/translations/${id}`)).status).toBe(404);
});
