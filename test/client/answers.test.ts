import { expect, expectTypeOf, test } from 'vitest';
import { expectField } from '../../src/client/stream/answer.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { errorOf, scripted, things } from './support.ts';
import type { HttpError } from '../../src/client/errors/http-error.ts';
import type { UnexpectedResponse } from '../../src/client/errors/unexpected-response.ts';

const get = { params: { thing: '1' } };
const failing = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  errorOf<HttpError>(scripted([{ status, body, headers }], { retries: 0 }).client.call(things.get, get));

test('members that the contract does not know pass through', async () => {
  const { client } = scripted([{ body: { id: '1', later: { deep: [1, null] }, __proto__x: 1 } }]);
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1', later: { deep: [1, null] }, __proto__x: 1 });
});

test('an endpoint without an answer gives undefined', async () => {
  const { client } = scripted([{ status: 205 }]);
  await expect(client.call(things.remove, get)).resolves.toBeUndefined();
});

test("the service's error keeps status, reason, message, faults and request id", async () => {
  const details = [{ in: 'body', path: '/title', rule: 'maxLength', message: 'must be at most 50 characters' }];
  const error = {
    code: 400,
    message: 'The request body has 1 fault.',
    reason: 'validation',
    details,
    requestId: 'q8Zt',
  };
  await expect(failing(400, { error })).resolves.toMatchObject({
    name: 'HttpError',
    status: 400,
    message: 'The request body has 1 fault.',
    reason: 'validation',
    details,
    requestId: 'q8Zt',
    body: { error },
  });
});

test('the request id comes from the header where the body has none', async () => {
  await expect(
    failing(404, { error: { code: 404, message: 'Gone.' } }, { 'x-request-id': 'h1' }),
  ).resolves.toMatchObject({
    requestId: 'h1',
  });
});

test.for([
  ['an HTML page', '<!doctype html><html><title>Oops</title><p>nginx</html>', 'text/html'],
  ['nothing', '', undefined],
  ['broken JSON', '{"error":', 'application/json'],
  ['JSON of another shape', '[1]', 'application/json'],
  ['an error without a message', '{"error":{"code":502}}', 'application/json'],
  ['an error of wrong types', '{"error":{"message":{"a":1},"details":"x","reason":7}}', 'application/json'],
  ['a long text', 'x'.repeat(500), 'text/plain'],
])('an error with %s is reported by its status', async ([, body, type]) => {
  const error = await failing(502, body, type === undefined ? {} : { 'content-type': type });
  expect(error.message).toBe('The service answered 502 Bad Gateway.');
  expect(error.reason).toBeUndefined();
  expect(error.details).toBeUndefined();
});

test.for([
  ['{"error":"slow down"}', 'application/json', 'slow down'],
  ['{"message":"no upstream"}', 'application/json', 'no upstream'],
  ['upstream connect error\n', 'text/plain; charset=utf-8', 'upstream connect error'],
])('what a gateway says in %s is the message', async ([body, type, message]) => {
  await expect(failing(502, body, { 'content-type': type! })).resolves.toMatchObject({ message });
});

test('an unknown status is reported by its number', async () => {
  await expect(failing(599, '')).resolves.toMatchObject({ message: 'The service answered 599.' });
});

test.for([
  ['<!DOCTYPE html><html></html>', 'a web page instead of JSON'],
  ['', 'nothing instead of JSON'],
  ['{"id":', 'something else instead of JSON'],
  ['"text"', 'JSON that is not an object'],
  ['null', 'JSON that is not an object'],
])('the answer %j is of an unknown shape', async ([body, words]) => {
  const error = await errorOf<UnexpectedResponse>(scripted([{ body }]).client.call(things.get, get));
  expect(error).toMatchObject({ name: 'UnexpectedResponse', endpoint: 'GET /v1/things/{thing}' });
  expect(error.message).toBe(`GET /v1/things/{thing} answered with ${words}.`);
});

test('a member that a command needs is given, and an error with its name if it is not there', async () => {
  const { client } = scripted([{ body: { id: '1', urls: { app: 'https://app' }, none: null, off: false } }]);
  const answer = await client.call(things.get, get);
  expect(expectField(answer, 'urls.app')).toBe('https://app');
  expect(expectField(answer, 'none')).toBeNull();
  expect(expectField(answer, 'off')).toBe(false);
  for (const path of ['urls.published', 'id.length', 'none.x', 'toString', 'urls.app.x']) {
    expect(() => expectField(answer, path)).toThrow(`GET /v1/things/{thing} answered without ${path}.`);
  }
  expect(() => expectField({}, 'a.b')).toThrow('The service answered without a.b.');
});

test('types follow the contract', async () => {
  const { client } = scripted([{ body: { id: '1', items: [] } }]);
  const answer = await client.call(things.get, get);
  expectTypeOf(answer.id).toEqualTypeOf<string>();
  expectTypeOf(expectField(answer, 'id')).toEqualTypeOf<string>();
  expectTypeOf(client.call(things.remove, get)).resolves.toEqualTypeOf<undefined>();
  expectTypeOf(client.call(things.get as Endpoint, get)).resolves.toEqualTypeOf<unknown>();
  for await (const item of client.items(things.list, {})) expectTypeOf(item).toEqualTypeOf<{ id: string }>();
  // @ts-expect-error the path names a parameter
  await errorOf(client.call(things.get, {}));
  // @ts-expect-error the body has a title
  await client.call(things.create, { body: { name: 'x' } });
  // @ts-expect-error the endpoint has no such query parameter
  await client.call(things.get, { ...get, query: { shallow: true } });
});

test('a raw request within the process takes the same paths', async () => {
  const { client, requests } = scripted([{ body: {} }]);
  await client.request('GET', 'v1/user?a=ü#x');
  expect(requests[0]!.path).toBe('/v1/user?a=%C3%BC');
  await expect(client.request('GET', 'https://elsewhere.example/v1/user')).rejects.toThrow('is not below scripted:');
});
