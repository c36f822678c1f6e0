import { existsSync } from 'node:fs';
import { chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve } from '../support/cli.ts';
import { type Demo, makeDemo } from '../support/shell.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await makeDemo();
});
afterAll(() => demo.remove());

test('--dry-run prints what would be done to the instance, and does nothing', async () => {
  const home = await demo.copy();
  const kept = (await home.run(['serve', 'token', 'create', '--jq', '.id'])).stdout.trim();
  const copy = join(home.dir, 'copy.db');

  const made = await home.run(['serve', 'token', 'create', '--dry-run']);
  const revoked = await home.run(['serve', 'token', 'revoke', kept, '--dry-run']);
  const copied = await home.run(['serve', 'backup', copy, '--dry-run']);
  const served = await home.run(['serve', '--db', copy, '--dry-run']);
  const tokens = (await home.run(['serve', 'token', 'list', '--json'])).json;

  for (const run of [made, revoked, copied, served]) {
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toMatch(/^Would (create|revoke|copy|serve) /);
  }
  expect(tokens).toMatchObject([{ id: kept, state: 'active' }]);
  expect(existsSync(copy)).toBe(false);
});

test('the user of a token is found by an email address in any case', async () => {
  const home = await demo.copy();
  await home.run(['invites', 'send', 'New.Person@lumen.example', '--yes']);

  for (const address of ['New.Person@lumen.example', 'new.person@LUMEN.example']) {
    const made = await home.run(['serve', 'token', 'create', '--user', address]);
    expect(made.exitCode).toBe(0);
  }
  expect((await home.run(['serve', 'token', 'create', '--user', 'nobody@lumen.example'])).exitCode).toBe(5);
});

test('an empty or odd --port, or an empty --host, is an error instead of any free port or every address', async () => {
  const home = await demo.copy();
  const dryRun = (...words: string[]) => home.run(['serve', ...words, '--dry-run']);

  for (const port of ['', ' ', '80 ', '1e3', '0x50', '-1', '65536', '123456']) {
    const run = await dryRun('--port', port);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(`--port must be from 0 to 65535, not "${port}".`);
  }
  expect(await dryRun('--host', '')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--host must not') });
  expect((await dryRun('--port', '65535')).exitCode).toBe(0);
});

test('a bad line in a recording is skipped with a warning; a file without a good one is an error', async () => {
  const home = await demo.copy();
  const file = join(home.dir, 'session.jsonl');
  const words = ['--log', 'off'];
  const recorded = await serve(home, ...words, '--record', file);
  await fetch(`${recorded.url}/healthz`);
  await recorded.stop();
  const good = await readFile(file, 'utf8');
  const bad = [
    'no JSON',
    '{"method":"GET"}',
    'null',
    good.replace('"status":200', '"status":99'),
    good.replace(/"headers":\{/, '"headers":{"location":"a\\nb",'),
    good.slice(0, -20),
  ];
  await writeFile(file, [bad[0], good.trimEnd(), ...bad.slice(1).map((line) => line!.trimEnd()), ''].join('\n'));

  const replayed = await serve(home, ...words, '--replay', file);
  const answer = await fetch(`${replayed.url}/healthz`);
  await replayed.stop();
  await writeFile(file, 'no JSON\nnone either\n');
  const none = await home.run(['serve', '--port', '0', '--replay', file]);

  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }]);
  expect(replayed.log()).toBe(
    `warning: ${file}: 6 lines are not recorded requests and were skipped: line 1, 3, 4, 5, 6, 7.\n`,
  );
  expect(none.exitCode).toBe(2);
  expect(none.stderr).toContain(`${file} is not a recording of serve --record.`);
});

test('a backup is private to its owner with any umask, and can be opened as an instance', async () => {
  const home = await demo.copy();
  const copy = join(home.dir, 'copy.db');
  // A name that others can foresee, and a link that was laid there.
  await writeFile(join(home.dir, 'elsewhere'), 'of somebody');
  await symlink(join(home.dir, 'elsewhere'), `${copy}.partial`);
  await chmod(home.dir, 0o755);
  const umask = process.umask(0);
  const made = await home.run(['serve', 'backup', copy]).finally(() => process.umask(umask));

  expect(made).toMatchObject({ exitCode: 0, stdout: '' });
  expect((await stat(copy)).mode & 0o777).toBe(0o600);
  expect((await home.run(['serve', 'check', '--db', copy])).exitCode).toBe(0);
  expect(await readFile(join(home.dir, 'elsewhere'), 'utf8')).toBe('of somebody');
  expect((await readdir(home.dir)).filter((name) => name.startsWith('.docsctl'))).toEqual([]);
});

