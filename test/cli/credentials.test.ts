import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home } from '../support/cli.ts';
import { login, test } from '../support/service.ts';

const credentialsOf = async (home: Home) =>
  JSON.parse(await readFile(join(home.dir, 'config', 'credentials.json'), 'utf8'));

test('without a keyring the token is stored in a file of mode 0600, and a message says so', async ({
  home,
  service,
}) => {
  const run = await login(home, service);

  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('No keyring is available (DOCSCTL_KEYRING=off turns it off)');
  expect(run.stderr).toContain(join(home.dir, 'config', 'credentials.json'));
  expect(await credentialsOf(home)).toEqual({ default: service.token });
});

test('--secure-only fails where there is no keyring, and keeps nothing', async ({ home, service }) => {
  const run = await login(home, service, '--secure-only');

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain('no keyring is available');
  expect((await home.docsctl('profiles', 'list')).stdout).toBe('');
  await expect(credentialsOf(home)).rejects.toThrow('ENOENT');
});

test('a token is renamed and deleted with its profile', async ({ home, service }) => {
  await login(home, service, '--profile', 'work');

  await home.docsctl('profiles', 'rename', 'work', 'job');
  expect((await home.docsctl('whoami')).exitCode).toBe(0);
  expect(await credentialsOf(home)).toEqual({ job: service.token });
  await home.docsctl('profiles', 'delete', 'job', '--yes');

  expect(await credentialsOf(home)).toEqual({});
});

/** Runs commands one after another beside a Secret Service of their own. */
async function besideKeyring(home: Home, commands: string[][], input: string) {
  const lines = commands.map((words) => `"$NODE" "$BIN" ${words.join(' ')} <"$INPUT" || echo "exit $?"`);
  const script = `printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1; printf %s "$TOKEN" >"$INPUT"; ${lines.join('; ')}`;
  const run = await execa('dbus-run-session', ['--', 'sh', '-c', script], {
    env: {
      ...home.env,
      DOCSCTL_KEYRING: '',
      XDG_RUNTIME_DIR: home.dir,
      NODE: process.execPath,
      BIN: bin,
      TOKEN: input,
      INPUT: join(home.dir, 'input'),
    },
    extendEnv: false,
    cwd: home.dir,
    reject: false,
  });
  return run;
}

test('with a keyring no file holds the token', { tags: 'keyring' }, async ({ home, service }) => {
  const run = await besideKeyring(
    home,
    [
      ['auth', 'login', '--with-token', '--secure-only', '--url', service.url, '-o', 'json'],
      ['auth', 'status', '--columns', 'token,state', '-o', 'csv'],
      ['profiles', 'rename', 'default', 'work'],
      ['whoami', '-o', 'id'],
      ['auth', 'logout'],
      ['whoami'],
    ],
    service.token,
  );

  expect(run.stdout).toContain('"token":"keyring"');
  expect(run.stdout).toContain('keyring,works');
  expect(run.stdout).toContain(service.user);
  expect(run.stdout).toContain('exit 3');
  expect(run.stdout + run.stderr).not.toContain(service.token);
  expect(await credentialsOf(home)).toEqual({});
});

test(
  'a keyring that is gone is named, and the token counts as missing',
  { tags: 'keyring' },
  async ({ home, service }) => {
    await besideKeyring(home, [['auth', 'login', '--with-token', '--url', service.url]], service.token);

    const run = await home.docsctl('whoami');

    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain(
      `The token of the profile "default" is in the system's keyring: DOCSCTL_KEYRING=off turns it off.`,
    );
    expect(JSON.stringify(await credentialsOf(home))).not.toContain(service.token);
  },
);
