import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { serve, test } from '../support/cli.ts';
import { isLong } from '../support/long-form.ts';

async function connected(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  onTestFinished(() => void socket.destroy());
  return socket;
}

const portOf = ({ url }: { url: string }) => Number(new URL(url).port);

/** Sends a head or a body byte by byte, without end; with a token, because a body without one is refused at once. */
function drip(socket: Socket, part: 'head' | 'body', token: string) {
  const head = `POST /v1/orgs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n`;
  socket.write(part === 'head' ? head : `${head}\r\n{`);
  const timer = setInterval(() => {
    if (socket.writable) socket.write(part === 'head' ? 'x' : ' ');
  }, 100);
  socket.once('close', () => clearInterval(timer));
}

test('200 clients that send headers or bodies slowly do not delay the others', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  const slow = await Promise.all(Array.from({ length: 200 }, () => connected(portOf(service))));
  for (const [index, socket] of slow.entries()) drip(socket, index % 2 ? 'head' : 'body', service.token);
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };

  const took: number[] = [];
  const statuses = new Set<number>();
  const worker = async () => {
    for (let index = 0; index < (isLong ? 100 : 40); index++) {
      const start = performance.now();
      const response = await fetch(
        `${service.url}/v1/orgs/${service.organization}/${index % 4 ? 'members' : 'spaces'}`,
        index % 4 ? { headers } : { method: 'POST', headers, body: '{}' },
      );
      await response.arrayBuffer();
      took.push(performance.now() - start);
      statuses.add(response.status);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  const open = slow.filter((socket) => !socket.destroyed).length;
  for (const socket of slow) socket.destroy();
  await service.stop();

  expect(open).toBe(200);
  expect([...statuses].toSorted()).toEqual([200, 201]);
  expect(took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)]).toBeLessThan(1000);
});

if (isLong)
  test('a head has to come within 10 s and a request within 30 s, else 408', async ({ home }) => {
    const service = await serve(home, '--log', 'off');
    const sendSlowly = async (part: 'head' | 'body') => {
      const socket = await connected(portOf(service));
      const start = performance.now();
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      drip(socket, part, service.token);
      await once(socket, 'close');
      return { answer, tookMs: performance.now() - start };
    };
    const [slowHead, slowBody] = await Promise.all([sendSlowly('head'), sendSlowly('body')]);
    await service.stop();

    for (const { answer } of [slowHead, slowBody]) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error).toMatchObject({ code: 408, message: expect.any(String) });
    }
    // Checked every 5 s.
    expect(slowHead.tookMs).toBeGreaterThan(9000);
    expect(slowHead.tookMs).toBeLessThan(17_000);
    expect(slowBody.tookMs).toBeGreaterThan(29_000);
    expect(slowBody.tookMs).toBeLessThan(37_000);
  });

test('large bodies without a valid token take no memory', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  const memory = async () =>
    Number(/^process_resident_memory_bytes (\d+)/m.exec(await (await fetch(`${service.url}/metrics`)).text())![1]);
  const before = await memory();
  let most = 0;
  const piece = Buffer.alloc(1024 * 1024, 32);
  const target = `PUT /v1/orgs/${service.organization}/openapi/pets HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`;

  const statuses = await Promise.all(
    Array.from({ length: 30 }, async (_, index) => {
      const socket = await connected(portOf(service));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.write(`${target}${index % 2 ? 'Transfer-Encoding: chunked' : 'Content-Length: 50000000'}\r\n\r\n`);
      // As much as is taken: who is answered, or not read from for a second, stops.
      for (let sent = 0; sent < 20 && !socket.destroyed; sent++) {
        if (index % 2) socket.write(`${piece.length.toString(16)}\r\n`);
        const isTaken = socket.write(piece);
        if (index % 2) socket.write('\r\n');
        if (!isTaken) await new Promise((resolve) => void socket.once('drain', resolve).once('close', resolve));
        most = Math.max(most, await memory());
      }
      return Number(answer.split(' ')[1]);
    }),
  );
  await service.stop();

  expect(new Set(statuses)).toEqual(new Set([401]));
  expect(most - before).toBeLessThan(100 * 1024 * 1024);
});

