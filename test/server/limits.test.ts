import { expect, test } from 'vitest';
import { maxLimit } from '../../src/contract/endpoint.ts';
import { certificate } from '../support/certificate.ts';
import { type Call, testInstance } from '../support/instance.ts';

/** A text of so many characters; each of them takes two units of UTF-16. */
const wide = (length: number) => '📘'.repeat(length);
const plain = (length: number) => 'a'.repeat(length);
const list = (length: number) => Array.from({ length }, (_, index) => `${index}`);

interface Limit {
  method: string;
  path: string;
  /** JSON Pointer of what is limited. */
  pointer: string;
  body: (value: any) => object;
  value: (size: number) => unknown;
  min?: number;
  max: number;
}

/** The limits of lengths and counts in bodies. */
function limitsOf(paths: {
  org: string;
  space: string;
  collection: string;
  team: string;
  provider: string;
  field: string;
  translation: string;
}) {
  const { org } = paths;
  const text = (
    method: string,
    path: string,
    name: string,
    max: number,
    min = 0,
    rest: object = {},
    value: (size: number) => unknown = wide,
  ) => ({
    method,
    path,
    pointer: `/${name}`,
    body: (input: unknown) => ({ ...rest, [name]: input }),
    value,
    min,
    max,
  });
  const saml = { label: 'New' };
  const field = { name: 'new', type: 'text' };
  const select = { name: 'new', type: 'select:multi' };
  const address = (size: number) => `https://id.example/${plain(size - 19)}`;
  const padded = (size: number) => certificate.padEnd(size, '\n');
  const limits: Limit[] = [
    text('POST', `${org}/collections`, 'title', 50),
    text('PATCH', paths.collection, 'title', 50),
    text('PATCH', paths.collection, 'description', 100),
    text('POST', `${org}/spaces`, 'title', 50),
    text('POST', `${org}/spaces`, 'emoji', 50),
    text('PATCH', paths.space, 'title', 50),
    text('PATCH', paths.space, 'emoji', 50),
    text('POST', '/v1/orgs', 'title', 255, 2),
    text('PATCH', org, 'title', 255, 2),
    text('PATCH', org, 'hostname', 32, 3, {}, plain),
    text('PUT', `${org}/teams`, 'title', 64, 1),
    text('PATCH', paths.team, 'title', 64, 1),
    text('POST', `${org}/saml`, 'label', 30, 1),
    text('POST', `${org}/saml`, 'entityID', 1024, 0, saml),
    text('POST', `${org}/saml`, 'certificate', 10_000, 0, saml, padded),
    text('POST', `${org}/saml`, 'ssoURL', 2048, 0, saml, address),
    text('PATCH', paths.provider, 'label', 30, 1),
    text('PATCH', paths.provider, 'entityID', 1024),
    text('PATCH', paths.provider, 'certificate', 10_000, 0, {}, padded),
    text('PATCH', paths.provider, 'ssoURL', 2048, 0, {}, address),
    text('POST', `${org}/custom-fields`, 'name', 50, 1, { type: 'text' }, plain),
    text('POST', `${org}/custom-fields`, 'title', 100, 0, field),
    text('POST', `${org}/custom-fields`, 'description', 200, 0, field),
    text('POST', `${org}/custom-fields`, 'placeholder', 100, 0, field),
    text('PATCH', paths.field, 'title', 100),
    text('PATCH', paths.field, 'description', 200),
    text('PATCH', paths.field, 'placeholder', 100),
    text('POST', `${org}/translations`, 'title', 100, 1),
    text('PUT', paths.translation, 'title', 100, 1),
    text('POST', `${org}/custom-fields`, 'options', 50, 1, select, list),
    text('PATCH', paths.field, 'options', 50, 1, {}, list),
    { ...text('PATCH', paths.field, 'options', 40, 1), pointer: '/options/0', body: (value) => ({ options: [value] }) },
    text('POST', `${org}/invites`, 'emails', 100, 1, {}, (size) => list(size).map((name) => `${name}@x.example`)),
  ];
  return limits;
}

