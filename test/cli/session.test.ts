import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inProcess } from '../support/in-process.ts';
import { listener, login, test as base } from '../support/service.ts';

const test = base.extend(inProcess);

test('the environment takes precedence over the current profile, and --profile over both, with one message', async ({
  home,
}) => {
  const work = await listener();
  const other = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
  await login(home, { url: work.url, token: 'token-of-current' }, '--profile', 'current');
  work.asked.length = 0;
  const env = { DOCSCTL_URL: other.url, DOCSCTL_TOKEN: 'token-of-environment' };

  const plain = await home.docsctl('whoami');
  const withEnvironment = await home.docsctl('whoami', { env });
  const withProfile = await home.docsctl('whoami', '--profile', 'work', { env });

  expect([plain.exitCode, withEnvironment.exitCode, withProfile.exitCode]).toEqual([0, 0, 0]);
  const tokensOf = ({ asked }: typeof work) => [...new Set(asked.map(({ token }) => token))];
  expect(tokensOf(other)).toEqual(['Bearer token-of-environment']);
  expect(tokensOf(work)).toEqual(['Bearer token-of-current', 'Bearer token-of-work']);
  expect(withEnvironment.stderr).toBe('');
  expect(withProfile.stderr).toBe('--profile work takes precedence over DOCSCTL_URL and DOCSCTL_TOKEN.\n');
});

test('a token is never sent to another address than the one it was stored for', async ({ home }) => {
  const work = await listener();
  const other = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');

  const byFlag = await home.docsctl('whoami', '--url', other.url);
  const byVariable = await home.docsctl('whoami', { env: { DOCSCTL_URL: other.url } });
  const changed = await home.docsctl('config', 'set', 'url', other.url);
  const afterwards = await home.docsctl('whoami');

  for (const run of [byFlag, byVariable, afterwards]) {
    expect(run.exitCode).toBe(3);
    expect(run.stderr).toContain(`There is no token for ${other.url}`);
  }
  expect(changed.stderr).toContain(`Removed the token for ${work.url}.`);
  expect(other.asked).toEqual([]);
});

test('DOCSCTL_TOKEN is not sent to the address of a profile; the token of the profile is used, with one message', async ({
  home,
}) => {
  const work = await listener();
  const current = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
  await login(home, { url: current.url, token: 'token-of-current' }, '--profile', 'current');
  const env = { DOCSCTL_TOKEN: 'stray' };

  const byCurrent = await home.docsctl('whoami', { env });
  const byVariable = await home.docsctl('whoami', { env: { ...env, DOCSCTL_PROFILE: 'work' } });
  const printed = await home.docsctl('auth', 'token', { env });
  const raw = await home.docsctl('api', 'user', { env });
  const doctor = await home.docsctl('doctor', { env });
  const status = await home.docsctl('auth', 'status', '--json', { env });

  const runs = [byCurrent, byVariable, printed, raw, doctor, status];
  expect(runs.map(({ exitCode }) => exitCode)).toEqual(runs.map(() => 0));
  expect(new Set(work.asked.map(({ token }) => token))).toEqual(new Set(['Bearer token-of-work']));
  expect(new Set(current.asked.map(({ token }) => token))).toEqual(new Set(['Bearer token-of-current']));
  expect(byCurrent.stderr).toBe(
    'DOCSCTL_TOKEN is ignored, because it is sent only to DOCSCTL_URL or --url, and the address comes from the profile "current".\n',
  );
  expect(printed.stdout).toBe('token-of-current\n');
  expect(status.stderr).toBe('DOCSCTL_TOKEN is ignored, because it is sent only to DOCSCTL_URL or --url.\n');
  expect(status.json.map(({ profile, token }: any) => [profile, token])).toEqual([
    ['work', 'file'],
    ['current', 'file'],
  ]);
});

