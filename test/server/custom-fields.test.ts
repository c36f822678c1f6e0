import { expect, test } from 'vitest';
import { testInstance } from '../support/instance.ts';

const faults = (answer: any) => answer.error.details.map(({ path, rule }: any) => `${path} ${rule}`);

async function service() {
  const made = await testInstance();
  const path = `${made.orgPath}/custom-fields`;
  const field = (body: object) => made.call('POST', path, body);
  return { ...made, path, field };
}

test('a new field is complete; members that were not sent are empty', async () => {
  const { field, call, path, instance } = await service();

  const made = await field({ name: 'audience_2-b', type: 'text' });

  const location = `${instance.base}${path}/audience_2-b`;
  expect([made.status, made.headers.location]).toEqual([201, location]);
  expect(made.body).toEqual({
    id: made.body.id,
    name: 'audience_2-b',
    title: '',
    description: '',
    type: 'text',
    placeholder: '',
    createdAt: '2026-03-01T08:00:00.000Z',
    updatedAt: '2026-03-01T08:00:00.000Z',
    urls: { location },
    permissions: { view: true, edit: true },
  });
  expect((await call('GET', `${path}/audience_2-b`)).body).toEqual(made.body);
});

test('select fields need options, other fields cannot have any', async () => {
  const { field } = await service();

  expect((await field({ name: 'a', type: 'select:single', options: ['x', 'y'] })).body.options).toEqual(['x', 'y']);
  expect(faults(await field({ name: 'b', type: 'select:multi' }))).toEqual(['/options required']);
  expect(faults(await field({ name: 'b', type: 'tags', options: ['x'] }))).toEqual(['/options unexpected']);
  expect(faults(await field({ name: 'B!', type: 'select:multi' }))).toEqual(['/name pattern', '/options required']);
  expect(faults(await field({ name: 'b', type: 'select:multi', options: [] }))).toEqual(['/options minItems']);
  expect(faults(await field({ name: 'b', type: 'select:multi', options: ['x', '', 'x'] }))).toEqual([
    '/options/1 minLength',
    '/options/2 unique',
  ]);
  expect(faults(await field({ name: 'b', type: 'date' }))).toEqual(['/type enum']);
  expect(faults(await field({}))).toEqual(['/name required', '/type required']);
});

test('names are unique in the organization', async () => {
  const { field, otherOrg } = await service();
  const other = await otherOrg();
  await field({ name: 'a', type: 'text' });

  const again = await field({ name: 'a', type: 'number' });

  expect([again.status, again.error.reason]).toEqual([409, 'already-exists']);
  expect((await other.call('POST', `/v1/orgs/${other.org}/custom-fields`, { name: 'a', type: 'text' })).status).toBe(
    201,
  );
});

test('fields are listed oldest first', async () => {
  const { field, call, path, clock } = await service();
  for (const name of ['b', 'c', 'a']) {
    await field({ name, type: 'text' });
    clock.advance(1000);
  }
  const first = await call('GET', `${path}?limit=2`);
  const rest = await call('GET', `${path}?limit=2&page=${first.body.next.page}`);

  expect([first, rest].flatMap(({ body }) => body.items.map((item: any) => item.name))).toEqual(['b', 'c', 'a']);
  expect([first.body.count, rest.body.next]).toEqual([3, undefined]);
});

test('edits keep members that are not sent; name and type stay', async () => {
  const { field, call, path, clock } = await service();
  const made = (await field({ name: 'a', type: 'text', title: 'A' })).body;
  clock.advance(1000);

  const edited = await call('PATCH', `${path}/a`, { description: 'What it is', name: 'z', type: 'number' });

  expect(edited.body).toEqual({ ...made, description: 'What it is', updatedAt: '2026-03-01T08:00:01.000Z' });
  clock.advance(1000);
  expect((await call('PATCH', `${path}/a`, {})).body).toEqual(edited.body);
  expect(faults(await call('PATCH', `${path}/a`, { options: ['x'] }))).toEqual(['/options unexpected']);
  expect(faults(await call('PATCH', `${path}/a`, { title: null }))).toEqual(['/title type']);
});

async function valued() {
  const made = await service();
  const id = (await made.call('POST', `${made.orgPath}/spaces`)).body.id as string;
  const options = ['red', 'blue', 'green'];
  for (const body of [
    { name: 'text', type: 'text' },
    { name: 'number', type: 'number' },
    { name: 'boolean', type: 'boolean' },
    { name: 'tags', type: 'tags' },
    { name: 'one', type: 'select:single', options },
    { name: 'many', type: 'select:multi', options },
  ]) {
    await made.field(body);
    made.clock.advance(1);
  }
  const valuesPath = `/v1/spaces/${id}/custom-fields`;
  const set = (values: Record<string, unknown>) =>
    made.call('PATCH', valuesPath, {
      values: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, { value }])),
    });
  const values = async (space = valuesPath) =>
    Object.fromEntries((await made.call('GET', space)).body.map((item: any) => [item.customField.name, item.value]));
  return { ...made, id, valuesPath, set, values };
}