async function service() {
  const made = await testInstance();
  const { call, orgPath } = made;
  const id = async (method: string, path: string, body: object) => (await call(method, path, body)).body.id;
  await call('POST', `${orgPath}/custom-fields`, { name: 'field', type: 'select:multi', options: ['x'] });
  return {
    ...made,
    limits: limitsOf({
      org: orgPath,
      space: `/v1/spaces/${await id('POST', `${orgPath}/spaces`, {})}`,
      collection: `/v1/collections/${await id('POST', `${orgPath}/collections`, {})}`,
      team: `${orgPath}/teams/${await id('PUT', `${orgPath}/teams`, { title: 'Writers' })}`,
      provider: `${orgPath}/saml/${await id('POST', `${orgPath}/saml`, { label: 'ID' })}`,
      field: `${orgPath}/custom-fields/field`,
      translation: `${orgPath}/translations/${await id('POST', `${orgPath}/translations`, { title: 'Languages' })}`,
    }),
  };
}

/** The first fault of what a body of that size is told. */
async function outcomeOf(call: Call, { method, path, body, value }: Limit, size: number) {
  const { status, error } = await call(method, path, body(value(size)));
  if (status < 300) return 'accepted';
  const [fault] = error.details!;
  return `${status} ${fault!.path} ${fault!.rule}`;
}

test('at each limit a value is accepted, one beyond it is refused by name', async () => {
  const { call, limits } = await service();
  const actual: string[] = [];
  const expected: string[] = [];
  for (const limit of limits) {
    const { method, path, pointer, min = 0, max, value } = limit;
    const rule = Array.isArray(value(max)) ? 'Items' : 'Length';
    for (const size of min > 0 ? [min - 1, min, max, max + 1] : [max, max + 1]) {
      const name = `${method} ${path} ${pointer} ${size}`;
      actual.push(`${name}: ${await outcomeOf(call, limit, size)}`);
      // Names are unique, and the next one is the same.
      await call('DELETE', `${path}/new`);
      expected.push(
        `${name}: ${size > max ? `400 ${pointer} max${rule}` : size < min ? `400 ${pointer} min${rule}` : 'accepted'}`,
      );
    }
  }
  expect(actual).toEqual(expected);
});

test('a value of the maximum length is stored completely', async () => {
  const { call, limits } = await service();
  for (const limit of limits.filter(({ method }) => method === 'PATCH')) {
    const value = limit.value(limit.max);
    const { body } = await call('PATCH', limit.path, limit.body(value));
    const [, name, index] = limit.pointer.split('/');
    expect(index === undefined ? body[name!] : body[name!][Number(index)]).toEqual(value);
  }
});

test('values of custom fields have limits too', async () => {
  const { call, orgPath } = await service();
  const { id } = (await call('POST', `${orgPath}/spaces`)).body;
  for (const type of ['text', 'tags']) await call('POST', `${orgPath}/custom-fields`, { name: type, type });
  const set = async (name: string, value: unknown) => {
    const { status, error } = await call('PATCH', `/v1/spaces/${id}/custom-fields`, { values: { [name]: { value } } });
    return status < 300 ? 'accepted' : error.details!.map((fault) => `${fault.path} ${fault.rule}`).join();
  };

  expect([await set('text', wide(256)), await set('text', wide(257))]).toEqual([
    'accepted',
    '/values/text/value maxLength',
  ]);
  expect([await set('tags', list(50)), await set('tags', list(51))]).toEqual([
    'accepted',
    '/values/tags/value maxItems',
  ]);
  expect([await set('tags', [wide(256)]), await set('tags', ['a', wide(257)])]).toEqual([
    'accepted',
    '/values/tags/value/1 maxLength',
  ]);
});

test('the page size is at most 1000 on every list, and 50 by default', async () => {
  const { call, orgPath, admin, limits } = await service();
  const team = limits.find(({ path }) => path.includes('/teams/'))!.path;
  for (const path of [
    '/v1/orgs',
    ...['members', 'teams', 'link-invites', 'saml', 'custom-fields', 'translations', 'collections', 'spaces'].map(
      (name) => `${orgPath}/${name}`,
    ),
    `${orgPath}/members/${admin}/spaces`,
    `${orgPath}/members/${admin}/teams`,
    `${team}/members`,
  ]) {
    expect((await call('GET', `${path}?limit=${maxLimit}`)).status, path).toBe(200);
    const over = await call('GET', `${path}?limit=${maxLimit + 1}`);
    expect([path, over.error?.details?.[0]]).toMatchObject([path, { in: 'query', path: 'limit', rule: 'maximum' }]);
    const none = (await call('GET', `${path}?limit=0`)).body;
    expect([path, none.items, none.next]).toEqual([path, [], undefined]);
  }
  for (let index = 0; index < 51; index++) await call('PUT', `${orgPath}/teams`, { title: `Team ${index}` });
  expect((await call('GET', `${orgPath}/teams`)).body).toMatchObject({ count: 52, items: { length: 50 } });
});
