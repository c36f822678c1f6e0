import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { NetworkError } from '../../src/client/errors/network-error.ts';
import type { Exchange } from '../../src/client/exchange.ts';
import { createRedactor } from '../../src/client/secrets.ts';
import { errorOf, httpClient, json, scripted, serve, things } from './support.ts';

const token = 'tok+en/with"odd=chars';
const unicode = (text: string) => [...text].map((char) => `\\u00${char.charCodeAt(0).toString(16)}`).join('');
const spellings = [
  token,
  encodeURIComponent(token),
  encodeURIComponent(token).toLowerCase(),
  encodeURIComponent(encodeURIComponent(token)),
  [...token].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
  'tok+en/with\\"odd=chars',
  // As PHP writes JSON, as .NET does, and JSON within JSON.
  'tok+en\\/with\\"odd=chars',
  'tok\\u002Ben/with\\u0022odd=chars',
  'tok+en\\\\\\/with\\\\\\"odd=chars',
  unicode(token),
  // As web pages write it.
  'tok&#43;en&#x2F;with&quot;odd=chars',
  'tok+en/with&amp;quot;odd=chars',
];
const get = { params: { thing: '1' } };

test.for(spellings)('the token is hidden where it is spelled %s', (spelling) => {
  const { text, bytes: redactBytes } = createRedactor([token]);
  expect(text(`a ${spelling} b ${spelling}`)).toBe('a [hidden] b [hidden]');
  const bytes = Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from(spelling), Buffer.from('ü')]);
  expect(redactBytes(bytes)).toEqual(
    Buffer.concat([Buffer.from([0xff, 0x00]), Buffer.from('[hidden]'), Buffer.from('ü')]),
  );
});

test.for(
  ['', 'a', 'Be', 'Bearer ', 'user:', 'Bearer xyz'].flatMap((before) =>
    ['', 'z', 'zz', '","b":1'].map((after) => [before, after] as const),
  ),
)('the token is hidden in the Base64 of %j, itself and %j', ([before, after]) => {
  const { text, bytes: redactBytes } = createRedactor([token]);
  const plain = Buffer.from(before + token + after);
  for (const encoded of [
    plain.toString('base64'),
    plain.toString('base64url'),
    encodeURIComponent(plain.toString('base64')),
  ]) {
    const seen = text(`x-echo: ${encoded}`);
    // Characters at both ends hold bits of what stands beside the token too.
    const rest = seen.replace('x-echo: ', '').split('[hidden]');
    expect(rest).toHaveLength(2);
    expect(Buffer.from(rest.join(''), 'base64').toString('latin1')).not.toMatch(/ok\+|en|with|odd|chars/);
    expect(redactBytes(Buffer.from(`x-echo: ${encoded}`)).toString()).toBe(seen);
  }
});

test('text that only looks like a token is not hidden', () => {
  const { text } = createRedactor([token]);
  const others = 'tok+en/with"odd=char tok%2en %2B%2F \\u002B &quot; dG9rK2Vu aGVsbG8gd29ybGQ=';
  expect(text(others)).toBe(others);
});

test('a long run of backslashes is searched at once', () => {
  const { text } = createRedactor(['\\'.repeat(60)]);
  const short = '\\'.repeat(59);
  expect(text(`${short}x`.repeat(2000))).toBe(`${short}x`.repeat(2000));
  expect(text('\\'.repeat(120))).toBe('[hidden]');
});

test('a token too short to be told from other text is hidden in its header only', async () => {
  const exchanges: Exchange[] = [];
  const { client } = scripted([{ status: 401, body: { error: { message: 'There is no member a.' } } }], {
    token: 'a',
    onExchange: (exchange) => exchanges.push(exchange),
  });

  const failure = await errorOf(client.call(things.get, get));

  expect(failure.message).toBe('There is no member a.');
  expect(exchanges[0]!.request).toMatchObject({ path: '/v1/things/1', headers: { authorization: '[hidden]' } });
  expect(createRedactor(['1234567']).text('1234567 12345678')).toBe('1234567 12345678');
  expect(createRedactor(['12345678']).text('1234567 12345678')).toBe('1234567 [hidden]');
});

