import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Home, serve } from '../support/cli.ts';
import { test } from '../support/in-process.ts';

const profiles = async ({ docsctl }: Home) =>
  Object.fromEntries(
    (await docsctl('profiles', 'list', '--json')).json.map(({ name, ...profile }: any) => [name, profile]),
  );

test('init keeps the profiles that lead elsewhere, and finds the one of its database again', async ({ home }) => {
  const first = await home.docsctl('init', '--json');
  const second = await home.docsctl('init', '--db', 'second.db', '--json');
  const third = await home.docsctl('init', '--db', 'third.db', '--json');
  const again = await home.docsctl('init', '--db', 'second.db', '--json');

  expect([first, second, third, again].map((run) => run.json.profile)).toEqual([
    'local',
    'local-2',
    'local-3',
    'local-2',
  ]);
  expect(second.stderr).toContain(
    'The previous profile was "local"; "docsctl profiles use local" switches back to it.',
  );
  expect(await profiles(home)).toMatchObject({
    local: { url: `embedded:${first.json.database}`, current: false },
    'local-2': { database: join(home.dir, 'second.db'), current: true },
  });
});

test('init with --profile says what it replaced, and drops its defaults', async ({ home }) => {
  const { json: first } = await home.docsctl('init', '--json');
  await home.docsctl('config', 'set', 'space', 'handbook0001');

  const planned = await home.docsctl('init', '--db', 'other.db', '--profile', 'local', '--dry-run');
  const unchanged = await profiles(home);
  const run = await home.docsctl('init', '--db', 'other.db', '--profile', 'local', '--json');

  const note = `The profile "local" was for embedded:${first.database} before.`;
  expect(planned.stderr).toContain(note);
  expect(unchanged.local.url).toBe(`embedded:${first.database}`);
  expect(run.stderr).toContain(note);
  expect(run.json).toMatchObject({ profile: 'local', replaced: `embedded:${first.database}` });
  expect((await profiles(home)).local).not.toHaveProperty('space');
});

test.for(['init', 'serve'])(
  '%s replaces a profile of another service with its token only with --yes',
  async (word, { home }) => {
    await home.docsctl('profiles', 'create', 'prod', '--url', 'https://docs.example');
    const { writeFile, chmod } = await import('node:fs/promises');
    const credentials = join(home.env.DOCSCTL_CONFIG_DIR!, 'credentials.json');
    await writeFile(credentials, JSON.stringify({ prod: 'a-token-of-prod' }));
    await chmod(credentials, 0o600);

    const run = await home.docsctl(
      word,
      '--db',
      'x.db',
      '--profile',
      'prod',
      ...(word === 'serve' ? ['--port', '0'] : []),
    );

    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('Replace the profile "prod" (https://docs.example) and remove its token?');
    expect(existsSync(join(home.dir, 'x.db'))).toBe(false);
    if (word === 'serve') return;
    expect((await home.docsctl('init', '--db', 'x.db', '--profile', 'prod', '--yes')).exitCode).toBe(0);
    expect((await profiles(home)).prod).toMatchObject({ token: 'not needed' });
  },
);

test('a service that listens elsewhere after a restart has its profile at the new address', async ({ home }) => {
  await home.docsctl('init');
  const first = await serve(home);
  const before = await profiles(home);
  await first.stop();
  const second = await serve(home);

  expect(second.url).not.toBe(first.url);
  expect(second).toMatchObject({
    profile: 'local-2',
    database: join(home.dir, 'served.db'),
    notes: [`The profile "local-2" has the new address; it was ${first.url}.`],
    hint: expect.stringContaining(`docsctl serve token create --db ${join(home.dir, 'served.db')}`),
  });
  expect(before).toMatchObject({ local: { current: true }, 'local-2': { url: first.url, token: 'file' } });
  expect((await profiles(home))['local-2']).toMatchObject({ url: second.url, token: 'file' });
  expect((await home.docsctl('whoami', '--profile', 'local-2', '--json')).json.email).toBe('admin@localhost');
  const { stdout } = await home.docsctl('profiles', 'view', 'local-2', '--columns', 'database', '--no-header');
  expect(stdout).toContain(join(home.dir, 'served.db'));
  await second.stop();
});

test('a service whose profile stays as it is needs no settings that can be written', async ({ home }) => {
  const first = await serve(home);
  await first.stop();
  const { port } = new URL(first.url);
  const config = home.env.DOCSCTL_CONFIG_DIR!;
  const before = await stat(join(config, 'config.json'));

  const again = await serve(home, '--port', port);
  await again.stop();

  expect(again).toMatchObject({ url: first.url, profile: 'local' });
  expect((await stat(join(config, 'config.json'))).mtimeMs).toBe(before.mtimeMs);
});
