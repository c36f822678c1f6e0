import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { useOwnCache } from '../support/cli.ts';
import { inProcess } from '../support/in-process.ts';
import { listen, login, test as base } from '../support/service.ts';

const test = base.extend(inProcess);

test('the token is only in its file: not printed, not in another file, not with --debug, not when the service repeats it', async ({
  home,
  service,
}) => {
  const echo = await listen((request, response) => {
    const text = JSON.stringify(request.headers);
    response.writeHead(request.url === '/v1/user' ? 400 : 500, { 'content-type': 'application/json', 'x-echo': text });
    response.end(JSON.stringify({ error: { code: 400, message: text, reason: 'validation', requestId: text } }));
  });
  useOwnCache(home);
  const { token } = service;
  const runs = [
    await login(home, service),
    await login(home, { url: echo, token }, '--debug', '--retries', '0'),
    await home.spawn('auth', 'login', '--token', token),
    await home.spawn('auth', 'login', token),
    await home.spawn('members', 'list', `--token=${token}`),
    await home.spawn('auth', 'status', '--json', '--debug'),
    await home.spawn('members', 'list', '--limit', '1', '--debug'),
    await home.spawn('members', 'list', '--debug', '--retries', '0', {
      env: { DOCSCTL_URL: echo, DOCSCTL_TOKEN: token, DOCSCTL_ORG: 'Or1' },
    }),
    await home.spawn('members', 'list', '--dry-run', '--json'),
    await home.spawn('profiles', 'list', '--json'),
    await home.spawn('profiles', 'view', '--json'),
    await home.spawn('config', 'list', '--show-origin', '--json', { env: { DOCSCTL_TOKEN: token } }),
    await home.spawn('auth', 'login', '--with-token', '--url', service.url, {
      stdin: 'pipe',
      input: `${token}\n\n ${token}`,
    }),
    await home.spawn('auth', 'logout', '--profile', 'nobody'),
  ];

  for (const { stdout, stderr } of runs) expect(stdout + stderr).not.toContain(token);
  const filesWithToken: string[] = [];
  for (const entry of await readdir(home.dir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && (await readFile(path)).includes(token)) filesWithToken.push(path);
  }
  expect(filesWithToken).toEqual([join(home.dir, 'config', 'credentials.json')]);
  expect((await home.spawn('auth', 'token')).stdout).toBe(`${token}\n`);
});

test('a token on the command line is refused with the reason', async ({ home }) => {
  for (const words of [
    ['auth', 'login', 'abc'],
    ['auth', 'login', '--token', 'abc'],
    ['--token', 'abc', 'whoami'],
  ]) {
    const run = await home.docsctl(...words);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('other users of this machine could see it');
    expect(run.stderr).toContain('hint: Sign in with "docsctl auth login"');
  }
});

test('a refused token is status 3, and nothing is saved', async ({ home, service }) => {
  const run = await login(home, { url: service.url, token: 'wrong' });

  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain(`The service at ${service.url} refused the token. Nothing was saved.`);
  expect((await home.docsctl('profiles', 'list')).stdout).toBe('');
});

test('without a terminal, --with-token is needed', async ({ home }) => {
  const run = await home.docsctl('auth', 'login', '--url', 'docs.example');

  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain('--with-token');
});

test('auth status shows where the token of each profile is and whether it works; its status is that of the profile in use', async ({
  home,
  service,
}) => {
  const gone = await listen((_, response) => response.destroy());
  await home.docsctl('init');
  await login(home, service, '--profile', 'works');
  await home.docsctl('profiles', 'create', 'bare', '--url', 'https://docs.example');
  const refusing = await listen((request, response) => {
    response.writeHead(request.headers.authorization === 'Bearer good' ? 200 : 401, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify({ id: 'Us1', displayName: 'Mirela', count: 0, items: [] }));
  });
  await login(home, { url: refusing, token: 'good' }, '--profile', 'stale');
  await home.docsctl('profiles', 'create', 'lost', '--url', gone);
  const file = join(home.dir, 'config', 'credentials.json');
  const tokens = JSON.parse(await readFile(file, 'utf8'));
  await writeFile(file, JSON.stringify({ ...tokens, stale: 'revoked', lost: 'token' }));

  const run = await home.docsctl('auth', 'status', '--json');
  const works = await home.docsctl('auth', 'status', '--profile', 'works', '--json');
  const lost = await home.docsctl('auth', 'status', '--profile', 'lost');
  const fromEnvironment = await home.docsctl('auth', 'status', '--json', {
    env: { DOCSCTL_URL: service.url, DOCSCTL_TOKEN: service.token },
  });

  expect(
    run.json.map(({ profile, token, state, role, user }: any) => [profile, token, state, role, user?.displayName]),
  ).toEqual([
    ['local', 'not needed', 'works', 'admin', 'Local Admin'],
    ['works', 'file', 'works', 'admin', 'Local Admin'],
    ['bare', 'none', 'no token', undefined, undefined],
    ['stale', 'file', 'refused', undefined, undefined],
    ['lost', 'file', 'unreachable', undefined, undefined],
  ]);
  expect(run.exitCode).toBe(3);
  expect(run.stderr).toContain('auth login --profile stale');
  expect(works.exitCode).toBe(0);
  expect(lost.exitCode).toBe(7);
  expect(fromEnvironment.exitCode).toBe(0);
  expect(fromEnvironment.json[0]).toMatchObject({
    profile: '(environment)',
    current: true,
    token: 'DOCSCTL_TOKEN',
    state: 'works',
  });
});

test('auth logout removes the token and keeps the profile', async ({ home, service }) => {
  await login(home, service);

  const out = await home.docsctl('auth', 'logout');
  const again = await home.docsctl('auth', 'logout', '--all');

  expect(out.stderr).toContain('Removed the token of the profile "default"');
  expect(again.stderr).toContain('The profile "default" has no token.');
  expect(await readFile(join(home.dir, 'config', 'credentials.json'), 'utf8')).not.toContain(service.token);
  expect((await home.docsctl('whoami')).exitCode).toBe(3);
  expect((await home.docsctl('profiles', 'view', '--json')).json).toMatchObject({ name: 'default', token: 'none' });
});

test('an embedded instance needs no token to sign in', async ({ home }) => {
  await home.docsctl('init', '--profile', 'first');

  const run = await home.docsctl('auth', 'login', '--with-token', '--url', 'embedded:', '--profile', 'again', '--json');

  expect(run.json).toMatchObject({ profile: 'again', user: 'Local Admin', token: 'not needed', organization: 'Local' });
});
