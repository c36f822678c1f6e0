import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home, root, test } from '../support/cli.ts';
import { isLong } from '../support/long-form.ts';

const configOf = (home: Home) => join(home.dir, 'config', 'config.json');
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;
const create = (home: Home, name: string) =>
  home.docsctl('profiles', 'create', name, '--url', `https://${name}.example`);

test('many commands at the same time lose no change', async ({ home }) => {
  const names = Array.from({ length: isLong ? 50 : 20 }, (_, index) => `p${index}`);

  const runs = await Promise.all(names.map((name) => create(home, name)));

  expect(runs.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
  const { profiles } = JSON.parse(await readFile(configOf(home), 'utf8'));
  expect(Object.keys(profiles).toSorted()).toEqual(names.toSorted());
});

test('a command waits for one that changes the settings, and continues at once when that one is killed', async ({
  home,
}) => {
  await create(home, 'work');
  const script = `
    import { withSettingsLock } from ${JSON.stringify(join(root, 'src/cli/settings/file.ts'))};
    await withSettingsLock(() => { console.log('held'); return new Promise((resolve) => setTimeout(resolve, 60_000)); });`;
  const owner = execa(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    env: home.env,
    reject: false,
  });
  await new Promise((resolve) => owner.stdout.once('data', resolve));

  let isDone = false;
  const waiting = home.docsctl('config', 'set', 'org', 'Or1').finally(() => {
    isDone = true;
  });
  // Reading does not wait, and takes long enough for a change that did not wait either.
  for (let turn = 0; turn < 10; turn++) expect((await home.docsctl('config', 'get', 'url')).exitCode).toBe(0);
  expect(isDone).toBe(false);
  owner.kill('SIGKILL');
  await owner;

  expect((await waiting).exitCode).toBe(0);
  expect((await home.docsctl('config', 'get', 'org')).stdout).toBe('Or1\n');
});

test('writing settings leaves the signals of a command to the command', async ({ home }) => {
  const script = `
    import { writeJson } from ${JSON.stringify(join(root, 'src/cli/settings/file.ts'))};
    process.on('SIGTERM', () => {});
    await writeJson('settings.json', { org: 'Or1' });
    console.log(process.listenerCount('SIGINT'), process.listenerCount('SIGTERM'));`;
  const { stdout } = await execa(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    cwd: home.dir,
    env: home.env,
  });

  expect(stdout).toBe('0 1');
  expect(JSON.parse(await readFile(join(home.dir, 'settings.json'), 'utf8'))).toEqual({ org: 'Or1' });
});

test.for([
  ['cut off', '{"profiles":{"work":{"url":"https://a.exa', 'Unterminated string'],
  ['empty', '', 'end of JSON input'],
  ['no object', '[]', 'it is not a JSON object'],
  ['profiles that are none', '{"profiles":["work"]}', '"profiles" must be an object'],
  ['a profile without an address', '{"profiles":{"work":{}}}', 'the profile "work" has no "url"'],
] as const)(
  'settings that are broken (%s) are an error that names the file, and stay as they are',
  async (example, { home }) => {
    const [, text, reason] = example;
    const file = configOf(home);
    await mkdir(join(home.dir, 'config'));
    await writeFile(file, text);

    const read = await home.docsctl('profiles', 'list');
    const changed = await create(home, 'other');

    for (const run of [read, changed]) {
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain(`${file} is broken: `);
      expect(run.stderr).toContain(reason);
    }
    expect(await readFile(file, 'utf8')).toBe(text);
  },
);

test.for(['000', '022', '277', '777'])('settings are for their owner alone with umask %s', async (umask, { home }) => {
  const run = await execa(
    'sh',
    ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, bin, 'profiles', 'create', 'a', '--url', 'a.example'],
    {
      env: home.env,
      extendEnv: false,
      cwd: home.dir,
      reject: false,
    },
  );

  expect(run.stderr).toContain('Created the profile "a"');
  expect(await modeOf(join(home.dir, 'config'))).toBe(0o700);
  expect(await modeOf(configOf(home))).toBe(0o600);
});

test('settings that others can read get a private mode', async ({ home }) => {
  await create(home, 'work');
  const credentials = join(home.dir, 'config', 'credentials.json');
  await writeFile(credentials, '{"work":"secret-token"}');
  for (const [path, mode] of [
    [join(home.dir, 'config'), 0o755],
    [configOf(home), 0o644],
    [credentials, 0o644],
  ] as const)
    await chmod(path, mode);

  await home.docsctl('auth', 'token');
  expect(await modeOf(credentials)).toBe(0o600);
  await home.docsctl('config', 'set', 'org', 'Or1');

  expect(await modeOf(join(home.dir, 'config'))).toBe(0o700);
  expect(await modeOf(configOf(home))).toBe(0o600);
});

test('a folder that belongs to everybody is not changed', async ({ home }) => {
  const folder = join(home.dir, 'shared');
  await mkdir(folder);
  await chmod(folder, 0o1777);

  await home.docsctl('profiles', 'create', 'a', '--url', 'a.example', { env: { DOCSCTL_CONFIG_DIR: folder } });

  expect((await stat(folder)).mode & 0o7777).toBe(0o1777);
  expect(await modeOf(join(folder, 'config.json'))).toBe(0o600);
});

test('where the settings cannot be written, the folder is named', async ({ home }) => {
  const file = join(home.dir, 'occupied');
  await writeFile(file, '');

  const run = await home.docsctl('profiles', 'create', 'a', '--url', 'a.example', {
    env: { DOCSCTL_CONFIG_DIR: file },
  });

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain(`${file} cannot be written`);
});