test('DOCSCTL_TOKEN is not used for a profile without a token', async ({ home }) => {
  const bare = await listener();
  await home.docsctl('profiles', 'create', 'bare', '--url', bare.url);
  const env = { DOCSCTL_TOKEN: 'stray' };

  for (const words of [['whoami'], ['api', 'user'], ['auth', 'token'], ['members', 'list', '--org', 'Or1']]) {
    const run = await home.docsctl(...words, { env });
    expect(run.exitCode).toBe(3);
    expect(run.stdout).toBe('');
    expect(run.stderr).toContain(`error: There is no token for ${bare.url}.`);
    expect(run.stderr).toContain('DOCSCTL_TOKEN is sent only to DOCSCTL_URL or --url: set DOCSCTL_URL too');
  }
  await home.docsctl('doctor', { env });
  const status = await home.docsctl('auth', 'status', { env });

  expect(status.exitCode).toBe(3);
  expect(bare.asked.filter(({ token }) => token !== '')).toEqual([]);
});

test('an address on the command line that is equal to that of the profile gets the token of the profile', async ({
  home,
}) => {
  const work = await listener();
  await login(home, { url: work.url, token: 'token-of-work' });

  const run = await home.docsctl('whoami', '--url', `${work.url}/`);

  expect(run.exitCode).toBe(0);
  expect(work.asked.at(-1)!.token).toBe('Bearer token-of-work');
});

test('the organization comes from the flag, the environment, the project file, the profile, in this order', async ({
  home,
}) => {
  const work = await listener();
  await login(home, { url: work.url, token: 'token-of-work' }, '--profile', 'work');
  await home.docsctl('config', 'set', 'org', 'of-profile');
  const project = join(home.dir, 'project');
  await mkdir(join(project, 'docs', 'deep'), { recursive: true });
  await writeFile(join(project, '.docsctl.yaml'), 'org: of-project\n');
  const cwd = join(project, 'docs', 'deep');
  const env = { DOCSCTL_ORG: 'of-environment' };
  work.asked.length = 0;

  await home.docsctl('members', 'list', '--org', 'of-flag', { cwd, env });
  await home.docsctl('members', 'list', { cwd, env });
  await home.docsctl('members', 'list', { cwd });
  await home.docsctl('members', 'list');

  expect(work.asked.map(({ path }) => path.split('/')[3])).toEqual([
    'of-flag',
    'of-environment',
    'of-project',
    'of-profile',
  ]);
});

test('config list --show-origin shows the origin of each value', async ({ home }) => {
  await home.docsctl('profiles', 'create', 'work', '--url', 'https://docs.example', '--site', 'Si1');
  await writeFile(join(home.dir, '.docsctl.yaml'), 'profile: work\nspace: Sp1\n');
  await home.docsctl('profiles', 'allow');

  const list = await home.docsctl('config', 'list', '--show-origin', '--json', { env: { DOCSCTL_ORG: 'Or1' } });

  expect(list.json).toEqual([
    { key: 'profile', value: 'work', origin: 'project', source: join(home.dir, '.docsctl.yaml') },
    { key: 'url', value: 'https://docs.example', origin: 'profile', source: 'work' },
    { key: 'org', value: 'Or1', origin: 'environment', source: 'DOCSCTL_ORG' },
    { key: 'space', value: 'Sp1', origin: 'project', source: join(home.dir, '.docsctl.yaml') },
    { key: 'site', value: 'Si1', origin: 'profile', source: 'work' },
  ]);
});

test.for([
  ['orgs: Or1', 'the file has unknown members: orgs', 'It may hold profile, org'],
  ['org: 7', 'org must be a string', 'It may hold profile, org'],
  ['openapi: [{slug: pets}]', 'openapi.0.path is required', 'openapi: [{slug, path}]'],
  ['token: abc', 'the file has unknown members: token', 'It may hold profile, org'],
  ['org: [', 'is not YAML', 'Repair it'],
  ['- a', 'the file must be an object', 'It may hold profile, org'],
] as const)('a project file with "%s" is refused with what is wrong', async ([text, reason, hint], { home }) => {
  const file = join(home.dir, '.docsctl.yaml');
  await writeFile(file, `${text}\n`);

  const run = await home.docsctl('config', 'get', 'org');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(file);
  expect(run.stderr).toContain(reason);
  expect(run.stderr).toContain(hint);
});
