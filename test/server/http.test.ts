import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFault } from '../../src/server/http/fault-injection.ts';
import { createRecorder, createReplay } from '../../src/server/http/recording.ts';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { raw, served } from '../support/listening.ts';

const jsonHeaders = { 'content-type': 'application/json' };

test('a token is accepted in the header only', async () => {
  const { url, token, call } = await served();

  expect((await call('/v1/user')).status).toBe(200);
  const inQuery = await fetch(`${url}/v1/user?access_token=${token}&token=${token}`);
  expect(inQuery.status).toBe(401);
  expect(inQuery.headers.get('www-authenticate')).toBe('Bearer');
  expect(((await inQuery.json()) as any).error.reason).toBe('unauthorized');
  expect((await fetch(`${url}/v1/user`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401);
});

test('a name that is not served is answered 421', async () => {
  const { port } = await served({ hosts: ['docs.test'] });
  const ask = (host: string) => raw(port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

  expect(await ask('evil.example')).toMatch(/^HTTP\/1.1 421 /);
  expect(await ask(`evil.example:${port}`)).toMatch(/^HTTP\/1.1 421 /);
  for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', 'docs.test', '[::1]:80'])
    expect(await ask(host)).toMatch(/^HTTP\/1.1 200 /);
});

test('pages of another origin may not write, and get no CORS header unless allowed', async () => {
  const { call, orgPath } = await served({ cors: ['https://good.example'] });
  const write = (origin: string) =>
    call(`${orgPath}/spaces`, { method: 'POST', headers: { ...jsonHeaders, origin }, body: '{}' });

  const evil = await write('https://evil.example');
  const good = await write('https://good.example');
  const read = await call('/v1/user', { headers: { origin: 'https://evil.example' } });

  expect(evil.status).toBe(403);
  expect(evil.headers.get('access-control-allow-origin')).toBeNull();
  expect(good.status).toBe(201);
  expect(good.headers.get('access-control-allow-origin')).toBe('https://good.example');
  expect(read.headers.get('access-control-allow-origin')).toBeNull();
});

test('a body that is not JSON by its type is refused, and an empty one needs no type', async () => {
  const { call, orgPath } = await served();
  const post = (headers: Record<string, string>, body?: string) =>
    call(`${orgPath}/spaces`, { method: 'POST', headers, ...(body === undefined ? {} : { body }) });

  expect((await post({ 'content-type': 'text/plain' }, '{}')).status).toBe(415);
  expect((await post({ 'content-type': 'application/x-www-form-urlencoded' }, 'title=x')).status).toBe(415);
  expect((await post({ ...jsonHeaders, 'content-encoding': 'gzip' }, '{}')).status).toBe(415);
  expect((await post({})).status).toBe(201);
  expect((await post({ 'content-type': 'application/json; charset=utf-8' }, '{}')).status).toBe(201);
});

test('a body over the limit is refused by its announced length, and when it comes in chunks', async () => {
  const { port, token, orgPath } = await served();
  const send = (headers: Record<string, string | number>, chunks: number) =>
    new Promise<number>((resolve, reject) => {
      const request = httpRequest(
        {
          port,
          host: '127.0.0.1',
          path: `${orgPath}/spaces`,
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, ...jsonHeaders, ...headers },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode!);
        },
      );
      request.on('error', reject);
      const chunk = Buffer.alloc(1024 * 1024, 32);
      for (let i = 0; i < chunks; i++) request.write(chunk);
      request.end();
    });

  expect(await send({ 'content-length': 11 * 1024 * 1024 }, 11)).toBe(413);
  expect(await send({ 'transfer-encoding': 'chunked' }, 12)).toBe(413);
});

test('deep, broken and badly encoded JSON is refused with a sentence', async () => {
  const { call, orgPath } = await served();
  const post = async (body: string | Uint8Array<ArrayBuffer>) => {
    const response = await call(`${orgPath}/spaces`, { method: 'POST', headers: jsonHeaders, body });
    return { status: response.status, error: ((await response.json()) as any).error };
  };

  for (const body of [
    '{"title":',
    '[]',
    '"x"',
    'null',
    '['.repeat(100_000) + ']'.repeat(100_000),
    '{"a":'.repeat(5000) + '1' + '}'.repeat(5000),
    new Uint8Array([123, 34, 255, 34, 125]),
  ]) {
    expect(await post(body)).toMatchObject({ status: 400, error: { reason: 'malformed-json' } });
  }
  expect(await post('{"title":"a\\u0000b"}')).toMatchObject({
    status: 400,
    error: { reason: 'validation', details: [{ path: '/title' }] },
  });
  expect(await post('{"title":"\\ud83d"}')).toMatchObject({ status: 400, error: { reason: 'validation' } });
  expect(await post('{"__proto__":{"title":5},"title":"ok"}')).toMatchObject({ status: 201 });
});

test('a request that is not HTTP gets an error in the usual form', async () => {
  const { port } = await served();

  const answer = await raw(port, 'NONSENSE\r\n\r\n');

  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error.code).toBe(400);
});

test('HEAD answers as GET without the body, and another method names those allowed', async () => {
  const { call } = await served();

  const head = await call('/v1/user', { method: 'HEAD' });
  const wrong = await call('/v1/user', { method: 'PATCH' });

  expect(head.status).toBe(200);
  expect(Number(head.headers.get('content-length'))).toBeGreaterThan(50);
  expect(await head.text()).toBe('');
  expect(wrong.status).toBe(405);
  expect(wrong.headers.get('allow')).toBe('GET');
});

test('every answer carries its request id, and errors repeat it', async () => {
  const { call } = await served();

  const response = await call('/v1/nothing');

  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(((await response.json()) as any).error.requestId).toBe(response.headers.get('x-request-id'));
});