test('1,000 idle connections do not delay SIGTERM beyond 5 s', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  const port = portOf(service);
  const idle: Socket[] = [];
  while (idle.length < 1000) idle.push(...(await Promise.all(Array.from({ length: 100 }, () => connected(port)))));
  // Half of them have asked something and are kept alive; the others have said nothing.
  await Promise.all(
    idle.slice(0, 500).map(async (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await once(socket, 'data');
    }),
  );

  const start = performance.now();
  const status = await service.stop();

  expect(status).toBe(0);
  expect(performance.now() - start).toBeLessThan(5000);
});

test('text that is not an HTTP request is refused with the usual form of errors', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  const say = async (text: string) => {
    const socket = await connected(portOf(service));
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.write(text);
    await once(socket, 'close');
    const [top, body = ''] = answer.split('\r\n\r\n');
    return { status: Number(top!.split(' ')[1]), error: JSON.parse(body).error };
  };
  const close = 'Connection: close\r\n\r\n';
  const cases: [text: string, status: number][] = [
    ['NONSENSE\r\n\r\n', 400],
    [`GET /v1/user HTTP/1.1\r\n${close}`, 400],
    [`GET /v1/user HTTP/1.1\r\nHost: evil.example\r\n${close}`, 421],
    [`GET /v1/user HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(50_000)}\r\n${close}`, 431],
    [`GET /v1/user HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(8000)}\r\n${close}`, 401],
    [`GET /v1/../v1/%00/%zz HTTP/1.1\r\nHost: localhost\r\n${close}`, 404],
    [`GET http://evil.example/v1/user HTTP/1.1\r\nHost: localhost\r\n${close}`, 404],
    [`BREW /v1/user HTTP/1.1\r\nHost: localhost\r\n${close}`, 400],
    [`TRACE /v1/user HTTP/1.1\r\nHost: localhost\r\n${close}`, 405],
    [`POST /v1/orgs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n${close}{}   `, 400],
    [`POST /v1/orgs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${close}0`, 400],
    [`POST /v1/orgs HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n${close}zz\r\n`, 400],
  ];

  for (const [text, status] of cases) {
    const answer = await say(text);
    expect([text.slice(0, 60), answer.status]).toEqual([text.slice(0, 60), status]);
    expect(answer.error).toMatchObject({
      code: status,
      message: expect.any(String),
      requestId: expect.stringMatching(/^[a-z0-9]{8,}$/i),
    });
  }
  expect(await service.stop()).toBe(0);
});

test('readers of published sites cannot end the server, whatever token and cookie they send', async ({ home }) => {
  const service = await serve(home, '--log', 'off');
  const { url, organization } = service;
  const call = async (method: string, path: string, body?: unknown): Promise<any> => {
    const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answer.json();
  };
  const org = `/v1/orgs/${organization}`;
  const space = await call('POST', `${org}/spaces`, { title: 'Guide' });
  const site = await call('POST', `${org}/sites`, { title: 'Docs', visibility: 'visitor-auth', spaces: [space.id] });
  await call('POST', `${org}/sites/${site.id}/publish`);
  const { serviceVisitorClaims: token } = await call('POST', `${org}/ping`);
  const ask = async (query: string, cookie = '') => {
    const headers = { accept: 'text/html', cookie };
    const address = `${url}/published/${organization}/docs/intro${query}`;
    return fetch(address, { headers, redirect: 'manual' }).then(({ status }) => status, String);
  };

  for (const end of ['.%0a', '%0d%0aX-A:b', '.%00', '.%E2%98%83', '.%F0%9F%98%80', '%3B', '%FF']) {
    expect([end, await ask(`?jwt_token=${token}${end}`)]).toEqual([end, 401]);
  }
  const nested = encodeURIComponent(`{"a":${'['.repeat(7_800)}`).slice(0, 2_600);
  for (const cookie of [`docs-unsigned-${site.id}=%7B%22a%22%3A${'['.repeat(7_500)}${']'.repeat(7_500)}%7D`, nested]) {
    expect(await ask(`?jwt_token=${token}`, cookie)).toBe(303);
    expect(await ask('', `docs-visitor-${site.id}=${token}; ${cookie}`)).toBe(404);
  }

  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  await service.stop();
});
