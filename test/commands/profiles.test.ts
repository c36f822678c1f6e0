import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { serve } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

test('there may be several profiles, and one of them is in use', async ({ home, docsctl }) => {
  await docsctl('profiles', 'create', 'work', '--url', 'docs.example/', '--org', 'Or1');
  const before = await home.docsctl('profiles', 'view', '--json');
  await docsctl('profiles', 'use', 'work');
  const after = await home.docsctl('profiles', 'list', '--json');

  expect(before.json).toMatchObject({ name: 'local', current: true });
  expect(after.json).toMatchObject([
    { name: 'local', current: false, token: 'not needed' },
    { name: 'work', current: true, url: 'https://docs.example', org: 'Or1', token: 'none' },
  ]);
});

test('a name that is in use, unknown or invalid is refused', async ({ docsctl }) => {
  const create = (name: string) => docsctl('profiles', 'create', name, '--url', 'docs.example');
  await create('work');

  expect((await create('work')).exitCode).toBe(6);
  expect((await create('../work')).exitCode).toBe(2);
  expect((await create('__proto__')).exitCode).toBe(2);
  expect((await docsctl('profiles', 'rename', 'work', 'local')).exitCode).toBe(6);
  const unknown = await docsctl('profiles', 'use', 'wrok');
  expect(unknown.exitCode).toBe(5);
  expect(unknown.stderr).toContain('Did you mean "work"? There are local, work.');
});

test('deleting needs --yes; after the profile in use is deleted, none is in use', async ({ docsctl }) => {
  const unconfirmed = await docsctl('profiles', 'delete', 'local');
  const deleted = await docsctl('profiles', 'delete', 'local', '--yes');

  expect(unconfirmed.exitCode).toBe(2);
  expect(deleted.exitCode).toBe(0);
  expect((await docsctl('whoami')).exitCode).toBe(3);
});

test('--dry-run changes no settings', async ({ docsctl }) => {
  const { stdout: space } = await docsctl('spaces', 'create', '--title', 'Guides', '-o', 'id');
  const before = (await docsctl('profiles', 'list', '--json')).stdout;

  for (const words of [
    ['profiles', 'create', 'a', '--url', 'a.example'],
    ['profiles', 'delete', 'local'],
    ['profiles', 'rename', 'local', 'b'],
    ['profiles', 'use', 'local'],
    ['config', 'set', 'space', space.trim()],
    ['config', 'unset', 'org'],
    ['auth', 'logout'],
  ]) {
    const run = await docsctl(...words, '--dry-run');
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toMatch(/^Would /);
  }

  expect((await docsctl('profiles', 'list', '--json')).stdout).toBe(before);
});

test('changing a setting reports a variable that takes precedence', async ({ docsctl }) => {
  const { stdout: space } = await docsctl('spaces', 'create', '--title', 'Guides', '-o', 'id');
  const run = await docsctl('config', 'set', 'space', space.trim(), { env: { DOCSCTL_SPACE: 'Sp2' } });

  expect(run.stderr).toContain('DOCSCTL_SPACE sets "space" to Sp2 and takes precedence.');
});

test('an unknown setting is refused with the nearest name', async ({ docsctl }) => {
  const run = await docsctl('config', 'get', 'spaces');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('Did you mean "space"?');
});

test('a token is kept for another address of the same host, and removed for any other', async ({ home }) => {
  const service = await serve(home);
  // Such a profile may get another port, as after a restart.
  const { port } = new URL(service.url);
  const local = async () => (await home.docsctl('profiles', 'view', 'local', '--json')).json;
  const set = (url: string) => home.docsctl('config', 'set', 'url', url);

  const same = await set(`http://127.0.0.1:${Number(port) - 1}/docs`);
  const kept = await local();
  const other = await set('https://docs.example');
  const removed = await local();
  await service.stop();

  expect(same.stderr).toContain('Kept the token');
  expect(kept).toMatchObject({ token: 'file', database: expect.any(String) });
  expect(other.stderr).toContain('Removed the token');
  expect(removed.token).toBe('none');
  expect(removed).not.toHaveProperty('database');
});

test.for([
  ['https://docs.example/docs', 'Kept'],
  ['http://docs.example', 'Removed'],
  ['https://docs.example:8443', 'Removed'],
  ['https://other.example', 'Removed'],
] as const)('with the address %s a profile has its token: %s', async ([url, result], { home }) => {
  await home.docsctl('profiles', 'create', 'work', '--url', 'https://docs.example');
  await writeFile(join(home.env.DOCSCTL_CONFIG_DIR!, 'credentials.json'), '{"work":"token-of-work"}', { mode: 0o600 });

  const run = await home.docsctl('config', 'set', 'url', url);

  expect(run.stderr).toContain(`${result} the token`);
  expect((await home.docsctl('profiles', 'view', '--json')).json.token).toBe(result === 'Kept' ? 'file' : 'none');
});
