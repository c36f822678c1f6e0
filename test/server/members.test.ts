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

test('search finds names and addresses by any part, shorter than a trigram too, and takes operators as text', async () => {
  const { call, orgPath, user } = await testInstance();
  const ada = await user({ role: 'edit', name: 'Ada "Countess" Lovelace', email: 'ada@lumen.example' });

  const find = async (text: string) =>
    (await call('GET', `${orgPath}/members?search=${encodeURIComponent(text)}`)).body.items.map((member: any) => member.id);

  expect(await find('lovel')).toEqual([ada]);
  expect(await find('DA@LUM')).toEqual([ada]);
  expect(await find('ov')).toEqual([ada]);
  expect(await find('"Countess"')).toEqual([ada]);
  expect(await find('lovel* OR admin')).toEqual([]);
});

test('a walk over pages gives every member once, whatever joins or leaves meanwhile', async () => {
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

test('a page token is good for its own list only', async () => {
  const { call, orgPath, user } = await testInstance();
  await user({ role: 'read' });
  const { body } = await call('GET', `${orgPath}/members?limit=1`);

  const other = await call('GET', `${orgPath}/members?limit=1&order=asc&page=${body.next.page}`);

  expect([other.status, other.error.reason]).toEqual([400, 'bad-page-token']);
  expect((await call('GET', `${orgPath}/members?page=nonsense`)).error.reason).toBe('bad-page-token');
});
