import { cp, mkdir, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Home } from '../support/cli.ts';
import { inProcess } from '../support/in-process.ts';
import { listener, login, test as base } from '../support/service.ts';

const test = base.extend(inProcess);

/** Two services with a profile each, the second in use, and a folder whose project file names the first. */
async function cloned(home: Home) {
  const work = await listener();
  const current = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
  await login(home, { url: current.url, token: 'token-of-current' }, '--profile', 'current');
  const cwd = join(home.dir, 'clone');
  await mkdir(join(cwd, 'docs'), { recursive: true });
  await writeFile(join(cwd, '.docsctl.yaml'), 'profile: work\norg: Or1\n');
  work.asked.length = current.asked.length = 0;
  return { work, current, cwd };
}

const tokens = ({ asked }: Awaited<ReturnType<typeof listener>>) => [...new Set(asked.map(({ token }) => token))];

test('DOCSCTL_TOKEN goes to the address of the environment or the command line, whatever a project file says', async ({
  home,
}) => {
  const { work, current, cwd } = await cloned(home);
  const env = { DOCSCTL_TOKEN: 'token-of-ci' };

  const byVariable = await home.docsctl('members', 'list', { cwd, env: { ...env, DOCSCTL_URL: current.url } });
  const byFlag = await home.docsctl('members', 'list', '--url', current.url, { cwd, env });

  expect([byVariable, byFlag]).toMatchObject([
    { exitCode: 0, stderr: '' },
    { exitCode: 0, stderr: '' },
  ]);
  expect(tokens(current)).toEqual(['Bearer token-of-ci']);
  expect(work.asked).toEqual([]);
});

test('DOCSCTL_TOKEN is not sent to the address of a profile that a project file may choose', async ({ home }) => {
  const { work, current, cwd } = await cloned(home);
  await home.docsctl('profiles', 'allow', { cwd });

  const run = await home.docsctl('members', 'list', { cwd, env: { DOCSCTL_TOKEN: 'stray' } });

  expect(run.exitCode).toBe(0);
  expect(run.stderr).toContain('DOCSCTL_TOKEN is ignored');
  expect(tokens(work)).toEqual(['Bearer token-of-work']);
  expect(current.asked).toEqual([]);
});

