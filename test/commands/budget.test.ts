import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { type Home, serve, test, useOwnCache } from '../support/cli.ts';

const token = 'token-of-a-limited-service';

/** A service over the demo that limits requests, and what it answered. */
async function limited(demo: Home & { org: string }, limit: string) {
  useOwnCache(demo);
  const db = join(demo.dir, 'data', 'local.db');
  const home = { ...demo, env: { ...demo.env, DOCSCTL_SERVE_TOKEN: token } };
  const service = await serve(home, '--db', db, '--log', 'json', '--fault', `limit=${limit}`);
  const env = { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: token, DOCSCTL_ORG: service.organization };
  const requests = () =>
    service
      .log()
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line): { method: string; status: number } => JSON.parse(line));
  return { ...service, env, requests, folder: join(demo.dir, 'cache', 'budgets') };
}

const budgetFiles = async (folder: string) => {
  const [name = ''] = await readdir(folder);
  return { lock: join(folder, name, '.lock'), budget: join(folder, name, 'budget.json') };
};

test('three processes share a limit: few requests are refused, and nothing is lost', async ({ demo }) => {
  const people = await demo.docsctl('members', 'list', '--role', 'comment', '--limit', '90', '-o', 'id');
  const ids = people.stdout.trim().split('\n');
  expect(ids).toHaveLength(90);
  const service = await limited(demo, '10/1s');
  const runs = [0, 1, 2].map((part) =>
    demo.docsctl('members', 'edit', ...ids.slice(part * 30, part * 30 + 30), '--role', 'read', '--yes', '-o', 'id', {
      env: { ...service.env, DOCSCTL_JOURNAL: 'off' },
    }),
  );
  for (const run of await Promise.all(runs)) expect(run).toMatchObject({ exitCode: 0 });
  await service.stop();

  const requests = service.requests();
  const changed = requests.filter(({ method, status }) => method === 'PATCH' && status === 200);
  expect(changed).toHaveLength(90);
  const refused = requests.filter(({ status }) => status === 429);
  // Each process meets the limit once, with all requests that it has in flight.
  expect(refused.length).toBeLessThanOrEqual(24 + 10);
  const left = await demo.docsctl('members', 'list', '--role', 'read', '-o', 'id');
  expect(ids.filter((id) => left.stdout.includes(id))).toHaveLength(90);
});

test('reads that meet no limit leave nothing behind', async ({ demo }) => {
  const service = await limited(demo, '1000/1s');
  expect(await demo.docsctl('members', 'list', '-o', 'id', { env: service.env })).toMatchObject({ exitCode: 0 });
  await service.stop();
  await expect(readdir(service.folder)).rejects.toThrow('ENOENT');
});

test('a killed holder, a stopped holder, and damaged files do not stop requests', async ({ demo }) => {
  const service = await limited(demo, '5/1s');
  const list = () => demo.docsctl('members', 'list', '--page-size', '50', '-o', 'id', { env: service.env });
  const whole = await list();
  expect(whole).toMatchObject({ exitCode: 0 });
  const files = await budgetFiles(service.folder);

  const holder = spawn(process.execPath, [
    '-e',
    `const { DatabaseSync } = require('node:sqlite');
     new DatabaseSync(${JSON.stringify(files.lock)}).exec('BEGIN EXCLUSIVE');
     console.log('held'); setInterval(() => {}, 1000);`,
  ]);
  await new Promise((resolve) => holder.stdout.once('data', resolve));
  const beside = await list();
  expect(beside).toMatchObject({ exitCode: 0, stdout: whole.stdout });
  holder.kill('SIGKILL');
  await new Promise((resolve) => holder.once('exit', resolve));
  new DatabaseSync(files.lock).exec('BEGIN EXCLUSIVE');

  for (const text of ['', '{"interval":', '{"interval":9e99}', '\u0000'.repeat(500)]) {
    await writeFile(files.budget, text);
    expect(await list(), text).toMatchObject({ exitCode: 0, stdout: whole.stdout });
  }
  await rm(files.budget);
  await mkdir(files.budget);
  expect(await list()).toMatchObject({ exitCode: 0, stdout: whole.stdout });
  await service.stop();
  expect((await readFile(files.lock)).length).toBe(0);
});

test('Ctrl-C ends the wait for a place', async ({ demo }) => {
  const service = await limited(demo, '2/20s');
  const people = await demo.docsctl('members', 'list', '--role', 'comment', '--limit', '20', '-o', 'id');
  const words = ['members', 'edit', ...people.stdout.trim().split('\n'), '--role', 'read', '--yes'];
  const run = await demo.docsctl(...words, { env: service.env, timeout: 4000, killSignal: 'SIGINT' });
  await service.stop();
  expect(run.exitCode).toBe(130);
  expect(run.stderr).toContain('The service limits the rate (429)');
});
