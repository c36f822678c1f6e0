import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { type Home, serve, type Served, test } from '../support/cli.ts';

/** `npm run test:faults` runs the long form. */
const isLong = process.env.DOCSCTL_LONG_TESTS === '1';
const killRounds = isLong ? 15 : 2;

const authorized = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' });

async function makeSpace(instance: Served, token: string): Promise<string> {
  const response = await fetch(`${instance.url}/v1/orgs/${instance.organization}/spaces`, {
    method: 'POST',
    headers: authorized(token),
    body: '{}',
  });
  return ((await response.json()) as { id: string }).id;
}

/** Creates change requests one after the other until the service is gone. @returns the numbers that were acknowledged */
async function writeUntilGone(url: string, token: string, space: string): Promise<number[]> {
  const numbers: number[] = [];
  try {
    for (;;) {
      const response = await fetch(`${url}/v1/spaces/${space}/change-requests`, {
        method: 'POST',
        headers: authorized(token),
        body: '{"subject":"x"}',
      });
      if (response.status !== 201) return numbers;
      numbers.push(((await response.json()) as { number: number }).number);
    }
  } catch {
    return numbers;
  }
}

async function allNumbers(home: Home, space: string): Promise<number[]> {
  const url = `embedded:${join(home.dir, 'served.db')}`;
  const list = await home.docsctl(
    'cr',
    'list',
    '--status',
    'draft',
    '--space',
    space,
    '--url',
    url,
    '--columns',
    'number',
    '-o',
    'tsv',
  );
  expect(list.stderr).toBe('');
  return list.stdout.trim().split('\n').filter(Boolean).map(Number);
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

test(
  'nothing acknowledged is lost when the service is killed under six writers',
  { timeout: 240_000 },
  async ({ home }) => {
    const env = { ...home.env, DOCSCTL_SERVE_TOKEN: 'token-for-the-kill-test' };
    const killed: Home = { ...home, env };
    let space: string | undefined;
    const acknowledged = new Set<number>();
    for (let round = 0; round < killRounds; round++) {
      const instance = await serve(killed);
      space ??= await makeSpace(instance, env.DOCSCTL_SERVE_TOKEN);
      const writers = upTo(6).map(() => writeUntilGone(instance.url, env.DOCSCTL_SERVE_TOKEN, space!));
      await new Promise((resolve) => setTimeout(resolve, 150 + round * 40));
      process.kill(instance.pid, 'SIGKILL');
      for (const number of (await Promise.all(writers)).flat()) acknowledged.add(number);
      await instance.stop();
    }

    const kept = await allNumbers(home, space!);
    const check = await home.docsctl('serve', 'check', '--db', join(home.dir, 'served.db'));

    expect(acknowledged.size).toBeGreaterThan(0);
    expect(kept.toSorted((a, b) => a - b)).toEqual(upTo(kept.length));
    for (const number of acknowledged) expect(kept).toContain(number);
    expect(check.stdout).not.toContain('failed');
    expect(check.exitCode).toBe(0);
  },
);

test(
  'two services and a command on one file number correctly and wait for each other',
  { timeout: 60_000 },
  async ({ home }) => {
    const env = { ...home.env, DOCSCTL_SERVE_TOKEN: 'token-for-two-services' };
    const both: Home = { ...home, env };
    const first = await serve(both);
    const second = await serve(both);
    const space = await makeSpace(first, env.DOCSCTL_SERVE_TOKEN);
    const each = isLong ? 100 : 25;
    const create = async (url: string) => {
      for (let i = 0; i < each; i++) {
        const response = await fetch(`${url}/v1/spaces/${space}/change-requests`, {
          method: 'POST',
          headers: authorized(env.DOCSCTL_SERVE_TOKEN),
          body: '{}',
        });
        expect(response.status).toBe(201);
      }
    };
    await Promise.all([
      create(first.url),
      create(second.url),
      home.docsctl('cr', 'create', '--space', space, '--url', `embedded:${join(home.dir, 'served.db')}`),
    ]);
    const kept = await allNumbers(home, space);
    await Promise.all([first.stop(), second.stop()]);

    expect(kept.toSorted((a, b) => a - b)).toEqual(upTo(each * 2 + 1));
  },
);

test('a newer, a foreign and a damaged file are refused without changing a byte', async ({ home }) => {
  await home.docsctl('init');
  const ours = join(home.dir, 'data', 'local.db');
  const newer = join(home.dir, 'newer.db');
  const foreign = join(home.dir, 'foreign.db');
  const damaged = join(home.dir, 'damaged.db');
  const text = join(home.dir, 'text.db');
  await copyFile(ours, newer);
  const future = new DatabaseSync(newer);
  future.exec('PRAGMA user_version = 999; PRAGMA wal_checkpoint(TRUNCATE)');
  future.close();
  const other = new DatabaseSync(foreign);
  other.exec('create table bookmark (url text); PRAGMA application_id = 42');
  other.close();
  const bytes = await readFile(ours);
  bytes.fill(0x58, 16, 60);
  await writeFile(damaged, bytes);
  await writeFile(text, 'no database at all, just words '.repeat(10));

  for (const [file, told] of [
    [newer, /written by a newer docsctl: it has schema 999, this one knows up to \d+/],
    [foreign, /a database of another program/],
    [damaged, /cannot be used|not a database/],
    [text, /is not a database/],
  ] as const) {
    const before = { bytes: await readFile(file), mtime: (await stat(file)).mtimeMs };
    for (const words of [
      ['members', 'list', '--url', `embedded:${file}`],
      ['serve', '--port', '0', '--db', file],
      ['init', '--db', file],
    ]) {
      const run = await home.docsctl(...words);
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toMatch(told);
      expect(run.stderr).toMatch(/^error: .+\nhint: .+\n$/);
    }
    expect((await readFile(file)).equals(before.bytes)).toBe(true);
    expect((await stat(file)).mtimeMs).toBe(before.mtime);
  }
});

test('on a full disk writes are refused in words, reads go on, and writes go on once there is room', async () => {
  const { instance, call, orgPath } = await testInstance();
  const { sqlite } = instance.store.raw;
  const { page_count: pages } = sqlite.prepare('PRAGMA page_count').get() as { page_count: number };
  sqlite.exec(`PRAGMA max_page_count = ${pages + 2}`);

  let refused;
  for (let i = 0; i < 500 && !refused; i++) {
    const made = await call('POST', `${orgPath}/spaces`, { title: 'x'.repeat(50) });
    if (made.status !== 201) refused = made;
  }
  const before = (await call('GET', `${orgPath}/spaces?limit=0`)).body.count;
  sqlite.exec('PRAGMA max_page_count = 1000000');
  const after = await call('POST', `${orgPath}/spaces`, {});

  expect(refused).toMatchObject({ status: 503, error: { reason: 'unavailable' } });
  expect(refused!.error.message).toContain('disk');
  expect(after.status).toBe(201);
  expect((await call('GET', `${orgPath}/spaces?limit=0`)).body.count).toBe(before + 1);
});

test('a write that fails in the middle of a shared commit harms no other', async () => {
  const { call, orgPath } = await testInstance();

  const answers = await Promise.all([
    call('POST', `${orgPath}/openapi`, { slug: 'same', source: { text: 'openapi: 3.0.0' } }),
    call('POST', `${orgPath}/openapi`, { slug: 'same', source: { text: 'openapi: 3.0.0' } }),
    call('POST', `${orgPath}/spaces`, { title: 'Kept' }),
  ]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
  expect((await call('GET', `${orgPath}/spaces`)).body.items.map((space: any) => space.title)).toEqual(['Kept']);
});
