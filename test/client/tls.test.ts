import { createServer } from 'node:net';
import { setDefaultCACertificates } from 'node:tls';
import { expect, test } from 'vitest';
import { httpClient, json, listen, readInChild, serve, serveTls, things } from './support.ts';

const get = { params: { thing: '1' } };

test('certificates in NODE_EXTRA_CA_CERTS are trusted', async () => {
  await using service = await serveTls('docs.example');
  const [trusted, untrusted] = await Promise.all([
    readInChild(service.url, { NODE_EXTRA_CA_CERTS: service.certificateFile }),
    readInChild(service.url, { NODE_EXTRA_CA_CERTS: '' }),
  ]);
  expect(trusted).toBe('{"id":"1"}');
  expect(untrusted).toBe(`No answer from ${service.url}: its certificate is not trusted.`);
});

test('a certificate that is not trusted is reported with what to do, and not tried again', async () => {
  await using service = await serveTls('docs.example');
  await using client = httpClient(service.url, { retries: 3 });
  await expect(client.call(things.get, get)).rejects.toMatchObject({
    name: 'NetworkError',
    lasting: true,
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  });
  expect(service.connections()).toBe(0);
});

test('a request that was given up while it connected is not sent when the connection is ready', async () => {
  await using service = await serveTls('127.0.0.1');
  setDefaultCACertificates([service.certificate]);
  const ready: (() => void)[] = [];
  const slow = createServer((socket) => {
    ready.push(() => service.server.emit('connection', socket));
  });
  const url = (await listen(slow)).replace('http:', 'https:');
  await using client = httpClient(url, { timeoutMs: 1000 });

  await expect(client.call(things.create, { body: { title: 'x' } })).rejects.toMatchObject({ awaited: 'connection' });
  ready.shift()!();
  // A second request on a connection that is ready at once shows that the first would have come by now.
  const second = client.call(things.get, get);
  while (ready.length === 0) await new Promise(setImmediate);
  ready.shift()!();
  await expect(second).resolves.toEqual({ id: '1' });
  expect(service.requests).toEqual(['GET /v1/things/1']);
  slow.close();
});

test('an https request to an http service is reported', async () => {
  await using service = await serve((_, response) => json(response, { id: '1' }));
  const url = service.url.replace('http:', 'https:');
  await using client = httpClient(url);
  await expect(client.call(things.get, get)).rejects.toThrow(
    `No answer from ${url}: it does not use TLS as it should.`,
  );
});