test('many slow clients do not slow the others, and idle ones do not delay the stop', async () => {
  const { port, call, instance } = await served();
  const slow = Array.from({ length: 100 }, () =>
    connect(port, '127.0.0.1', function (this: ReturnType<typeof connect>) {
      this.write(
        'POST /v1/orgs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      );
    }),
  );
  for (const socket of slow) socket.on('error', () => {});
  onTestFinished(() => slow.forEach((socket) => socket.destroy()));

  const answers = await Promise.all(Array.from({ length: 50 }, () => call('/v1/user')));

  expect(answers.every((response) => response.status === 200)).toBe(true);
  expect(instance.store.fresh).toBe(true);
});

test('GET /healthz and /openapi.json need no token', async () => {
  const { url } = await served();

  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ status: 'ok' });
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as any;
  expect(document.openapi).toBe('3.1.0');
  expect(document.paths['/v1/orgs/{orgId}/members'].get.operationId).toBe('members.list');
});

test('metrics count requests by route and status, without ids in the routes', async () => {
  const { url, call, orgPath } = await served();
  await call(`${orgPath}/members`);
  await call('/v1/nothing');

  const text = await (await fetch(`${url}/metrics`)).text();

  expect(text).toContain('docsctl_http_requests_total{method="GET",route="/v1/orgs/{orgId}/members",status="200"} 1');
  expect(text).toContain('docsctl_http_requests_total{method="GET",route="other",status="404"} 1');
  expect(text).toMatch(/docsctl_http_request_duration_seconds_bucket\{.*le="\+Inf"\} 1/);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test('injected faults: a status with Retry-After, a reset after pages, half a body', async () => {
  const limited = await served({ faults: [parseFault('rate=1,status=429,retry-after=2,times=1')] });
  const refused = await limited.call('/v1/user');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2']);
  expect((await limited.call('/v1/user')).status).toBe(200);

  const cut = await served({ faults: [parseFault('reset-after=1pages')] });
  expect((await cut.call('/v1/orgs?limit=1')).status).toBe(200);
  await expect(cut.call('/v1/orgs?limit=1')).rejects.toThrow(/fetch failed|terminated|aborted/);
  expect((await cut.call('/v1/user')).status).toBe(200);

  const half = await served({ faults: [parseFault('truncate')] });
  await expect(half.call('/v1/user').then((response) => response.text())).rejects.toThrow(
    /fetch failed|terminated|aborted/,
  );

  expect(() => parseFault('rate=2')).toThrow('rate=2');
  expect(() => parseFault('latency=soon')).toThrow('latency=200ms');
});

test('a recording answers the same requests again, in order, without the token', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'docsctl-recording-')), 'session.jsonl');
  const first = await served({ record: createRecorder(file) });
  const before = await (await first.call(`${first.orgPath}/spaces`)).json();
  await first.call(`${first.orgPath}/spaces`, { method: 'POST', headers: jsonHeaders, body: '{"title":"New"}' });
  const after = await (await first.call(`${first.orgPath}/spaces`)).json();

  const again = await served({ replay: createReplay(file).answer });
  const list = async () => (await again.call(`${first.orgPath}/spaces`)).json();

  expect(await list()).toEqual(before);
  expect(await list()).toEqual(after);
  expect(await list()).toEqual(after);
  expect((await again.call('/v1/user')).status).toBe(404);
  expect(await readFile(file, 'utf8')).not.toContain(first.token);
});

test('a replay matches random parts by place, and answers with their new values', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'docsctl-recording-')), 'session.jsonl');
  const first = await served({ record: createRecorder(file) });
  const post = (to: typeof first, path: string, body: unknown): Promise<any> =>
    to
      .call(path, { method: 'POST', headers: jsonHeaders, body: JSON.stringify(body) })
      .then((response) => response.json());
  const create = (to: typeof first, title: string) => post(to, `${first.orgPath}/spaces`, { title });
  const list = async (to: typeof first) =>
    ((await (await to.call(`${first.orgPath}/spaces`)).json()) as any).items.map(({ title }: any) => title);
  const before = await create(first, 'On 2026-11-22T10:00:00Z');
  const other = await create(first, `Build ${'ab'.repeat(20)}`);
  await list(first);

  const again = await served({ replay: createReplay(file).answer });
  const after = await create(again, 'On 2027-01-02T03:04:05.678Z');
  const build = await create(again, `Build ${'cd'.repeat(20)}`);

  expect(after).toEqual({ ...before, title: 'On 2027-01-02T03:04:05.678Z', urls: expect.anything() });
  expect(build).toMatchObject({ id: other.id, title: `Build ${'cd'.repeat(20)}` });
  expect(await list(again)).toEqual(['On 2027-01-02T03:04:05.678Z', `Build ${'cd'.repeat(20)}`]);
  expect((await create(again, 'Off 2027-01-02T03:04:05.678Z')).error).toMatchObject({
    reason: 'not-found',
    message: expect.stringMatching(/Recorded is ".*On 2026-11-22T10:00:00Z.*", this one has ".*Off 2027-01-02/),
  });
});

test('a replay names its own address', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'docsctl-recording-')), 'session.jsonl');
  const first = await served({ record: createRecorder(file) });
  const urls = async (service: typeof first): Promise<string> =>
    JSON.stringify(((await (await service.call('/v1/user')).json()) as any).urls);
  const before = await urls(first);

  const { answer } = createReplay(file);
  const again = await served({ replay: (request) => answer(request, 'http://replay.example') });

  expect(before).toContain('"http://localhost:4000/');
  expect(await urls(again)).toBe(before.replaceAll('http://localhost:4000', 'http://replay.example'));
});
