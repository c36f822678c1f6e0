import { createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { NetworkError } from '../../src/client/errors/network-error.ts';
import type { TimedOut } from '../../src/client/errors/timed-out.ts';
import { errorOf, httpClient, json, listen, serve, things } from './support.ts';
import { isLong } from '../support/long-form.ts';

const get = { params: { thing: '1' } };

test('a request has method, path, query, body and headers, and the response is returned', async () => {
  let body = '';
  await using service = await serve(async (request, response) => {
    for await (const chunk of request) body += chunk;
    json(response, { id: '1', added: { later: true } });
  });
  await using client = httpClient(service.url, { token: 'secret-token', userAgent: 'docsctl/1.2.3' });

  const answer = await client.call(things.edit, { params: { thing: 'a/b ü' }, body: { title: 'Pümp' } });

  expect(answer).toEqual({ id: '1', added: { later: true } });
  const [request] = service.requests;
  expect(request).toMatchObject({ method: 'PATCH', url: '/v1/things/a%2Fb%20%C3%BC' });
  expect(request!.headers).toMatchObject({
    authorization: 'Bearer secret-token',
    'user-agent': 'docsctl/1.2.3',
    'content-type': 'application/json',
    'accept-encoding': 'gzip, br',
    accept: 'application/json',
  });
  expect(JSON.parse(body)).toEqual({ title: 'Pümp' });
});

test('a GET carries its query, no body and, without a token, no credentials', async () => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  await using client = httpClient(service.url);
  await client.call(things.get, { ...get, query: { format: 'a b&c', deep: false } });
  expect(service.requests[0]!.url).toBe('/v1/things/1?format=a+b%26c&deep=false');
  expect(service.requests[0]!.headers).not.toHaveProperty('authorization');
  expect(service.requests[0]!.headers).not.toHaveProperty('content-type');
});

test.for(['/docs/api', '/docs/api/'])('the base address may have the prefix %s', async (prefix) => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  await using client = httpClient(service.url + prefix);
  await client.call(things.get, get);
  await client.request('GET', `${service.url}/docs/api/v1/user?x=1`);
  expect(service.requests.map(({ url }) => url)).toEqual(['/docs/api/v1/things/1', '/docs/api/v1/user?x=1']);
});

test('one connection serves requests that follow each other', async () => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  await using client = httpClient(service.url);
  for (let i = 0; i < 5; i++) await client.call(things.get, get);
  expect(service.connections()).toBe(1);
});

test('requests at the same time do not wait for each other', async () => {
  const open: (() => void)[] = [];
  await using service = await serve((_, response) => {
    open.push(() => json(response, { id: '1' }));
    if (open.length === 3) for (const answer of open) answer();
  });
  await using client = httpClient(service.url);
  await expect(Promise.all([1, 2, 3].map(() => client.call(things.get, get)))).resolves.toHaveLength(3);
});

test.for([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
  ['gzip, br', (text: string) => brotliCompressSync(gzipSync(text))],
  ['identity', (text: string) => Buffer.from(text)],
] as const)('an answer in %s is read', async ([encoding, compress]) => {
  await using service = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(compress(JSON.stringify({ id: 'ü'.repeat(1000) })));
  });
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).resolves.toEqual({ id: 'ü'.repeat(1000) });
});

test.for([
  ['cut off', 'gzip', gzipSync('{"id":"1"}').subarray(0, 12)],
  ['in an unknown coding', 'zip', Buffer.from('{}')],
] as const)('a compressed answer that is %s is no answer', async ([, encoding, body]) => {
  await using service = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': encoding }).end(body),
  );
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).rejects.toMatchObject({
    name: 'NetworkError',
    message: `The answer from ${service.url} could not be decompressed.`,
  });
});

test('a refused connection names the address', async () => {
  const service = await serve(() => {});
  await service[Symbol.asyncDispose]();
  await using client = httpClient(service.url);
  const error = await errorOf<NetworkError>(client.call(things.create, { body: { title: 'x' } }));
  expect(error).toMatchObject({ name: 'NetworkError', code: 'ECONNREFUSED', refused: true });
  expect(error.message).toBe(`No answer from ${service.url}: connection refused.`);
  expect(error.hint).toContain('Check that the address is right');
});

