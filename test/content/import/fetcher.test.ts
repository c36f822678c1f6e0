import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import {
  allowWhereFirst,
  decodeText,
  fetchBytes,
  fetchText,
  isPublic,
  openAgents,
} from '../../../src/content/import/fetcher.ts';
import { serveBytes } from '../../client/support.ts';

const limits = { maxBytes: 100_000, timeoutMs: 5_000 };
const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listen(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  host = '127.0.0.1',
): Promise<{ url: string; port: number }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push({ close: () => (server.close(), server.closeAllConnections()) });
  const { port } = server.address() as AddressInfo;
  return { url: `http://${host}:${port}/`, port };
}

const failure = (code: string) => expect.objectContaining({ name: 'ImportFailure', code });

describe('checking addresses', () => {
  test.each([
    '127.0.0.1',
    '127.8.9.10',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    'fe80::1',
    'fe80::1%eth0',
    'fc00::1',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '::127.0.0.1',
    '::10.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::127.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::a00:1',
    '2002:7f00:1::',
    '2002:c0a8:101::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '100::1',
    'x',
    '',
  ])('%s is not public', (address) => expect(isPublic(address)).toBe(false));

  test.each([
    '1.1.1.1',
    '172.32.0.1',
    '9.255.255.255',
    '2606:4700::1111',
    '::ffff:1.1.1.1',
    '64:ff9b::1.1.1.1',
    '2002:101:101::1',
  ])('%s is public', (address) => expect(isPublic(address)).toBe(true));

  test.each([
    'http://127.0.0.1:PORT/',
    'http://localhost:PORT/',
    'http://2130706433:PORT/',
    'http://0x7f000001:PORT/',
    'http://0177.0.0.1:PORT/',
    'http://127.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://[::1]:PORT/',
    'http://0:PORT/',
    'http://127.0.0.1.:PORT/',
    'http://①②⑦.0.0.1:PORT/',
    'file:///etc/passwd',
    'ftp://a.example/',
    'gopher://127.0.0.1:PORT/',
    'data:text/plain,x',
    '//a',
    'javascript:1',
    '',
  ])('%s is refused before anything is asked', async (url) => {
    let asked = 0;
    const { port } = await listen((_, response) => (asked++, response.end('secret')));
    await expect(fetchText(url.replace('PORT', String(port)), limits)).rejects.toThrow(failure('blocked'));
    expect(asked).toBe(0);
  });

  test('a name is refused when any of its addresses is private', async () => {
    const resolve = async () => [
      { address: '93.184.215.14', family: 4 },
      { address: '10.0.0.7', family: 4 },
    ];
    await expect(fetchText('http://docs.example/', { ...limits, resolve })).rejects.toThrow(failure('blocked'));
  });

  test('the connection goes to the address that was checked', async () => {
    let asked = 0;
    const { port } = await listen((_, response) => response.end('here'));
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? '127.0.0.1' : '203.0.113.1', family: 4 }];
    };
    expect(await fetchText(`http://docs.example:${port}/`, { ...limits, allowPrivate: true, resolve })).toBe('here');
    expect(asked).toBe(1);
  });

  test('redirects are checked again', async () => {
    let asked = 0;
    const inner = await listen((_, response) => (asked++, response.end('secret')), '127.0.0.2');
    const outer = await listen((_, response) => response.writeHead(302, { location: inner.url }).end());
    const allowPrivate = (address: string) => address === '127.0.0.1';
    await expect(fetchText(outer.url, { ...limits, allowPrivate })).rejects.toThrow(failure('blocked'));
    expect(asked).toBe(0);
    expect(await fetchText(outer.url, { ...limits, allowPrivate: true })).toBe('secret');
  });

  test('a public address leads into no private network, and a private one anywhere', () => {
    const fromPublic = allowWhereFirst();
    expect(['93.184.215.14', '10.0.0.7', '169.254.169.254', '1.1.1.1'].map(fromPublic)).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const fromPrivate = allowWhereFirst();
    expect(['10.0.0.7', '93.184.215.14', '127.0.0.1'].map(fromPrivate)).toEqual([true, true, true]);
  });

  test('redirects to other schemes are refused', async () => {
    const { url } = await listen((_, response) => response.writeHead(301, { location: 'file:///etc/passwd' }).end());
    await expect(fetchText(url, { ...limits, allowPrivate: true })).rejects.toThrow(failure('blocked'));
  });
});