test('a space shows every field, oldest first, with the values it has', async () => {
  const { call, valuesPath, path, set } = await valued();
  await set({ number: 7 });

  const { body } = await call('GET', valuesPath);

  expect(body.map((item: any) => item.customField.name)).toEqual(['text', 'number', 'boolean', 'tags', 'one', 'many']);
  expect(body[0]).toEqual({ customField: (await call('GET', `${path}/text`)).body });
  expect(body[1]).toEqual({ customField: (await call('GET', `${path}/number`)).body, value: 7 });
});

test('values are set one by one, and cleared with null', async () => {
  const { set, values, call, valuesPath } = await valued();

  const first = await set({ text: '', number: -1.5e300, boolean: false, tags: [], one: 'red', many: ['blue', 'red'] });
  expect([first.status, first.body]).toEqual([204, undefined]);
  expect(await values()).toEqual({
    text: '',
    number: -1.5e300,
    boolean: false,
    tags: [],
    one: 'red',
    many: ['blue', 'red'],
  });
  await set({ text: 'x', one: null, tags: null });
  expect(await values()).toEqual({
    text: 'x',
    number: -1.5e300,
    boolean: false,
    tags: undefined,
    one: undefined,
    many: ['blue', 'red'],
  });
  expect((await set({})).status).toBe(204);
  expect(faults(await call('PATCH', valuesPath, {}))).toEqual(['/values required']);
});

test('a value must be valid for its field; with one invalid value, nothing is set', async () => {
  const { set, values, call, valuesPath } = await valued();

  const answer = await set({
    text: 1,
    number: '1',
    boolean: 'true',
    tags: ['a', 'b', 'a'],
    one: 'black',
    many: ['red', 'black'],
    unknown: 'x',
  });

  expect(faults(answer)).toEqual([
    '/values/text/value type',
    '/values/number/value type',
    '/values/boolean/value type',
    '/values/tags/value/2 unique',
    '/values/one/value enum',
    '/values/many/value/1 enum',
    '/values/unknown reference',
  ]);
  expect(faults(await set({ text: 'fine', one: ['red'], many: 'red', tags: 'a' }))).toEqual([
    '/values/one/value type',
    '/values/many/value type',
    '/values/tags/value type',
  ]);
  expect(faults(await set({ many: ['red', 'red'] }))).toEqual(['/values/many/value/1 unique']);
  expect(faults(await call('PATCH', valuesPath, '{"values":{"number":{"value":1e999}}}'))).toEqual([
    '/values/number/value type',
  ]);
  expect(faults(await call('PATCH', valuesPath, { values: { text: {}, number: { value: { a: 1 } } } }))).toEqual([
    '/values/text/value required',
    '/values/number/value type',
  ]);
  expect(Object.values(await values()).filter((value) => value !== undefined)).toEqual([]);
});

test('an option that a field loses is removed from the values of all spaces', async () => {
  const { set, values, call, path } = await valued();
  await set({ one: 'red', many: ['blue', 'red', 'green'] });

  await call('PATCH', `${path}/one`, { options: ['blue'] });
  await call('PATCH', `${path}/many`, { options: ['green', 'new', 'blue'] });

  expect(await values()).toMatchObject({ one: undefined, many: ['blue', 'green'] });
});

test('deleting a field deletes its values', async () => {
  const { set, values, call, path, field } = await valued();
  await set({ text: 'x' });

  expect((await call('DELETE', `${path}/text`)).status).toBe(204);

  for (const method of ['GET', 'PATCH', 'DELETE']) expect((await call(method, `${path}/text`)).status).toBe(404);
  await field({ name: 'text', type: 'text' });
  expect((await values()).text).toBeUndefined();
});

test('a duplicate has the values of its original', async () => {
  const { set, values, call, id } = await valued();
  await set({ many: ['red'] });

  const copy = (await call('POST', `/v1/spaces/${id}/duplicate`)).body.id;

  expect((await values(`/v1/spaces/${copy}/custom-fields`)).many).toEqual(['red']);
});

test('readers see fields, administrators change them, editors change values', async () => {
  const { path, valuesPath, user, as, field, otherOrg } = await valued();
  const reader = as(await user({ role: 'read' }));
  const editor = as(await user({ role: 'edit' }));
  const guest = as(await user({ role: null }));
  const other = await otherOrg();
  await field({ name: 'a', type: 'text' });

  expect((await reader('GET', `${path}/a`)).body.permissions).toEqual({ view: true, edit: false });
  expect((await editor('PATCH', `${path}/a`, {})).status).toBe(403);
  expect((await editor('POST', path, {})).status).toBe(403);
  expect((await editor('DELETE', `${path}/a`)).status).toBe(403);
  expect((await reader('GET', valuesPath)).status).toBe(200);
  expect((await reader('PATCH', valuesPath, {})).status).toBe(403);
  expect((await editor('PATCH', valuesPath, { values: { a: { value: 'x' } } })).status).toBe(204);
  expect((await guest('GET', path)).status).toBe(403);
  expect((await guest('GET', `${path}/a`)).status).toBe(404);
  expect((await guest('GET', valuesPath)).status).toBe(404);
  expect((await other.call('GET', `/v1/orgs/${other.org}/custom-fields/a`)).status).toBe(404);
});