test('an unknown host name is reported', async () => {
  await using client = httpClient('http://no-such-host.invalid');
  await expect(client.call(things.get, get)).rejects.toThrow(
    /^No answer from http:\/\/no-such-host\.invalid: (host name not found|the lookup of its host name failed)/,
  );
});

test('a connection that is reset before the answer, in its middle, and short of its length', async () => {
  const breaks: Record<string, (response: import('node:http').ServerResponse) => void> = {
    'before an answer came': (response) => response.socket!.resetAndDestroy(),
    'in the middle of its answer': (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('{"id":');
      setImmediate(() => response.socket!.destroy());
    },
  };
  for (const [words, breakOff] of Object.entries(breaks)) {
    await using service = await serve((_, response) => breakOff(response));
    await using client = httpClient(service.url);
    await expect(client.call(things.get, get)).rejects.toThrow(`the connection was closed ${words}.`);
  }
});

test('a chunked response that ends too early is an error', async () => {
  await using service = await serve((_, response) => {
    response.writeHead(200).write('{"id":"1"}');
    setImmediate(() => response.socket!.end());
  });
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).rejects.toThrow('in the middle of its answer');
});

test('a GET is sent again after a reset, a POST is not', async () => {
  await using service = await serve((_, response, nth) =>
    nth === 1 || nth === 3 ? response.socket!.resetAndDestroy() : json(response, { id: '1' }),
  );
  await using client = httpClient(service.url, { retries: 3 });
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
  await expect(client.call(things.create, { body: { title: 'x' } })).rejects.toThrow('before an answer came');
  expect(service.requests).toHaveLength(3);
});

test('a body is sent whole with each attempt', async () => {
  const bodies: number[] = [];
  await using service = await serve(async (request, response, nth) => {
    let size = 0;
    for await (const chunk of request) size += chunk.length;
    bodies.push(size);
    json(response, { id: '1' }, nth === 1 ? 503 : 200);
  });
  await using client = httpClient(service.url, { retries: 1 });
  const title = 'x'.repeat(3_000_000);
  await client.call(things.create, { body: { title } });
  expect(bodies).toEqual([3_000_012, 3_000_012]);
  expect(service.requests[0]!.headers['content-length']).toBe('3000012');
});

test('a service that sends nothing, or stops in the middle, causes a timeout', async () => {
  await using service = await serve((request, response) => {
    if (request.url!.endsWith('/2')) response.writeHead(200).write('{"id":');
  });
  await using client = httpClient(service.url, { timeoutMs: 500 });
  const silent = await errorOf<TimedOut>(client.call(things.get, get));
  expect(silent).toMatchObject({ name: 'TimedOut', awaited: 'answer', ms: 500 });
  expect(silent.message).toBe(`No answer from ${service.url} within 0.5 s.`);
  const stopped = await errorOf<TimedOut>(client.call(things.get, { params: { thing: '2' } }));
  expect(stopped).toMatchObject({ name: 'TimedOut', awaited: 'rest' });
});

test('only silence is timed: a slow answer and a slow upload may take longer in all', async () => {
  // 25 pauses take longer than 20, which is the time limit.
  const pauseMs = isLong ? 60 : 30;
  await using service = await serve(async (request, response) => {
    let taken = 0;
    for await (const chunk of request) if ((taken += chunk.length) % 1_000_000 < chunk.length) await delay(pauseMs);
    response.writeHead(200);
    for (let part = 0; part < 25 && request.method === 'GET'; part++) {
      response.write(' ');
      await delay(pauseMs);
    }
    response.end('{"id":"1"}');
  });
  await using client = httpClient(service.url, { timeoutMs: 20 * pauseMs });
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
  await expect(client.call(things.create, { body: { title: 'x'.repeat(25_000_000) } })).resolves.toEqual({ id: '1' });
});