describe('a profile that a project file names', () => {
  test('is not used before it is allowed: commands end with status 3, send nothing and change nothing', async ({
    home,
  }) => {
    const { work, current, cwd } = await cloned(home);
    const settings = async () => [
      await readFile(join(home.dir, 'config', 'config.json'), 'utf8'),
      await readFile(join(home.dir, 'config', 'credentials.json'), 'utf8'),
    ];
    const before = await settings();

    for (const words of [
      ['whoami'],
      ['members', 'list'],
      ['members', 'list', '--dry-run'],
      ['members', 'edit', 'Us1', '--role', 'admin', '--yes'],
      ['api', 'user'],
      ['open', 'org', '--print'],
      ['auth', 'token'],
      ['auth', 'logout'],
      ['config', 'set', 'url', 'https://docs.example'],
      ['config', 'get', 'url'],
      ['profiles', 'view'],
    ]) {
      const { exitCode, stdout, stderr } = await home.docsctl(...words, {
        cwd: join(cwd, 'docs'),
        env: { DOCSCTL_TOKEN: 'stray' },
      });
      expect({ words, exitCode, stdout, stderr }).toEqual({
        words,
        exitCode: 3,
        stdout: '',
        stderr: `error: ${join(cwd, '.docsctl.yaml')} chooses the profile "work", which has not been allowed for this folder.\nhint: If you trust what is in the folder, run "docsctl profiles allow"; or name a profile with --profile.\n`,
      });
    }

    expect([...work.asked, ...current.asked]).toEqual([]);
    expect(await settings()).toEqual(before);
  });

  test('is used below the folder once it is allowed, and not any more once that is taken back', async ({ home }) => {
    const { work, current, cwd } = await cloned(home);

    const tried = await home.docsctl('profiles', 'allow', 'clone', '--dry-run');
    const before = await home.docsctl('whoami', { cwd });
    const allowed = await home.docsctl('profiles', 'allow', 'clone');
    const inside = await home.docsctl('whoami', { cwd: join(cwd, 'docs') });
    const { mode } = await stat(join(home.dir, 'config', 'project-permissions.json'));
    const denied = await home.docsctl('profiles', 'deny', { cwd });
    const afterwards = await home.docsctl('whoami', { cwd });

    const what = `${join(cwd, '.docsctl.yaml')} to use the profile "work" (${work.url})`;
    expect(tried).toMatchObject({ exitCode: 0, stderr: `Would allow ${what}.\n` });
    expect(allowed).toMatchObject({ exitCode: 0, stderr: `Allowed ${what}.\n` });
    expect([before.exitCode, inside.exitCode, denied.exitCode, afterwards.exitCode]).toEqual([3, 0, 0, 3]);
    expect(afterwards.stderr).toContain('which was denied for this folder');
    expect(mode & 0o777).toBe(0o600);
    expect(tokens(work)).toEqual(['Bearer token-of-work']);
    expect(current.asked).toEqual([]);
  });

  test('is allowed for this name and this folder only', async ({ home }) => {
    const { work, current, cwd } = await cloned(home);
    await home.docsctl('profiles', 'allow', { cwd });
    const copy = join(home.dir, 'copy');
    const linked = join(home.dir, 'linked');
    await cp(cwd, copy, { recursive: true });
    await mkdir(linked);
    await symlink(join(cwd, '.docsctl.yaml'), join(linked, '.docsctl.yaml'));
    await symlink(cwd, join(home.dir, 'same'));
    await writeFile(join(cwd, 'docs', '.docsctl.yaml'), 'profile: work\n');
    work.asked.length = 0;

    const elsewhere = [copy, join(cwd, 'docs')];
    const runs = await Promise.all(elsewhere.map((folder) => home.docsctl('whoami', { cwd: folder })));
    const throughLink = await home.docsctl('whoami', { cwd: join(home.dir, 'same') });
    await writeFile(join(cwd, '.docsctl.yaml'), 'profile: current\n');
    const renamed = await home.docsctl('whoami', { cwd });

    expect(runs.map(({ exitCode }) => exitCode)).toEqual([3, 3]);
    expect(throughLink.exitCode).toBe(0);
    expect(renamed.exitCode).toBe(3);
    expect(renamed.stderr).toContain('"current", which has not been allowed');
    expect(tokens(work)).toEqual(['Bearer token-of-work']);
    const { length } = work.asked;
    expect(current.asked).toEqual([]);

    // A link to the file of another project is no project file at all.
    const throughLinkedFile = await home.docsctl('whoami', { cwd: linked });
    expect(throughLinkedFile.stderr).toContain('is a link out of its project and is not read');
    expect(work.asked).toHaveLength(length);
  });

  test('needs no permission where the user names a profile', async ({ home }) => {
    const { work, current, cwd } = await cloned(home);

    const byFlag = await home.docsctl('whoami', '--profile', 'work', { cwd });
    const byVariable = await home.docsctl('whoami', { cwd, env: { DOCSCTL_PROFILE: 'current' } });

    expect([byFlag.exitCode, byVariable.exitCode]).toEqual([0, 0]);
    expect([tokens(work), tokens(current)]).toEqual([['Bearer token-of-work'], ['Bearer token-of-current']]);
  });

  test('does not send its token to its address where only the address is set', async ({ home }) => {
    const { work, cwd } = await cloned(home);

    const before = await home.docsctl('whoami', '--url', work.url, { cwd });
    expect(work.asked).toEqual([]);
    await home.docsctl('profiles', 'allow', { cwd });
    const afterwards = await home.docsctl('whoami', '--url', work.url, { cwd });

    expect([before.exitCode, afterwards.exitCode]).toEqual([3, 0]);
    expect(tokens(work)).toEqual(['Bearer token-of-work']);
  });

  test('is removed when the profile is deleted or renamed', async ({ home }) => {
    const { work, cwd } = await cloned(home);
    const sameName = join(home.dir, 'same-name');
    await mkdir(sameName);
    await writeFile(join(sameName, '.docsctl.yaml'), 'profile: current\n');
    await home.docsctl('profiles', 'allow', { cwd });
    await home.docsctl('profiles', 'allow', 'same-name');
    await home.docsctl('profiles', 'rename', 'work', 'old');
    await home.docsctl('profiles', 'delete', 'current', '--yes');

    const missing = await home.docsctl('whoami', { cwd });
    await home.docsctl('profiles', 'create', 'work', '--url', work.url);
    await home.docsctl('profiles', 'create', 'current', '--url', work.url);
    const runs = [await home.docsctl('whoami', { cwd }), await home.docsctl('whoami', { cwd: sameName })];

    expect(missing.exitCode).toBe(5);
    for (const { exitCode, stderr } of runs) {
      expect(exitCode).toBe(3);
      expect(stderr).toContain('has not been allowed');
    }
  });

  test('is shown where profiles are listed', async ({ home }) => {
    const { cwd } = await cloned(home);
    const refusal = 'chooses the profile "work", which has not been allowed for this folder';

    const list = await home.docsctl('profiles', 'list', '--json', { cwd });
    const status = await home.docsctl('auth', 'status', '--json', { cwd });
    const doctor = await home.docsctl('doctor', '--json', { cwd });
    const config = await home.docsctl('config', 'list', '--json', { cwd });
    await home.docsctl('profiles', 'allow', { cwd });
    const view = await home.docsctl('profiles', 'view', '--json', { cwd });

    for (const run of [list, status, doctor, config]) expect(run.stderr.replaceAll('\\"', '"')).toContain(refusal);
    expect([list, status, doctor, config, view].map(({ exitCode }) => exitCode)).toEqual([0, 3, 3, 3, 0]);
    expect(list.json.map(({ current }: any) => current)).toEqual([false, false]);
    expect(status.json.map(({ current }: any) => current)).toEqual([false, false]);
    expect(config.json).toEqual([{ key: 'org', value: 'Or1' }]);
    expect(doctor.json.filter(({ state }: any) => state === 'fail')).toMatchObject([{ check: 'profile' }]);
    expect(view.json).toMatchObject({ name: 'work', current: true, folders: [await realpath(cwd)] });
  });

  test('is only mentioned by doctor in CI, where address and token are set', async ({ home }) => {
    const { current, cwd } = await cloned(home);
    const env = { DOCSCTL_URL: current.url, DOCSCTL_TOKEN: 'token-of-ci', CI: 'true' };

    const doctor = await home.docsctl('doctor', '--json', { cwd, env });
    const config = await home.docsctl('config', 'get', 'url', { cwd, env });
    const status = await home.docsctl('auth', 'status', '--json', { cwd, env });

    expect([doctor.exitCode, config.exitCode, status.exitCode]).toEqual([0, 0, 0]);
    expect(doctor.json.find(({ check }: any) => check === 'project')).toMatchObject({ state: 'warn' });
    expect(config.stdout).toBe(`${current.url}\n`);
  });
});