test.for([
  ['a file', true],
  ['nothing', false],
] as const)('a backup is refused where a symbolic link to %s stands', async ([, isThere]) => {
  const home = await demo.copy();
  const [copy, elsewhere] = [join(home.dir, 'copy.db'), join(home.dir, 'elsewhere')];
  if (isThere) await writeFile(elsewhere, 'of somebody');
  await symlink(elsewhere, copy);

  const run = await home.run(['serve', 'backup', copy]);

  expect(run).toMatchObject({ exitCode: 1, stdout: '' });
  expect(run.stderr).toMatch(/^error: \S+copy\.db is a symbolic link\.\nhint: .+\n$/);
  expect((await lstat(copy)).isSymbolicLink()).toBe(true);
  expect(existsSync(elsewhere)).toBe(isThere);
});

test.each([
  'postgres://docs:secret@db.example/docs',
  'postgresql://:secret@db.example/docs',
  'postgres://db.example/docs?password=secret&sslmode=require',
  'POSTGRES://docs:secret@db.example/docs',
  'PostgreSQL://docs:secret@db.example/docs',
  'postgres://docs:top/secret@db.example/docs',
  'postgres://docs:top#secret@db.example/docs',
  'postgres://docs:top?secret@db.example/docs',
  'postgres://docs:5432/secret@db.example/docs',
  'postgres://docs@server:secret@db.example/docs',
  'postgres://docs:top@secret@db.example/docs',
  'postgres://db.example/docs?PASSWORD=secret',
  'postgres://db.example/docs?sslmode=require&%70assword=secret&password=secret',
  'postgres://db.example/docs?sslpassword=secret',
  ' postgres://docs:secret@db.example/docs',
])('the command line may not have the password of a database: %s', async (address) => {
  const home = await demo.copy();

  for (const words of [['serve'], ['serve', 'check'], ['serve', 'token', 'list']]) {
    const run = await home.run([...words, '--db', address]);

    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('--db must not contain a password');
    expect(run.stderr).toContain('PGPASSWORD');
    expect(run.stderr).not.toContain('secret');
  }
});

test.each([
  ['members', 'list', '--url', 'embedded:postgres://docs:secret@db.example/docs'],
  ['init', '--db', 'postgres://docs:secret@db.example/docs'],
])('only the service uses a database of PostgreSQL: %s', async (...words) => {
  const run = await (await demo.copy()).run(words);

  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toBe(
    'error: postgres://docs@db.example/docs is no file: only the service uses a database of PostgreSQL.\n' +
      'hint: Run docsctl serve --db postgres://docs@db.example/docs, and use commands with the address that it prints.\n',
  );
});

test('messages about a database of PostgreSQL do not show its password', async () => {
  const home = await demo.copy();
  home.env.DOCSCTL_SERVE_DB = 'postgres://docs:secret@127.0.0.1:1/docs';

  const runs = [
    await home.run(['serve', '--dry-run']),
    await home.run(['serve', 'check']),
    await home.run(['serve', 'backup', join(home.dir, 'copy.db')]),
  ];

  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 7, 6]);
  for (const { stderr } of runs) expect(stderr).not.toContain('secret');
  expect(runs[0]?.stderr).toContain('Would serve postgres://docs@127.0.0.1:1/docs');
  expect(runs[2]?.stderr).toContain('pg_dump');
});

test.each([
  'POSTGRES://docs:secret@127.0.0.1:1/docs',
  'postgres://docs:top/secret@127.0.0.1:1/docs',
  'postgres://docs:top#secret@127.0.0.1:1/docs',
  'postgres://docs:top?secret@127.0.0.1:1/docs',
  'postgres://docs:5432/secret@127.0.0.1:1/docs',
  'postgres://docs:%zzsecret@127.0.0.1:1/docs',
  'postgres://docs@127.0.0.1:1/docs?PASSWORD=secret&sslmode=disable',
  'mysql://docs:secret@127.0.0.1:1/docs',
])('a password in DOCSCTL_SERVE_DB is not shown, and the address is reported: %s', async (address) => {
  const home = await demo.copy();
  home.env.DOCSCTL_SERVE_DB = address;

  for (const words of [
    ['serve', 'check'],
    ['serve', '--port', '0'],
    ['serve', 'token', 'list'],
  ]) {
    const { exitCode, stdout, stderr } = await home.run(words);
    expect(exitCode).not.toBe(0);
    expect(stdout + stderr).not.toMatch(/secret|Invalid URL|internal/);
  }
});

test.each([
  'postgres://db.example',
  'postgres://docs@db.example:5432/docs?sslmode=require&options=-c%20x',
  'postgres:///docs?host=/var/run/postgresql&user=me',
  'postgres://docs@[::1]:5432,other:5433/docs',
])('an address without a password is used: %s', async (address) => {
  const { exitCode, stderr } = await (await demo.copy()).run(['serve', '--dry-run', '--db', address]);

  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.stringContaining(`Would serve ${address} at`) });
});
