import { copyFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { testInstance } from '../support/instance.ts';
import { type Home, serve, type Served, test } from '../support/cli.ts';
import { initialize } from '../support/prepared.ts';
import { listen } from '../support/service.ts';
import { isLong } from '../support/long-form.ts';
import { connectionOf } from '../support/engine.ts';

/** `npm run test:faults` runs the long form. */
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

interface Acknowledged {
  /** Numbers of change requests. */
  numbers: number[];
  /** Pages by their change request. */
  pages: { request: string; titles: string[] }[];
}

/** Makes change requests with pages in them until the service is gone. @param done gets what was acknowledged */
async function writeUntilGone(url: string, token: string, space: string, done: Acknowledged): Promise<void> {
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}/v1/spaces/${space}/${path}`, {
      method: 'POST',
      headers: authorized(token),
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as any;
  };
  for (;;) {
    try {
      const { id, number } = await post('change-requests', { subject: 'x' });
      done.numbers.push(number);
      const titles = ['One', 'Two', 'Three'].map((title) => `${title} of ${number}`);
      const changes = titles.map((title) => ({
        operation: 'insert_page',
        title,
        document: { markdown: 'Text.\n' },
      }));
      await post(`change-requests/${id}/content`, { changes });
      done.pages.push({ request: id, titles });
    } catch (error) {
      // Gone, as it was meant to be; an answer that refuses is another matter.
      if ((error as Error).message.startsWith('fetch failed') || (error as Error).name === 'TypeError') return;
      throw error;
    }
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
  'no acknowledged write is lost when the service is killed during six writes',
  { timeout: 240_000 },
  async ({ home }) => {
    const env = { ...home.env, DOCSCTL_SERVE_TOKEN: 'token-for-the-kill-test' };
    const killed: Home = { ...home, env };
    let space: string | undefined;
    const acknowledged: Acknowledged = { numbers: [], pages: [] };
    for (let round = 0; round < killRounds; round++) {
      const start = performance.now();
      const instance = await serve(killed);
      expect((await fetch(`${instance.url}/readyz`)).status).toBe(200);
      // The promise is 5 s; the rest is for a machine that is busy.
      expect(performance.now() - start).toBeLessThan(15_000);
      space ??= await makeSpace(instance, env.DOCSCTL_SERVE_TOKEN);
      const { pages } = acknowledged;
      const before = pages.length;
      const writers = upTo(6).map(() => writeUntilGone(instance.url, env.DOCSCTL_SERVE_TOKEN, space!, acknowledged));
      // At another moment each time; the other writers are anywhere between two answers.
      await expect.poll(() => pages.length - before, { interval: 5 }).toBeGreaterThan(10 + round * 3);
      process.kill(instance.pid, 'SIGKILL');
      await Promise.all(writers);
      await instance.stop();
    }

    const kept = await allNumbers(home, space!);
    const last = await serve(killed);
    for (const { request, titles } of acknowledged.pages.slice(-50)) {
      const address = `${last.url}/v1/spaces/${space}/change-requests/${request}/content/pages`;
      const response = await fetch(address, { headers: authorized(env.DOCSCTL_SERVE_TOKEN) });
      const storedTitles = ((await response.json()) as any).pages.map((page: any) => page.title);
      expect(storedTitles).toEqual(titles);
    }
    await last.stop();
    const check = await home.docsctl('serve', 'check', '--db', join(home.dir, 'served.db'));

    expect(kept.toSorted((a, b) => a - b)).toEqual(upTo(kept.length));
    expect(kept).toEqual(expect.arrayContaining(acknowledged.numbers));
    expect(check.stdout).not.toContain('failed');
    expect(check.exitCode).toBe(0);
  },
);

test('two services and a command on one file number correctly and wait for each other', async ({ home }) => {
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
});

test('background work that a kill interrupted is resumed at the next start', async ({ home }) => {
  const env = {
    ...home.env,
    DOCSCTL_SERVE_TOKEN: 'token-for-the-background',
    DOCSCTL_SERVE_ALLOW_PRIVATE_IMPORTS: '1',
  };
  let isBack = false;
  // A source that says nothing as long as the first service lives.
  const source = await listen((_, response) => {
    if (isBack) response.end('openapi: 3.1.0\ninfo: { title: Pets, version: "1" }\npaths: {}\n');
  });
  const first = await serve({ ...home, env });
  const address = `/v1/orgs/${first.organization}/openapi/pets`;
  const headers = authorized(env.DOCSCTL_SERVE_TOKEN);
  const body = JSON.stringify({ source: { url: `${source}/pets.yaml` } });
  const state = async ({ url }: Served) =>
    ((await (await fetch(url + address, { headers })).json()) as any).processingState as string;
  const published = await fetch(first.url + address, { method: 'PUT', headers, body });
  const before = await state(first);
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  isBack = true;

  const second = await serve({ ...home, env });
  await expect.poll(() => state(second)).toBe('complete');
  const status = await second.stop();

  expect(published.ok).toBe(true);
  expect(before).not.toBe('complete');
  expect(status).toBe(0);
});

test('a newer, a foreign and a damaged file are refused without changing a byte', async ({ home }) => {
  await initialize(home);
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

  for (const [file, message] of [
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
      expect(run.stderr).toMatch(message);
      expect(run.stderr).toMatch(/^error: .+\nhint: .+\n$/);
    }
    expect((await readFile(file)).equals(before.bytes)).toBe(true);
    expect((await stat(file)).mtimeMs).toBe(before.mtime);
  }
});

test('on a full disk writes are refused with a message, reads work, and writes work again when there is space', async () => {
  const { instance, call, orgPath } = await testInstance();
  const { sqlite } = connectionOf(instance.store);
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

test('a write that fails in the middle of a shared commit does not affect the others', async () => {
  const { call, orgPath } = await testInstance();

  const answers = await Promise.all([
    call('POST', `${orgPath}/openapi`, { slug: 'same', source: { text: 'openapi: 3.0.0' } }),
    call('POST', `${orgPath}/openapi`, { slug: 'same', source: { text: 'openapi: 3.0.0' } }),
    call('POST', `${orgPath}/spaces`, { title: 'Kept' }),
  ]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409]);
  expect((await call('GET', `${orgPath}/spaces`)).body.items.map((space: any) => space.title)).toEqual(['Kept']);
});