describe('the stored permission', () => {
  test('is not lost when several commands run at the same time', async ({ home }) => {
    await home.docsctl('init');
    const folders = Array.from({ length: 6 }, (_, index) => join(home.dir, `folder-${index}`));
    for (const folder of folders) {
      await mkdir(folder);
      await writeFile(join(folder, '.docsctl.yaml'), 'profile: local\n');
    }

    await Promise.all(folders.map((folder) => home.spawn('profiles', 'allow', folder)));

    expect((await home.docsctl('profiles', 'view', 'local', '--json')).json.folders.toSorted()).toEqual(
      await Promise.all(folders.map((folder) => realpath(folder))),
    );
  });

  test('can be removed for a folder that was deleted', async ({ home }) => {
    const { cwd } = await cloned(home);
    await home.docsctl('profiles', 'allow', { cwd });
    await rm(cwd, { recursive: true });

    const denied = await home.docsctl('profiles', 'deny', 'clone');
    const again = await home.docsctl('profiles', 'deny', 'clone');

    expect([denied.exitCode, again.exitCode]).toEqual([0, 5]);
    expect((await home.docsctl('profiles', 'view', 'work', '--json')).json.folders).toEqual([]);
  });

  test('allows nothing when it cannot be read', async ({ home }) => {
    const { work, cwd } = await cloned(home);
    const file = join(home.dir, 'config', 'project-permissions.json');

    for (const text of ['{', JSON.stringify({ [cwd]: true }), JSON.stringify({ [cwd]: { work: 'yes' } })]) {
      await writeFile(file, text);
      const run = await home.docsctl('whoami', { cwd });
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain(`${file} is broken`);
    }
    expect(work.asked).toEqual([]);
  });

  test('does not apply to a profile with the name of an object’s property', async ({ home }) => {
    const { work, cwd } = await cloned(home);
    await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'constructor');
    await home.docsctl('profiles', 'allow', { cwd });
    await writeFile(join(cwd, '.docsctl.yaml'), 'profile: constructor\n');

    const before = await home.docsctl('whoami', { cwd });
    await home.docsctl('profiles', 'allow', { cwd });

    expect(before.exitCode).toBe(3);
    expect((await home.docsctl('whoami', { cwd })).exitCode).toBe(0);
  });
});

test.for([
  ['no project file', undefined, 5, 'There is no .docsctl.yaml in'],
  ['one without a profile', 'org: Or1\n', 2, 'names no profile, so there is nothing to allow.'],
  ['one with a profile that there is not', 'profile: wrk\n', 5, 'Did you mean "work"?'],
] as const)('there is nothing to allow with %s', async ([, text, exitCode, message], { home }) => {
  await home.docsctl('profiles', 'create', 'work', '--url', 'https://docs.example');
  if (text !== undefined) await writeFile(join(home.dir, '.docsctl.yaml'), text);

  const run = await home.docsctl('profiles', 'allow');

  expect(run.exitCode).toBe(exitCode);
  expect(run.stderr).toContain(message);
});
