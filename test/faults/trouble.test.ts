import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { bin, type Home, type Run, test } from '../support/cli.ts';

/** An error in a sentence with what to do, and nothing of the program's inside. */
function expectError(run: Run, message: RegExp | string, exitCode = 1) {
  expect(run.stderr).toMatch(message);
  expect(run.stderr).toMatch(/(?:^|\n)error: .+\nhint: .+\n$/);
  expect(run.stderr).not.toMatch(/^ {4}at |node:internal|Error:/m);
  expect(run).toMatchObject({ exitCode, stdout: '' });
}

const list = ['members', 'list', '--limit', '1', '-o', 'id'];

test('a database path that is a folder, or leads through a file, is an error', async ({ demo }) => {
  const folder = join(demo.dir, 'folder.db');
  const behind = join(demo.dir, 'file', 'local.db');
  await mkdir(folder);
  await writeFile(join(demo.dir, 'file'), '');

  for (const words of [
    ['members', 'list', '--url', `embedded:${folder}`],
    ['serve', '--port', '0', '--db', folder],
    ['serve', 'check', '--db', folder],
    ['init', '--db', folder],
  ])
    expectError(await demo.docsctl(...words), /folder\.db is a folder, not a database/);
  expectError(await demo.docsctl('init', '--db', behind), /file\/local\.db cannot be opened: /);
  expectError(await demo.docsctl('serve', 'check', '--db', behind), /There is no database/, 2);
});

test('a FIFO or a device as database is refused at once', async ({ home }) => {
  const fifo = join(home.dir, 'fifo.db');
  await execa('mkfifo', [fifo]);

  for (const file of [fifo, '/dev/null', '/dev/zero']) {
    for (const words of [
      ['serve', '--port', '0', '--db', file],
      ['init', '--db', file],
      ['serve', 'check', '--db', file],
      ['members', 'list', '--url', `embedded:${file}`],
    ]) {
      const run = await home.docsctl(...words);

      expectError(run, `${file} is not a regular file, so it cannot hold a database.`);
    }
  }
});

test('an error names the settings or tokens that cannot be read', async ({ demo }) => {
  const config = join(demo.dir, 'config');
  const credentials = join(config, 'credentials.json');
  await mkdir(credentials);
  expectError(await demo.docsctl('auth', 'token'), `${credentials} cannot be read: it is a folder`);

  for (const text of ['{"local":7}', '{"local', '[]']) {
    const folder = join(demo.dir, `c${text.length}`);
    await mkdir(folder);
    await writeFile(
      join(folder, 'config.json'),
      '{"current":"local","profiles":{"local":{"url":"https://docs.example"}}}',
    );
    await writeFile(join(folder, 'credentials.json'), text);
    const run = await demo.docsctl('whoami', { env: { DOCSCTL_CONFIG_DIR: folder } });
    expectError(run, 'credentials.json is broken: ');
    expect(await readFile(join(folder, 'credentials.json'), 'utf8')).toBe(text);
  }
  const unreadable = join(demo.dir, 'unreadable');
  await mkdir(join(unreadable, 'config.json'), { recursive: true });
  expectError(
    await demo.docsctl('profiles', 'list', { env: { DOCSCTL_CONFIG_DIR: unreadable } }),
    'config.json cannot be read: it is a folder',
  );
});

test('the lock of a process that has ended does not block commands', async ({ home }) => {
  await home.docsctl('profiles', 'create', 'a', '--url', 'a.example');
  // As a process leaves it that was killed while it wrote: the lock, its journal, and a text that was never renamed.
  await writeFile(join(home.dir, 'config', '.lock-journal'), Buffer.alloc(512));
  await writeFile(join(home.dir, 'config', 'config.json.tmp-123456789abcdef'), '{"profiles":');

  expect(await home.docsctl('profiles', 'create', 'b', '--url', 'b.example')).toMatchObject({ exitCode: 0 });
  expect((await home.docsctl('profiles', 'list', '-o', 'id')).stdout).toBe('a\nb\n');
});

/** Without the folders that the tests set. */
const withoutFolders = (home: Home, more: Record<string, string>) => ({
  extendEnv: false,
  env: Object.fromEntries([
    ...Object.keys(home.env)
      .filter((name) => /^DOCSCTL_.*_DIR$|^HOME$/.test(name))
      .map((name) => [name, '']),
    ...Object.entries(more),
  ]),
});