test('without a token nothing is hidden', () => {
  const { text, bytes: redactBytes } = createRedactor(['']);
  expect(text('all of it')).toBe('all of it');
  const bytes = Buffer.from('all');
  expect(redactBytes(bytes)).toBe(bytes);
});

test('a service that echoes everything does not bring the token into exchanges', async () => {
  const exchanges: Exchange[] = [];
  await using service = await serve((request, response) => {
    response.setHeader('set-cookie', 'session=abc');
    response.setHeader('x-echo', encodeURIComponent(request.headers.authorization!));
    json(response, { id: request.headers.authorization, url: request.url });
  });
  await using client = httpClient(service.url, { token, onExchange: (exchange) => exchanges.push(exchange) });
  const answer = await client.call(things.get, { ...get, query: { format: token } });
  await client.call(things.create, { body: { title: token } });

  expect(answer.id).toBe(`Bearer ${token}`);
  expect(exchanges).toHaveLength(2);
  const [read, written] = exchanges;
  expect(read!.request).toMatchObject({
    method: 'GET',
    url: `${service.url}/v1/things/1?format=[hidden]`,
    headers: { authorization: '[hidden]', 'user-agent': 'docsctl/0.0.0' },
  });
  expect(read!.response!.headers).toMatchObject({ 'set-cookie': '[hidden]', 'x-echo': 'Bearer%20[hidden]' });
  expect(Buffer.from(read!.response!.body).toString()).toBe(
    '{"id":"Bearer [hidden]","url":"/v1/things/1?format=[hidden]"}',
  );
  expect(written!.request.body).toBe('{"title":"[hidden]"}');
  expect(written!.response!.status).toBe(200);
});

test('the bytes of an exchange do not change later', async () => {
  const bodies: Uint8Array[] = [];
  await using service = await serve((_, response, nth) => json(response, { id: `${nth}`.repeat(300_000) }));
  await using client = httpClient(service.url, { onExchange: ({ response }) => void bodies.push(response!.body) });
  for (let i = 0; i < 4; i++) await client.call(things.get, get);
  expect(bodies.map((bytes) => Buffer.from(bytes).toString('utf8', 7, 9))).toEqual(['11', '22', '33', '44']);
});

test('each attempt is reported, with its error', async () => {
  const exchanges: Exchange[] = [];
  await using service = await serve((_, response, nth) =>
    nth === 1 ? response.socket!.destroy() : nth === 2 ? json(response, {}, 503) : json(response, { id: '1' }),
  );
  await using client = httpClient(service.url, { retries: 3, onExchange: (exchange) => exchanges.push(exchange) });
  await client.call(things.get, get);
  expect(exchanges.map(({ response, error }) => response?.status ?? (error as Error).name)).toEqual([
    'NetworkError',
    503,
    200,
  ]);
});

test('an error that echoes the token does not show it', async () => {
  const error = {
    code: 401,
    message: `Bad token ${token} (${encodeURIComponent(token)})`,
    reason: token,
    requestId: token,
    details: [{ in: 'header', path: 'Authorization', rule: 'pattern', message: `is ${token}` }],
  };
  for (const body of [{ error }, `Bad token ${token}`, { message: `Bad ${token}` }]) {
    const headers = { 'content-type': 'text/plain', 'x-request-id': token };
    const { client } = scripted([{ status: 401, body, headers }], { token });
    const failure = await errorOf(client.call(things.get, get));
    const printed = inspect(failure, { depth: 9 }) + JSON.stringify(failure) + failure.stack;
    for (const spelling of spellings) expect(printed).not.toContain(spelling);
    expect(failure.message).toContain('[hidden]');
  }
});

