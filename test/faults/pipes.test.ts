import { openSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home, test } from '../support/cli.ts';
import { listen } from '../support/service.ts';
import { isLong } from '../support/long-form.ts';

const pages = 10;

/** A service with a list of over 5 MB, and a description of an API that is as long. */
async function large(words: string[]): Promise<Record<string, string>> {
  // Long cells are cut in a table: it takes more of them.
  const perPage = words.includes('table') ? 1000 : 500;
  const text = `${'Long words that go on, "quoted", über alles\\n'.repeat(24)}`;
  const url = await listen((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url!.includes('/content')) {
      const filesystem = { 'openapi.json': { openapi: '3.1.0', info: { title: text.repeat(5500) } } };
      return response.end(JSON.stringify({ filesystem }));
    }
    const page = Number(new URL(request.url!, 'http://service').searchParams.get('page') ?? 0);
    const items = Array.from({ length: perPage }, (_, index) => ({
      object: 'team',
      id: `t${page * perPage + index}`,
      title: text,
      members: index,
      createdAt: '2026-01-01T00:00:00.000Z',
    }));
    const next = page + 1 < pages ? { next: { page: String(page + 1) } } : {};
    response.end(JSON.stringify({ ...next, count: pages * perPage, items }));
  });
  return { DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', DOCSCTL_ORG: 'Or1' };
}

const formats = isLong ? ['json', 'jsonl', 'table', 'csv', 'tsv', 'yaml'] : ['json', 'csv'];
const commands: string[][] = [
  ...formats.map((format) => ['teams', 'list', '-o', format]),
  ['api', 'orgs/Or1/teams', '--paginate'],
  ...(isLong
    ? [
        ['teams', 'list', '--jq', '.[].title'],
        ['teams', 'list', '-o', 'json', '--columns', 'title,id'],
        ['openapi', 'download', 'pumps', '--out', '-'],
      ]
    : []),
];

const start = (home: Home, words: string[], env: Record<string, string>, more: object = {}) =>
  execa(process.execPath, [bin, ...words], {
    cwd: home.dir,
    env: { ...home.env, ...env },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    encoding: 'buffer',
    stripFinalNewline: false,
    ...more,
  });

for (const words of commands) {
  const name = words.join(' ');

  test(`${name}: 5 MB arrive whole at a slow reader`, async ({ home }) => {
    const env = await large(words);
    const file = join(home.dir, 'out');
    await start(home, words, env, { stdout: { file } });
    const whole = await readFile(file);

    const child = start(home, words, env, { buffer: false });
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout as unknown as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      // Slower than the command writes, so that the pipe is full all the time.
      await new Promise((resolve) => setTimeout(resolve, 2));
    }

    expect((await child).exitCode).toBe(0);
    expect(whole.length).toBeGreaterThan(5_000_000);
    expect(Buffer.concat(chunks).equals(whole)).toBe(true);
  });

  test(`${name}: a reader that closes the pipe ends it without an error`, async ({ home }) => {
    const env = await large(words);
    const child = start(home, words, env, { stdout: 'pipe' });
    child.stdout.once('data', () => child.stdout.destroy());

    const { exitCode, stderr } = await child;

    expect([exitCode, Buffer.from(stderr).toString()]).toEqual([0, '']);
  });

  test(`${name}: a full device is an error`, { tags: 'linux' }, async ({ home }) => {
    const env = await large(words);
    const { exitCode, stderr } = await start(home, words, env, { stdout: openSync('/dev/full', 'w') });

    expect(exitCode).toBe(1);
    expect(Buffer.from(stderr).toString()).toMatch(
      /Standard output cannot be written: no space left on the device \(ENOSPC\)/,
    );
    expect(Buffer.from(stderr).toString()).not.toMatch(/^ {4}at /m);
  });
}

test('an upload from standard input of 5 MB arrives whole', async ({ home }) => {
  const sent: Buffer[] = [];
  const url = await listen(async (request, response) => {
    for await (const chunk of request) sent.push(chunk as Buffer);
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  const body = JSON.stringify({ title: 'ü'.repeat(2_500_000) });
  await writeFile(join(home.dir, 'body.json'), body);

  const run = await execa('sh', ['-c', 'cat body.json | "$NODE" "$BIN" api POST orgs --input -'], {
    cwd: home.dir,
    env: { ...home.env, DOCSCTL_URL: url, DOCSCTL_TOKEN: 'token', NODE: process.execPath, BIN: bin },
    extendEnv: false,
    reject: false,
  });

  expect(run.exitCode, run.stderr).toBe(0);
  expect(Buffer.concat(sent).toString()).toBe(body);
});
