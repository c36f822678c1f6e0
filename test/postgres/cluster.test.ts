import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished } from 'vitest';
import { startCluster } from '../../scripts/postgres/cluster.ts';
import { serve, test } from '../support/cli.ts';

/** A PostgreSQL of the test's own. */
async function cluster(settings: Record<string, string> = {}) {
  const made = await startCluster(settings);
  onTestFinished(() => made.end());
  return made;
}

test('TLS to the database is verified as sslmode says', { tags: 'openssl', timeout: 60_000 }, async ({ home }) => {
  const dir = await mkdtemp(join(tmpdir(), 'docsctl-tls-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  const [key, certificate] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  const words = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
  execFileSync('openssl', [...words.split(' '), '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  const plain = await cluster();
  const { uid, gid } = await stat(dirname(plain.data));
  for (const path of [dir, key, certificate]) chownSync(path, uid, gid);
  chmodSync(dir, 0o755);
  chmodSync(key, 0o600);
  const { port } = await cluster({ ssl: 'on', ssl_cert_file: certificate, ssl_key_file: key });
  const check = async (host: string, query: string, on = port, env = {}) => {
    const address = `postgres://postgres@${host}:${on}/postgres${query && `?${query}`}`;
    const run = await home.docsctl('serve', 'check', '--db', address, { env });
    return [run.exitCode, run.stderr];
  };
  const trusted = `sslrootcert=${certificate}`;
  const refused = (text: string) => [1, expect.stringContaining(text)];

  expect(await check('localhost', 'sslmode=disable')).toEqual([0, '']);
  expect(await check('localhost', 'sslmode=require')).toEqual([0, '']);
  expect(await check('localhost', `sslmode=verify-full&${trusted}`)).toEqual([0, '']);
  expect(await check('127.0.0.1', `sslmode=verify-ca&${trusted}`)).toEqual([0, '']);
  expect(await check('127.0.0.1', `sslmode=verify-full&${trusted}`)).toEqual(refused('does not match'));
  expect(await check('localhost', 'sslmode=verify-full')).toEqual(refused('self-signed'));
  expect(await check('localhost', 'sslmode=verify-ca')).toEqual(refused('needs to know whom to trust'));
  expect(await check('localhost', 'sslmode=none')).toEqual(refused('there is no sslmode "none"'));
  expect(await check('localhost', 'sslmode=require', plain.port)).toEqual(refused('does not support SSL'));
  const missing = join(dir, 'none.pem');
  expect(await check('localhost', `sslmode=verify-full&sslrootcert=${missing}`)).toEqual(
    refused(`there is no file ${missing}`),
  );

  const variables = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: certificate };
  expect(await check('localhost', '', port, variables)).toEqual([0, '']);
  expect(await check('127.0.0.1', '', port, variables)).toEqual(refused('does not match'));
  expect(await check('127.0.0.1', 'sslmode=require', port, variables)).toEqual([0, '']);
  expect(await check('localhost', '', plain.port, variables)).toEqual(refused('does not support SSL'));
});

test('a dry run of serve makes no tables', async ({ home }) => {
  const { address } = await cluster();

  const run = await home.docsctl('serve', '--seed', 'demo', '--db', address, '--dry-run');

  expect([run.exitCode, run.stderr]).toEqual([0, expect.stringContaining('Would serve postgres://')]);
  const client = new pg.Client(address);
  await client.connect();
  onTestFinished(() => client.end());
  expect((await client.query(`select tablename from pg_tables where schemaname = 'public'`)).rows).toEqual([]);
});

test('a database that cannot be used is told in one sentence', async ({ home }) => {
  const { port } = await cluster();
  const check = async (address: string) => {
    const run = await home.docsctl('serve', '--port', '0', '--db', `postgres://${address}`);
    expect(run.stderr).toMatch(/^error: postgres:.*\nhint: .*\n?$/);
    return [run.exitCode, run.stderr];
  };

  expect(await check('postgres@127.0.0.1:1/x')).toEqual([7, expect.stringContaining('cannot be reached')]);
  expect(await check(`postgres@127.0.0.1:${port}/none`)).toEqual([1, expect.stringContaining('does not exist')]);
  expect(await check(`nobody@127.0.0.1:${port}/x`)).toEqual([1, expect.stringContaining('refused the login')]);
});

test('while the database restarts or crashes requests get 503 and Retry-After, and no acknowledged write is lost', async ({
  home,
}) => {
  const database = await cluster({ fsync: 'on' });
  const { url, token } = await serve(home, '--db', database.address);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const org = (await (await fetch(`${url}/v1/orgs`, { headers })).json()).items[0].id;
  const acknowledged: string[] = [];
  const statuses = new Set<number>();
  let isDone = false;
  const writers = Array.from({ length: 4 }, async (_, writer) => {
    for (let number = 0; !isDone; number += 1) {
      const title = `Space ${writer} ${number}`;
      const answer = await fetch(`${url}/v1/orgs/${org}/spaces`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title }),
      });
      statuses.add(answer.status);
      if (answer.status === 503) expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
      if (answer.ok) acknowledged.push(title);
      else await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  const ready = async () => (await fetch(`${url}/readyz`)).status;

  for (const end of [database.stop, database.kill]) {
    const before = acknowledged.length;
    await expect.poll(() => acknowledged.length - before).toBeGreaterThan(20);
    await end();
    await expect.poll(ready).toBe(503);
    await database.start();
    await expect.poll(ready).toBe(200);
  }
  const before = acknowledged.length;
  await expect.poll(() => acknowledged.length - before).toBeGreaterThan(20);
  isDone = true;
  await Promise.all(writers);

  const titles = new Set<string>();
  for (let page: string | undefined = ''; page !== undefined;) {
    const answer: { items: { title: string }[]; next?: { page: string } } = await (
      await fetch(`${url}/v1/orgs/${org}/spaces?limit=1000${page && `&page=${page}`}`, { headers })
    ).json();
    for (const { title } of answer.items) titles.add(title);
    page = answer.next?.page;
  }
  expect(acknowledged.filter((title) => !titles.has(title))).toEqual([]);
  expect([...statuses].every((status) => [200, 201, 503].includes(status))).toBe(true);
  expect(statuses).toContain(503);
});