test('a connection that is never ready is timed out as such', async () => {
  const sockets: Socket[] = [];
  const silentServer = createTcpServer((socket) => void sockets.push(socket.on('error', () => {})));
  const url = (await listen(silentServer)).replace('http:', 'https:');
  await using client = httpClient(url, { connectTimeoutMs: 60 });
  const error = await errorOf<TimedOut>(client.call(things.get, get));
  expect(error).toMatchObject({ name: 'TimedOut', awaited: 'connection', ms: 60 });
  for (const socket of sockets) socket.destroy();
  silentServer.close();
});

test('a response that is not HTTP is an error', async () => {
  const mailServer = createTcpServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.write('220 mail.example ESMTP\r\n')),
  );
  const url = await listen(mailServer);
  await using client = httpClient(url);
  await expect(client.call(things.get, get)).rejects.toThrow(`No answer from ${url}: it does not use HTTP.`);
  mailServer.close();
});

test('an abort ends a request under way with its reason', async () => {
  const stop = new AbortController();
  let closed: Promise<unknown> | undefined;
  await using service = await serve((request) => {
    closed = new Promise((resolve) => request.on('close', resolve));
    stop.abort(new Error('interrupted'));
  });
  await using client = httpClient(service.url, { signal: stop.signal });
  await expect(client.call(things.get, get)).rejects.toThrow('interrupted');
  await closed;
});

test('calls of a closed client are errors, and closing ends running requests', async () => {
  await using service = await serve(() => void client.close());
  const client = httpClient(service.url);
  await expect(client.call(things.get, get)).rejects.toThrow('The client is closed.');
  await expect(client.call(things.get, get)).rejects.toThrow('The client is closed.');
});

test('a header that cannot be sent is an error before anything is', async () => {
  await using service = await serve((_, response) => json(response, {}));
  await using client = httpClient(service.url);
  await expect(client.request('GET', '/v1/user', { headers: { 'x-note': 'a\r\nb: c' } })).rejects.toThrow(
    'The request cannot be sent: invalid x-note header.',
  );
  await expect(client.request('GET /', '/v1/user')).rejects.toThrow('The request cannot be sent');
  expect(service.requests).toHaveLength(0);
});

test('a raw request sends text as it is and gives back status, headers, text and JSON', async () => {
  let sent = '';
  await using service = await serve(async (request, response) => {
    for await (const chunk of request) sent += chunk;
    response.setHeader('x-request-id', 'q8Zt');
    json(response, { id: 'ü' }, 201);
  });
  await using client = httpClient(service.url);
  const answer = await client.request('POST', 'v1/things?a=1', {
    body: '{ "as": "typed" }',
    query: { b: ['2', '3'] },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  });
  expect(sent).toBe('{ "as": "typed" }');
  expect(service.requests[0]!.url).toBe('/v1/things?a=1&b=2&b=3');
  expect(service.requests[0]!.headers['content-type']).toBe('application/merge-patch+json');
  expect(answer).toMatchObject({ status: 201, body: { id: 'ü' }, text: '{"id":"ü"}' });
  expect(answer.headers['x-request-id']).toBe('q8Zt');
});

test('a small response that unpacks to too much is refused, and not requested again', async () => {
  const zeros = gzipSync(Buffer.alloc(32 * 1024 * 1024));
  const packed = Buffer.concat(Array.from({ length: 10 }, () => zeros));
  await using service = await serve((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed);
  });
  await using client = httpClient(service.url, { retries: 3 });

  await expect(client.call(things.get, get)).rejects.toThrow('is too large.');
  expect(service.requests).toHaveLength(1);
});

test('a path is sent unchanged, and encoded where necessary', async () => {
  await using service = await serve((_, response) => json(response, {}));
  await using client = httpClient(service.url);
  await client.request('GET', '/v1/a%2Fb/c//ü é#part');
  expect(service.requests.map(({ url }) => url)).toEqual(['/v1/a%2Fb/c//%C3%BC%20%C3%A9']);
});
