import { createServer, request as forward } from 'node:http';
import { connect } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { proxyFor } from '../../src/client/proxy.ts';
import { errorOf, httpClient, json, listen, readInChild, serve, serveTls, things } from './support.ts';

const get = { params: { thing: '1' } };
const variables = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'ALL_PROXY',
  'all_proxy',
];

function setEnvironment(values: Record<string, string>) {
  for (const name of variables) vi.stubEnv(name, values[name]);
}
afterEach(() => {
  vi.unstubAllEnvs();
});

/** A proxy that resolves every name to loopback and remembers what it was asked for. */
async function serveProxy({ credentials }: { credentials?: string } = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (isStranger(request.headers['proxy-authorization'])) return void response.writeHead(407).end();
    const { port, pathname } = new URL(request.url!);
    const { 'proxy-authorization': _, ...headers } = request.headers;
    request.pipe(
      forward({ host: '127.0.0.1', port, path: pathname, method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url}`);
    socket.on('error', () => {});
    if (isStranger(request.headers['proxy-authorization'])) {
      return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    }
    const upstream = connect(Number(request.url!.split(':')[1]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    }).on('error', () => socket.destroy());
  });
  const isStranger = (authorization: string | undefined) =>
    credentials !== undefined && authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`;
  const url = await listen(server);
  return {
    url,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test.for(['HTTP_PROXY', 'http_proxy'])(
  '%s carries requests to http addresses, over one connection',
  async (variable) => {
    await using service = await serve((_, response) => json(response, { id: '1' }));
    await using proxy = await serveProxy();
    setEnvironment({ [variable]: proxy.url });
    const url = service.url.replace('127.0.0.1', 'docs.example');
    await using client = httpClient(url, { token: 'secret-token' });
    for (let i = 0; i < 3; i++) await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
    expect(proxy.asked).toEqual(Array(3).fill(`GET ${url}/v1/things/1`));
    expect(service.requests[0]!.headers).toMatchObject({
      authorization: 'Bearer secret-token',
      host: new URL(url).host,
    });
  },
);

test('HTTPS_PROXY tunnels to https addresses, and the proxy sees no request', async () => {
  await using service = await serveTls('docs.example');
  await using proxy = await serveProxy();
  const url = service.url.replace('127.0.0.1', 'docs.example');
  const environment = { HTTPS_PROXY: proxy.url, NO_PROXY: '' };
  const [trusted, untrusted] = await Promise.all([
    readInChild(url, { ...environment, NODE_EXTRA_CA_CERTS: service.certificateFile }),
    readInChild(url, { ...environment, NODE_EXTRA_CA_CERTS: '' }),
  ]);
  expect(trusted).toBe('{"id":"1"}');
  expect(untrusted).toBe(`No answer from ${url} through the proxy ${proxy.url}: its certificate is not trusted.`);
  expect(proxy.asked).toEqual(Array(2).fill(`CONNECT ${new URL(url).host}`));
});

test('user name and password of the proxy go to the proxy only', async () => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  await using proxy = await serveProxy({ credentials: 'me:p@ss' });
  setEnvironment({ HTTP_PROXY: proxy.url.replace('//', '//me:p%40ss@') });
  await using client = httpClient(service.url);
  await expect(client.call(things.get, get)).resolves.toEqual({ id: '1' });
  expect(service.requests[0]!.headers).not.toHaveProperty('proxy-authorization');
});

test('a proxy that requires a password is reported with what to do', async () => {
  await using proxy = await serveProxy({ credentials: 'me:pass' });
  for (const [variable, url] of [
    ['HTTP_PROXY', 'http://docs.example'],
    ['HTTPS_PROXY', 'https://docs.example'],
  ] as const) {
    setEnvironment({ [variable]: proxy.url.replace('//', '//me:wrong@') });
    await using client = httpClient(url, { retries: 3 });
    const error = await errorOf(client.call(things.get, get));
    expect(error.message).toBe(`No answer from ${url} through the proxy ${proxy.url}: the proxy answered 407.`);
    expect(error.hint).toContain('user:password@');
  }
});

test('a proxy that cannot be reached is named', async () => {
  const gone = await serveProxy();
  await gone[Symbol.asyncDispose]();
  for (const [variable, url] of [
    ['HTTP_PROXY', 'http://docs.example'],
    ['HTTPS_PROXY', 'https://docs.example'],
  ] as const) {
    setEnvironment({ [variable]: gone.url });
    await using client = httpClient(url);
    await expect(client.call(things.create, { body: { title: 'x' } })).rejects.toMatchObject({
      message: `No answer from ${url} through the proxy ${gone.url}: connection refused.`,
      refused: true,
    });
  }
});

test('requests to a host in NO_PROXY do not use the proxy', async () => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  await using proxy = await serveProxy();
  setEnvironment({ HTTP_PROXY: proxy.url, NO_PROXY: 'localhost,127.0.0.1' });
  await using client = httpClient(service.url);
  await client.call(things.get, get);
  expect(proxy.asked).toEqual([]);
});

test.for([
  ['http://docs.example', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['http://docs.example', { HTTP_PROXY: 'p:1' }, 'http://p:1/'],
  ['http://docs.example', { HTTP_PROXY: 'http://up:1', http_proxy: 'http://low:1' }, 'http://low:1/'],
  ['http://docs.example', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['https://docs.example', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://docs.example', { HTTPS_PROXY: 'https://p:1' }, 'https://p:1/'],
  ['http://127.0.0.1:4000', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['http://docs.example', { HTTP_PROXY: '' }, undefined],
  ['http://docs.example', {}, undefined],
] as const)('%s with %j has the proxy %s', ([origin, environment, proxy]) => {
  expect(proxyFor(origin, environment)?.href).toBe(proxy);
});

test.for([
  ['*', 'docs.example', true],
  ['docs.example', 'docs.example', true],
  ['DOCS.example', 'docs.example', true],
  ['example', 'docs.example', true],
  ['.example', 'docs.example', true],
  ['*.example', 'docs.example', true],
  ['*.docs.example', 'docs.example', false],
  ['ocs.example', 'docs.example', false],
  ['docs.example.org', 'docs.example', false],
  ['other.example, docs.example', 'docs.example', true],
  ['other.example docs.example', 'docs.example', true],
  ['docs.example:8080', 'docs.example:8080', true],
  ['docs.example:8080', 'docs.example:9090', false],
  ['docs.example:80', 'docs.example', true],
  ['10.1.2.3', '10.1.2.3', true],
  ['2.3', '10.1.2.3', false],
  ['10.0.0.0/8', '10.1.2.3', true],
  ['10.0.0.0/8', '11.1.2.3', false],
  ['10.0.0.0/8', 'docs.example', false],
  ['10.0.0.0/99', '10.1.2.3', false],
  ['::1', '[::1]', true],
  ['[::1]:4000', '[::1]:4000', true],
  ['[::1]:4000', '[::1]:4001', false],
  ['fd00::/8', '[fd12::1]', true],
  ['', 'docs.example', false],
  [' , ', 'docs.example', false],
] as const)('NO_PROXY=%j for %s: %s', ([exceptions, host, excepted]) => {
  const proxy = proxyFor(`http://${host}`, { HTTP_PROXY: 'http://p:1', NO_PROXY: exceptions });
  expect(proxy === undefined).toBe(excepted);
});

test.for(['socks5://p:1080', 'http://', 'http://me:pass@'])(
  'the proxy %s is refused with the variable named',
  (proxy) => {
    const find = () => proxyFor('http://docs.example', { http_proxy: proxy });
    expect(find).toThrow(/in HTTP_PROXY is not an http or https address/);
    expect(find).not.toThrow('pass');
  },
);

test('ALL_PROXY is for schemes without a proxy of their own, and NO_PROXY excepts from it', () => {
  const both = { ALL_PROXY: 'http://all:1', HTTP_PROXY: 'http://own:1', NO_PROXY: 'local.example' };

  expect(proxyFor('https://docs.example', both)?.host).toBe('all:1');
  expect(proxyFor('http://docs.example', both)?.host).toBe('own:1');
  expect(proxyFor('https://local.example', both)).toBeUndefined();
  expect(proxyFor('https://docs.example', { ALL_PROXY: 'http://all:1', all_proxy: 'http://lower:1' })?.host).toBe(
    'lower:1',
  );
  expect(() => proxyFor('https://docs.example', { all_proxy: 'socks5h://me:pass@p:1080' })).toThrow(
    'The proxy socks5h://p:1080 in ALL_PROXY is not an http or https address; docsctl does not support SOCKS.',
  );
});
