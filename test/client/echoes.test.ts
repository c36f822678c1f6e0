import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';
import { serve } from './support.ts';

const token = 'docsctl_q8Zt+Yp/4Wm="x';
const base64 = (text: string) => Buffer.from(text).toString('base64');
const unicode = (text: string) =>
  [...text].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** How a service may give back what it got, and a part of it that must not be seen. */
const echoes: Record<string, [echo: string, part: string]> = {
  plain: [token, 'q8Zt+Yp'],
  percent: [encodeURIComponent(token), 'q8Zt%2BYp'],
  'lower-case': [token.toLowerCase(), 'q8zt+yp'],
  base64: [base64(token), base64(token).slice(3, -6)],
  'base64-within': [base64(`Bearer ${token}`), base64(`Bearer ${token}`).slice(13, -6)],
  'base64-url': [
    Buffer.from(`{"t":"${token}"}`).toString('base64url'),
    Buffer.from(`{"t":"${token}"}`).toString('base64url').slice(11, -6),
  ],
};

/** Texts that stand in JSON as they are. */
const inJson = { unicode: unicode(token), slashes: 'docsctl_q8Zt+Yp\\/4Wm=\\"x' };

const echo = (status: number, isList = false) =>
  serve((_, response) => {
    for (const [name, [text]] of Object.entries(echoes)) response.setHeader(`x-${name}`, text);
    const members = Object.entries(echoes).map(([name, [text]]) => `${JSON.stringify(name)}:${JSON.stringify(text)}`);
    const raw = Object.entries(inJson).map(([name, text]) => `"${name}":"${text}"`);
    const all = `{${[...members, ...raw].join(',')}}`;
    const error = `{"error":{"message":"No ${inJson.unicode} ${echoes['base64-within']![0]}"},"echo":${all}}`;
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(status >= 400 ? error : isList ? `{"items":[{"id":"1"}],"count":1,"echo":${all}}` : all);
  });

const parts = [...Object.values(echoes).map(([, part]) => part), inJson.unicode, inJson.slashes, 'q8Zt'];
const seenIn = (text: string) => parts.filter((part) => text.includes(part));

test.for([
  ['api user --include', 200],
  ['api user -i -o json', 200],
  ['api user -i', 401],
  ['api user -i -o json', 401],
  ['whoami', 401],
  ['whoami -o json', 403],
  ['members list --debug -o id', 200],
  ['members view x --debug --quiet -o id', 401],
] as const)(
  '%s shows no form of the token where the service answers %i with all of them',
  async ([line, status], { home }) => {
    await using service = await echo(status, line.startsWith('members list'));

    const run = await home.docsctl(...line.split(' '), {
      env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'lumen' },
    });

    const out = run.stdout + run.stderr;
    expect(service.requests.length).toBeGreaterThan(0);
    expect(out).toContain('[hidden]');
    expect(seenIn(out)).toEqual([]);
  },
);

test('--paginate --include shows no secrets either, and the items unchanged', async ({ home }) => {
  await using service = await echo(200, true);
  const env = { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token };

  const run = await home.docsctl('api', 'orgs/lumen/members', '--paginate', '-i', { env });

  expect(run.stdout).toMatch(/^HTTP 200\n/);
  expect(run.stdout).toMatch(/"id":\s*"1"/);
  expect(seenIn(run.stdout + run.stderr)).toEqual([]);
});

test('a HAR file contains no secrets, whatever the response', async ({ home }) => {
  const file = join(home.dir, 'exchanges.har');
  for (const status of [200, 401]) {
    await using service = await echo(status);
    const env = { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token };

    await home.docsctl('api', `user?token=${encodeURIComponent(token)}`, '--debug=har', file, { env });

    const text = await readFile(file, 'utf8');
    const [entry] = JSON.parse(text).log.entries;
    expect(entry.response.status).toBe(status);
    expect(seenIn(text)).toEqual([]);
    // What stands in it as text is text of JSON once more.
    expect(seenIn(entry.response.content.text)).toEqual([]);
  }
});

test('the answer alone is printed as it came', async ({ home }) => {
  await using service = await echo(200);
  const run = await home.docsctl('api', 'user', { env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token } });
  expect(run.json).toMatchObject({ plain: token, unicode: token, slashes: token });
});