test('without a writable home folder, commands that need one report it, and the others work', async ({
  home,
  demo,
}) => {
  for (const HOME of ['/dev/null', '/proc/nothing']) {
    const options = withoutFolders(home, { HOME, DOCSCTL_KEYRING: 'off' });
    expectError(await home.docsctl('init', options), /The database \S+ cannot be opened: E/);
    expectError(
      await home.docsctl('profiles', 'create', 'a', '--url', 'a.example', options),
      /The settings in \S+ cannot be (?:written|read): |cannot be read: /,
    );
    const url = `embedded:${join(demo.dir, 'data', 'local.db')}`;
    expect(await home.docsctl(...list, '--url', url, options)).toMatchObject({ exitCode: 0, stderr: '' });
  }
});

test('a folder for temporary files is not needed', async ({ demo }) => {
  const env = { TMPDIR: '/nowhere', DOCSCTL_CACHE_DIR: '/proc/nothing' };
  expect(await demo.docsctl(...list, { env })).toMatchObject({ exitCode: 0, stderr: '' });
  const out = join(demo.dir, 'pumps.json');
  expect(await demo.docsctl('openapi', 'download', 'pumps', '--out', out, { env })).toMatchObject({ exitCode: 0 });
});

test('a working directory that was deleted is an error', async ({ demo }) => {
  const run = await execa(
    'sh',
    ['-c', 'mkdir gone; cd gone; rmdir ../gone; exec "$0" "$@"', process.execPath, bin, ...list],
    {
      cwd: demo.dir,
      env: demo.env,
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    },
  );
  expect(run.stderr).toMatch(/^error: .*working directory.*\n$/);
  expect(run.exitCode).toBe(1);
});

test('a file size limit, such as a quota, is an error, and no partial file is left', async ({ demo }) => {
  const limited = async (...words: string[]) =>
    (await execa('sh', ['-c', 'ulimit -f 8; exec "$0" "$@"', process.execPath, bin, ...words], {
      cwd: demo.dir,
      env: { ...demo.env, DOCSCTL_CACHE_DIR: join(demo.dir, 'data') },
      extendEnv: false,
      reject: false,
      stripFinalNewline: false,
    })) as unknown as Run;

  expectError(await limited('init', '--db', join(demo.dir, 'new.db')), /new\.db cannot be used: /);
  expectError(await limited('spaces', 'create', '--title', 'x'), /local\.db cannot be used: /);
  expect((await demo.docsctl('serve', 'check')).exitCode).toBe(0);
});

test('an error names a file that is missing, a folder or a device', async ({ demo }) => {
  await symlink('loop', join(demo.dir, 'loop'));
  for (const [words, message, status] of [
    [['openapi', 'publish', 'nowhere.yaml', '--slug', 'x'], 'nowhere.yaml', 2],
    [['openapi', 'publish', '.', '--slug', 'x'], 'Cannot read .: ', 2],
    [['openapi', 'download', 'pumps', '--out', 'loop/x.json'], 'loop/x.json cannot be written', 1],
    [['spaces', 'create', '--data', '@nowhere.json'], 'nowhere.json', 2],
    [['content', 'push', 'nowhere', '--space', 'handbook0001', '--merge'], 'nowhere', 2],
    [['serve', '--port', '0', '--replay', 'nowhere.jsonl'], 'nowhere.jsonl', 2],
    [['serve', '--port', '0', '--record', 'nowhere/x.jsonl'], 'nowhere/x.jsonl', 2],
    [
      ['members', 'list', '--limit', '1', '-o', 'id', '--debug=har', 'nowhere/x.har'],
      'nowhere/x.har cannot be written',
      1,
    ],
  ] as const) {
    const run = await demo.docsctl(...words);
    expect(run.stderr, words.join(' ')).toContain(message);
    expect(run.stderr).toMatch(/^error: |\nerror: /);
    expect(run.stderr).not.toMatch(/^ {4}at |node:internal/m);
    expect([words.join(' '), run.exitCode]).toEqual([words.join(' '), status]);
  }
});