test('an error that was inspected before still does not show the token', async () => {
  const failure = new NetworkError(`No answer to ${token}.`, { hint: `Not ${token}` });
  expect(failure.stack).toContain(token);
  await errorOf(scripted([failure], { token, retries: 0 }).client.call(things.get, get));
  expect(inspect(failure) + failure.stack + failure.hint).not.toContain(token);
});

test('credentials given for one request are hidden too', async () => {
  const exchanges: Exchange[] = [];
  const { client, requests } = scripted([{ status: 401, body: { error: { message: 'No: other-secret' } } }], {
    token,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const failure = await errorOf(
    client.request('GET', '/v1/user', { headers: { Authorization: 'Bearer other-secret' } }),
  );
  expect(requests[0]!.headers.authorization).toBe('Bearer other-secret');
  expect(failure.message).toBe('No: [hidden]');
  expect(inspect(exchanges, { depth: 9 })).not.toContain('other-secret');
});

test.for([
  ['a cookie', { cookie: 'theme=1; session=abcdefgh' }, 'abcdefgh'],
  ['a key', { 'X-Api-Key': 'abcdefgh' }, 'abcdefgh'],
  ['a password', { authorization: `Basic ${Buffer.from('me:abcdefgh').toString('base64')}` }, 'abcdefgh'],
  ['the credentials of a proxy', { 'Proxy-Authorization': 'Bearer abcdefgh' }, 'abcdefgh'],
] as const)('%s given for one request is hidden, and what is shown of the answer', async ([, headers, secret]) => {
  const exchanges: Exchange[] = [];
  const { client } = scripted([{ headers: { 'x-echo': `${secret} 1`, [secret]: '1' }, body: { was: [secret, 1] } }], {
    token,
    onExchange: (exchange) => exchanges.push(exchange),
  });

  const answer = await client.request('GET', '/v1/user', { headers, forShow: true });
  const whole = await client.request('GET', '/v1/user', { headers });

  expect(answer).toMatchObject({
    headers: { 'x-echo': '[hidden] 1', '[hidden]': '1' },
    body: { was: ['[hidden]', 1] },
    text: '{"was":["[hidden]",1]}',
  });
  expect(whole.text).toBe(`{"was":["${secret}",1]}`);
  expect(inspect(exchanges, { depth: 9 })).not.toContain(secret);
  expect(exchanges.map(({ response }) => Buffer.from(response!.body).toString())).toEqual([answer.text, answer.text]);
});

test('a whole address is accepted only if it is one of the service', async () => {
  await using other = await serve((_, response) => json(response, {}));
  await using service = await serve((_, response) => json(response, {}));
  await using client = httpClient(`${service.url}/base`, { token });
  for (const url of [`${other.url}/base/v1/user`, `${service.url}/v1/user`, 'http://u:p@127.0.0.1/x', 'https://[']) {
    await expect(client.request('GET', url)).rejects.toThrow('the only address the token is sent to');
  }
  await client.request('GET', '//elsewhere.example/v1/user');
  expect(service.requests.map(({ url }) => url)).toEqual(['/base//elsewhere.example/v1/user']);
  expect(other.requests).toHaveLength(0);
});

test.for([
  ['ftp://service.example', 'not an http or https address'],
  ['service.example', 'not an http or https address'],
  ['', 'not an http or https address'],
  ['https://me:pass@service.example', 'must not hold a user name or password'],
  ['https://service.example/?a=b', 'must not have a query'],
])('the address %j is refused', ([url, words]) => {
  const create = () => createClient({ url: url!, userAgent: 'docsctl/0.0.0' });
  expect(create).toThrow(words);
  expect(create).not.toThrow('me:pass');
});

test.for(['a b', 'a\nb', 'a\r\nx-admin: 1', 'tökén', 'a\u0000'])(
  'the token %j is refused without being told',
  (bad) => {
    const create = () => createClient({ url: 'https://service.example', token: bad, userAgent: 'docsctl/0.0.0' });
    expect(create).toThrow('The token contains an invalid character');
    expect(create).not.toThrow(bad);
  },
);
