import { describe, expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { test } from '../support/in-process.ts';
import { serveBytes } from './support.ts';

const body = JSON.stringify({ id: 'mirela', displayName: 'Mirela' });
const answer = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const upgrade = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const bare = 'HTTP/1.1 101 Switching Protocols\r\n\r\n';

const asked = (home: Home, url: string, ...words: string[]) =>
  home.docsctl(...words, { env: { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'a-token' } });

test.for([
  ['one 100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['several 100', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(3)],
  ['a 100 with headers', 'HTTP/1.1 100 Continue\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n\r\n'],
  ['102 and 103', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
] as const)('%s before the answer is read past', async ([, before], { home }) => {
  await using service = await serveBytes(before + answer);

  const read = await asked(home, service.url, 'api', 'user');
  const written = await asked(home, service.url, 'api', 'POST', 'user', '-f', 'a=b');

  expect([read.exitCode, read.stdout, read.stderr]).toEqual([0, `${body}\n`, '']);
  expect([written.exitCode, written.stderr, service.requests()]).toEqual([0, '', 2]);
});

describe.for([
  ['with the headers of an upgrade', upgrade],
  ['alone', bare],
  ['before an answer', bare + answer],
] as const)('a 101 %s', ([, bytes]) => {
  test('ends a request at once, and it is not sent again', async ({ home }) => {
    await using service = await serveBytes(bytes);

    const run = await asked(home, service.url, 'api', 'user');

    expect([run.exitCode, run.stdout, service.requests()]).toEqual([7, '', 1]);
    expect(run.stderr).toContain(
      `No answer from ${service.url}: it switched to another protocol (101) without being asked.`,
    );
  });

  test('ends the reading of metadata and of an OpenAPI description', async ({ home }) => {
    await using service = await serveBytes(bytes);

    const metadata = await asked(home, service.url, 'sso', 'setup', '--metadata', `${service.url}/m`, '--org', 'o');
    const description = await home.docsctl('openapi', 'validate', `${service.url}/spec.yaml`);

    expect([metadata.exitCode, description.exitCode]).toEqual([7, 7]);
    expect(metadata.stderr).toContain('The address switches to another protocol (101) instead of responding.');
    expect(description.stderr).toContain('it switched to another protocol (101)');
  });
});