describe('fetching', () => {
  const inside = { ...limits, allowPrivate: true };

  test('follows five redirects and not six', async () => {
    const { url } = await listen((request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) response.end('end');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    });
    expect(await fetchText(`${url}5`, inside)).toBe('end');
    expect((await fetchBytes(`${url}2#part`, inside)).url).toBe(`${url}0#part`);
    await expect(fetchText(`${url}6`, inside)).rejects.toThrow(failure('redirects'));
  });

  test('stops at the limit of bytes: announced, sent or unpacked', async () => {
    const { url } = await listen((request, response) => {
      const body = Buffer.alloc(200_000, 'a');
      if (request.url === '/gzip') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
      else if (request.url === '/chunked') response.writeHead(200).write(body, () => response.end());
      else response.end(body);
    });
    for (const path of ['', 'gzip', 'chunked']) {
      await expect(fetchText(url + path, inside)).rejects.toThrow(failure('too-large'));
    }
    expect((await fetchText(`${url}gzip`, { ...inside, maxBytes: 200_000 })).length).toBe(200_000);
  });

  test('stops when time is up, in the head or in the body', async () => {
    const { url } = await listen((request, response) => {
      if (request.url === '/body') response.writeHead(200).write('a');
    });
    for (const path of ['', 'body']) {
      await expect(fetchText(url + path, { ...inside, timeoutMs: 50 })).rejects.toThrow(failure('timeout'));
    }
  });

  test.for([
    [
      'with the headers of an upgrade',
      'HTTP/1.1 101 secret\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nsecret',
    ],
    ['alone', 'HTTP/1.1 101 secret\r\n\r\n'],
    ['behind other interim answers', 'HTTP/1.1 100 x\r\n\r\nHTTP/1.1 103 x\r\n\r\nHTTP/1.1 101 x\r\n\r\n'],
  ] as const)('a 101 %s ends it at once', async ([, bytes]) => {
    await using service = await serveBytes(bytes);
    const agents = await openAgents(1);
    const refused = expect.objectContaining({
      code: 'unreachable',
      message: 'The address switches to another protocol (101) instead of responding.',
    });
    // Far beyond the test's own time limit: nothing but the answer may end it.
    const patient = { ...inside, timeoutMs: 600_000 };

    await expect(fetchText(service.url, patient)).rejects.toThrow(refused);
    // The connection must not be kept for the next one.
    for (const _ of [1, 2]) await expect(fetchText(service.url, { ...patient, agents })).rejects.toThrow(refused);

    agents.close();
  });

  test('interim answers do not lengthen the time', async () => {
    await using service = await serveBytes('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1000));
    await expect(fetchText(service.url, { ...inside, timeoutMs: 100 })).rejects.toThrow(failure('timeout'));
  });

  test('errors contain nothing of the response', async () => {
    const { url, port } = await listen((request, response) => {
      if (request.url === '/cut')
        response.writeHead(200, { 'content-length': 10 }).write('secret', () => response.destroy());
      else if (request.url === '/odd') response.socket!.end('secret secret\r\n\r\n');
      else response.writeHead(500, 'secret').end('secret');
    });
    const codes = { '': 'status', cut: 'unreachable', odd: 'unreachable' };
    for (const [path, code] of Object.entries(codes)) {
      const error = await fetchText(url + path, inside).catch((thrown: unknown) => thrown);
      expect(error).toEqual(failure(code));
      expect(String((error as Error).stack)).not.toMatch(`secret|${port}`);
    }
    await expect(fetchText('http://127.0.0.1:1/', inside)).rejects.toThrow(failure('unreachable'));
    await expect(
      fetchText('http://a.invalid/', { ...limits, resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
    ).rejects.toThrow(failure('unreachable'));
  });

  test('reads data: addresses where they are allowed', async () => {
    const read = async (url: string) => (await fetchBytes(url, { ...limits, data: true })).bytes.toString('latin1');
    expect(await read('data:,a%20b+c')).toBe('a b+c');
    expect(await read('data:text/markdown;base64,IyBI%61Q==')).toBe('# Hi');
    expect(await read('DATA:application/zip,%00%ff%zz')).toBe('\0\xff%zz');
    await expect(read('data:text/plain')).rejects.toThrow(failure('unreadable'));
    await expect(read(`data:,${'a'.repeat(100_001)}`)).rejects.toThrow(failure('too-large'));
  });

  test('decodes text as it is marked or declared', () => {
    expect(decodeText(Buffer.from('\uFEFFü'))).toBe('ü');
    expect(decodeText(Buffer.from('fc', 'hex'), 'text/plain; charset="iso-8859-1"')).toBe('ü');
    expect(decodeText(Buffer.from('<meta charset=windows-1252>\x80', 'latin1'), 'text/html')).toContain('€');
    expect(decodeText(Buffer.from('ü'), 'text/plain; charset=nonsense')).toBe('ü');
  });
});
