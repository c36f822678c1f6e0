import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FileResponse } from '../../src/server/http/file-response.ts';
import type { InstanceResponse } from '../../src/server/engine/request.ts';
import { raw, served } from '../support/listening.ts';

const ok = { status: 200, headers: {}, body: 'text' };

/** A temporary file with a text. */
function temporaryFile(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-response-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'file');
  writeFileSync(file, text);
  return file;
}

/** A response whose file is deleted before it is sent. */
function withoutFile(): InstanceResponse {
  const file = temporaryFile('text');
  rmSync(file);
  return new FileResponse({}, file);
}

/** A response whose file can be found, but not read. */
function unreadable(): InstanceResponse {
  return new FileResponse({}, tmpdir());
}

const invalid: Record<string, () => unknown> = {
  'a line break in a header': () => ({ ...ok, headers: { 'set-cookie': 'a=b\r\nx: y' } }),
  'a header in another script': () => ({ ...ok, headers: { location: '/ポンプ' } }),
  'a header without a value': () => ({ ...ok, headers: { location: undefined } }),
  'an invalid name of a header': () => ({ ...ok, headers: { 'a b': 'c' } }),
  'no status': () => ({ ...ok, status: 1000 }),
  'no body': () => ({ ...ok, body: undefined }),
  'no headers': () => ({ ...ok, headers: undefined }),
  'a body that throws': () => ({
    ...ok,
    get body() {
      throw new Error('no body');
    },
  }),
  'a file that is gone': withoutFile,
  'a file that cannot be read': unreadable,
};

test.each(Object.entries(invalid))(
  'a response that cannot be sent is logged and closes its connection: %s',
  async (_, respond) => {
    const service = await served({ replay: () => respond() as InstanceResponse });
    const logged = vi.spyOn(service.instance.log, 'error').mockImplementation(() => {});
    const head = 'Host: localhost\r\nConnection: keep-alive\r\n';
    const requests = [
      `GET /v1/user HTTP/1.1\r\n${head}\r\n`,
      `POST /v1/orgs HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Type: application/json\r\n\r\n{}`,
      // The rest of this body never arrives.
      `POST /v1/orgs HTTP/1.1\r\n${head}Content-Length: 20000000\r\n\r\n{}`,
    ];

    for (const text of requests) await raw(service.port, text);

    await expect.poll(() => logged.mock.calls.length).toBeGreaterThanOrEqual(2);
    // Others are answered.
    expect((await fetch(`${service.url}/metrics`)).status).toBe(200);
  },
);

test('a response is sent even if its log or recording fails, or the error cannot be logged', async () => {
  const fail = () => {
    throw new Error('no space left on device');
  };
  const service = await served({ log: fail });
  vi.spyOn(service.instance.log, 'error').mockImplementation(fail);
  for (let index = 0; index < 3; index++) expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

  const recorded = await served({ record: fail });
  const logged = vi.spyOn(recorded.instance.log, 'error').mockImplementation(() => {});
  expect((await fetch(`${recorded.url}/healthz`)).status).toBe(500);
  expect(logged).toHaveBeenCalledOnce();
});

test('a file that was sent is deleted, also where its reader went away', async () => {
  const files: string[] = [];
  const { url } = await served({
    replay() {
      const file = temporaryFile('x'.repeat(20_000_000));
      files.push(file);
      return new FileResponse({ 'content-type': 'text/plain' }, file);
    },
  });
  const exists = async () => {
    const { existsSync } = await import('node:fs');
    return files.some((file) => existsSync(file));
  };

  expect(await (await fetch(`${url}/a`)).text()).toHaveLength(20_000_000);
  expect((await fetch(`${url}/a`, { method: 'HEAD' })).headers.get('content-length')).toBe('20000000');
  const leaving = new AbortController();
  const { body } = await fetch(`${url}/a`, { signal: leaving.signal });
  await body!.getReader().read();
  leaving.abort();

  await expect.poll(exists).toBe(false);
  expect(files).toHaveLength(3);
});

test('a request with two Host headers, or none, is refused with 400', async () => {
  const { port } = await served({ hosts: ['docs.test'] });
  const ask = (...headers: string[]) =>
    raw(port, `GET /healthz HTTP/1.1\r\n${headers.map((line) => `${line}\r\n`).join('')}Connection: close\r\n\r\n`);

  for (const headers of [
    ['Host: localhost', 'Host: evil.example'],
    ['Host: evil.example', 'host: localhost'],
    ['Host: localhost', 'HOST: localhost'],
    ['Host: localhost', 'Accept: */*', 'Host:'],
    ['Host: docs.test', 'Host: docs.test', 'Host: docs.test'],
    [],
  ]) {
    const answer = await ask(...headers);
    expect([headers, answer.split('\r\n')[0]]).toEqual([headers, 'HTTP/1.1 400 Bad Request']);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!).error).toMatchObject({
      reason: 'validation',
      details: [{ in: 'header', path: 'Host' }],
    });
  }
  expect(await ask('Host: localhost')).toContain('HTTP/1.1 200 OK');
});
