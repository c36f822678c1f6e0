import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { served } from '../support/listening.ts';

interface Head {
  method?: string;
  path: string;
  /** None at all where it is not given. */
  token?: string;
  /** Bytes that are announced; chunks where it is not given. */
  length?: number;
  headers?: string[];
}

/** A request whose body is sent as the test says. */
async function begin(port: number, { method = 'POST', path, token, length, headers = [] }: Head) {
  const socket: Socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  await once(socket, 'connect');
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
    ...(headers.some((line) => /^content-type:/i.test(line)) ? [] : ['Content-Type: application/json']),
    ...headers,
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return {
    send: (text: string) => void socket.write(text),
    /** One chunk of a body that is sent in chunks. */
    sendChunk: (text: string) => void socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`),
    leave: () => void socket.destroy(),
    /** The status lines so far; the last one may still be to come. */
    statuses: () => [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status)),
    header: (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(answer)?.[1],
    get error() {
      return JSON.parse(answer.slice(answer.lastIndexOf('\r\n\r\n') + 4)).error;
    },
  };
}
type BegunRequest = Awaited<ReturnType<typeof begin>>;

const expectStatuses = (request: BegunRequest, ...statuses: number[]) =>
  expect.poll(() => request.statuses()).toEqual(statuses);

test('a request without a valid token is refused before the body is sent, chunked or not, without a 100', async () => {
  const { port, orgPath } = await served();

  for (const head of [
    { length: 1000 },
    { length: 1000, token: 'wrong' },
    { token: 'wrong' },
    { length: 1000, headers: ['Expect: 100-continue'] },
    { length: 60 * 1024 * 1024, method: 'PUT', path: `${orgPath}/openapi/pets` },
    { length: 1000, headers: ['Content-Type: text/plain'] },
  ]) {
    const request = await begin(port, { path: `${orgPath}/spaces`, ...head });
    await expectStatuses(request, 401);
    expect(request.header('connection')).toBe('close');
    expect(request.header('www-authenticate')).toBe('Bearer');
    expect(request.error).toMatchObject({ code: 401, reason: 'unauthorized' });
  }
});

test('an address that is not there, and a method it has not, are refused before the body and the token', async () => {
  const { port, orgPath } = await served();

  const nowhere = await begin(port, { path: '/v1/nothing', length: 1000 });
  const outside = await begin(port, { path: '/published/x', length: 1000 });
  const wrong = await begin(port, { path: orgPath, length: 1000 });

  await expectStatuses(nowhere, 404);
  await expectStatuses(outside, 404);
  await expectStatuses(wrong, 405);
  expect(wrong.header('allow')).toBe('GET, PATCH');
});

test('with a valid token, size and type are checked before the body is sent, in this order', async () => {
  const { port, token, orgPath } = await served();
  const path = `${orgPath}/spaces`;
  const text = ['Content-Type: text/plain'];

  const large = await begin(port, { path, token, length: 11 * 1024 * 1024, headers: text });
  const untyped = await begin(port, { path, token, length: 1000, headers: text });
  const packed = await begin(port, { path, token, headers: ['Content-Encoding: gzip'] });

  await expectStatuses(large, 413);
  await expectStatuses(untyped, 415);
  await expectStatuses(packed, 415);
  for (const request of [large, untyped, packed]) expect(request.header('connection')).toBe('close');
});

test('a client with "Expect: 100-continue" is asked for the body after the token is checked', async () => {
  const { port, token, orgPath } = await served();
  const body = '{"title":"Waited"}';
  const headers = ['Expect: 100-continue'];

  const request = await begin(port, { path: `${orgPath}/spaces`, token, length: body.length, headers });
  await expectStatuses(request, 100);
  request.send(body);

  await expectStatuses(request, 100, 201);
});

test('another expectation is refused with 417 and the usual form of errors', async () => {
  const { port, token, orgPath } = await served();

  const request = await begin(port, {
    path: `${orgPath}/spaces`,
    token,
    length: 2,
    headers: ['Expect: a-miracle'],
  });

  await expectStatuses(request, 417);
  expect(request.error).toMatchObject({ code: 417, reason: 'expectation-failed', requestId: expect.any(String) });
});

test('a short body that arrives with its headers keeps the connection, whatever the status', async () => {
  const { call, url, orgPath } = await served();
  const path = `${orgPath}/spaces`;
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' };

  const made = await call(path, post);
  const stranger = await fetch(url + path, post);
  const untyped = await call(path, { ...post, headers: { 'content-type': 'text/plain' } });

  expect([made, stranger, untyped].map(({ status }) => status)).toEqual([201, 401, 415]);
  for (const answer of [made, stranger, untyped]) expect(answer.headers.get('connection')).toBe('keep-alive');
});

test('the total size of bodies in transit is limited; other requests get Retry-After', async () => {
  const { port, token, call, orgPath } = await served({ bodyMemory: 1024 * 1024 });
  const path = `${orgPath}/spaces`;
  const post = (title: string) =>
    call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ title }) });

  // Each is counted before the next request, which would take the memory otherwise.
  const headers = ['Expect: 100-continue'];
  const chunked = await begin(port, { path, token, headers });
  await expectStatuses(chunked, 100);
  chunked.sendChunk(' '.repeat(250_000));
  const announced = await begin(port, { path, token, length: 700_000, headers });
  await expectStatuses(announced, 100);
  announced.send('{');
  // Once both are counted there is no room for 200,000 bytes more.
  await expect.poll(async () => (await post('x'.repeat(200_000))).status).toBe(503);
  const refused = await post('x'.repeat(200_000));
  const short = await post('Short');
  const read = await call('/v1/user');
  chunked.sendChunk(' '.repeat(250_000));
  await expectStatuses(chunked, 100, 503);
  announced.leave();

  expect(refused.headers.get('retry-after')).toBe('1');
  expect(((await refused.json()) as any).error).toMatchObject({ code: 503, reason: 'unavailable' });
  expect([short.status, read.status]).toEqual([201, 200]);
  expect(chunked.header('connection')).toBe('close');
  // What was taken is given back: 400 stands for a title that is too long.
  await expect.poll(async () => (await post('x'.repeat(900_000))).status).toBe(400);
  for (let i = 0; i < 5; i++) expect((await post('x'.repeat(900_000))).status).toBe(400);
});

test('a body that is larger than the total is too large', async () => {
  const { port, token, orgPath } = await served({ bodyMemory: 1024 * 1024 });

  const request = await begin(port, { path: `${orgPath}/spaces`, token, length: 2 * 1024 * 1024 });

  await expectStatuses(request, 413);
  expect(request.error.message).toBe('The body is too large: this endpoint accepts at most 1 MiB.');
});
