import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { version } from '../src/version.ts';
import { bin, root, test } from './support/cli.ts';

const nodeTooOld = (version_: string) => Number(version_.replace(/^v/, '').split('.')[0]) < 22;
/** A Node.js of the machine that is older than what docsctl needs. */
const oldNode = execFileSync('sh', ['-c', 'which -a node || true'], { encoding: 'utf8' })
  .split('\n')
  .find((file) => file !== '' && nodeTooOld(execFileSync(file, ['--version'], { encoding: 'utf8' })));

const needs =
  /^error: docsctl needs Node\.js 22\.22\.2 or later, 24\.15 or later, or 26; this is \d+\.\d+\.\d+\.\nhint: /;

describe('what is answered without the program', () => {
  test('the version', async ({ home }) => {
    for (const flag of ['--version', '-V'])
      expect(await home.docsctl(flag)).toMatchObject({ stdout: `${version}\n`, stderr: '', exitCode: 0 });
  });

  test('the root help is the one that commander prints', async ({ home }) => {
    const printed = await execa(process.execPath, [join(root, 'dist', 'main.cjs'), '--help'], {
      env: home.env,
      extendEnv: false,
      stripFinalNewline: false,
    });
    expect(printed.stdout).toContain('Usage: docsctl <command> [options]');
    for (const words of [[], ['--help'], ['-h'], ['help']])
      expect(await home.docsctl(...words)).toMatchObject({ stdout: printed.stdout, stderr: '', exitCode: 0 });
  });

  test('no line of the root help is wider than a terminal is wide', async () => {
    const lines = (await readFile(join(root, 'dist', 'help.txt'), 'utf8')).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')('a full disk is an error', async ({ home }) => {
    const run = await execa('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, bin], {
      env: home.env,
      extendEnv: false,
      reject: false,
    });
    expect(run.stderr).toMatch(/^error: Standard output cannot be written: ENOSPC/);
    expect(run.exitCode).toBe(1);
  });

  test('a reader that leaves early ends it quietly', async ({ home }) => {
    const run = await execa('sh', ['-c', '("$0" "$1" --help; echo "status $?" >&2) | true', process.execPath, bin], {
      env: home.env,
      extendEnv: false,
    });
    expect(run.stderr).toBe('status 0');
  });
});

describe('code compiled before', () => {
  const ownCache = { NODE_COMPILE_CACHE: '' };
  const listed = { stdout: expect.stringContaining('Usage: docsctl members'), stderr: '', exitCode: 0 };

  /** The one pack of a home. */
  async function packOf(dir: string) {
    const kept = join(dir, 'cache', 'compiled');
    const [build] = await readdir(kept);
    return { kept, build: join(kept, build!), pack: join(kept, build!, 'members.pack') };
  }

  test('is kept where only its owner may write, in the folder of what may be lost', async ({ home }) => {
    await home.docsctl('members', '--help', { env: ownCache });
    expect(await readdir(join(home.dir, 'cache'))).toEqual(['compiled']);
    const { build, pack } = await packOf(home.dir);
    expect(await readdir(build)).toEqual(['members.pack']);
    expect((await stat(pack)).mode & 0o777).toBe(0o600);
    expect((await stat(build)).mode & 0o777).toBe(0o700);
  });

  test('of help has no schemas in it: what they ask for was read off them by the build', async ({ home }) => {
    await home.docsctl('members', 'list', '--help', { env: ownCache });
    const { pack } = await packOf(home.dir);
    const bytes = await readFile(pack);
    const { files } = JSON.parse(bytes.toString('utf8', 4, 4 + bytes.readUInt32LE(0))) as { files: [string][] };
    const names = files.map(([name]) => name);
    expect(names).toContain('main.cjs');
    expect(names.filter((name) => name.startsWith('zod-'))).toEqual([]);
  });

  test('is used by the next command, and grows with the commands of a group', async ({ home }) => {
    await home.docsctl('members', '--help', { env: ownCache });
    const { pack } = await packOf(home.dir);
    const first = await stat(pack);
    await home.docsctl('members', '--help', { env: ownCache });
    expect((await stat(pack)).mtimeMs).toBe(first.mtimeMs);
    await home.docsctl('members', 'list', '--help', { env: ownCache });
    const second = await stat(pack);
    expect(second.size).toBeGreaterThan(first.size);
    await home.docsctl('members', 'list', '--help', '--json', { env: ownCache });
    expect((await stat(pack)).mtimeMs).toBe(second.mtimeMs);
  });

  test.for([
    ['cut off', (pack: Buffer) => pack.subarray(0, pack.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['full of zeros', (pack: Buffer) => Buffer.alloc(pack.length)],
    ['another file', () => Buffer.from('not a pack, but some text that is long enough to be read as one')],
  ] as const)('that is %s does no harm, and is made anew', async ([, damage], { home }) => {
    await home.docsctl('members', '--help', { env: ownCache });
    const { pack } = await packOf(home.dir);
    const whole = await readFile(pack);
    await writeFile(pack, damage(whole));
    expect(await home.docsctl('members', '--help', { env: ownCache })).toMatchObject(listed);
    expect((await readFile(pack)).length).toBeGreaterThan(whole.length / 2);
  });

  test('is done without where it cannot be kept', async ({ home }) => {
    await writeFile(join(home.dir, 'cache'), 'in the way');
    expect(await home.docsctl('members', '--help', { env: ownCache })).toMatchObject(listed);
  });

  test.skipIf(process.platform !== 'linux')(
    'is done without in a folder that refuses and never says so',
    async ({ home }) => {
      const env = { ...ownCache, DOCSCTL_CACHE_DIR: '/proc/none/cache' };
      expect(await home.docsctl('members', '--help', { env })).toMatchObject(listed);
    },
  );

  test('is not kept where that is switched off', async ({ home }) => {
    const off = { ...ownCache, NODE_DISABLE_COMPILE_CACHE: '1' };
    expect(await home.docsctl('members', '--help', { env: off })).toMatchObject(listed);
    expect(await readdir(home.dir)).not.toContain('cache');
  });

  test('of versions that nobody uses any more goes', async ({ home }) => {
    const old = join(home.dir, 'cache', 'compiled', 'old-v24.0.0-x64');
    await mkdir(old, { recursive: true });
    const [longAgo, now] = [new Date('2020-01-01'), new Date()];
    await utimes(old, longAgo, longAgo);
    const used = join(home.dir, 'cache', 'compiled', 'used-v24.0.0-x64');
    await mkdir(used);
    await utimes(used, now, now);
    await home.docsctl('members', '--help', { env: ownCache });
    expect(await readdir(join(home.dir, 'cache', 'compiled'))).toHaveLength(2);
    expect(await readdir(join(home.dir, 'cache', 'compiled'))).toContain('used-v24.0.0-x64');
  });
});

describe('an older Node.js', () => {
  test.skipIf(oldNode === undefined)('hands over to the pinned one in a checkout', async ({ home }) => {
    const run = (...words: string[]) =>
      execa(oldNode!, [bin, ...words], { env: home.env, extendEnv: false, reject: false });
    expect(await run('--version')).toMatchObject({ stdout: version, exitCode: 0 });
    expect(await run('members', 'lst')).toMatchObject({ exitCode: 2 });
  });

  test.skipIf(oldNode === undefined)('is told what is needed elsewhere', async ({ home }) => {
    await cp(dirname(bin), join(home.dir, 'bin'), { recursive: true });
    const run = await execa(oldNode!, [join(home.dir, 'bin', 'docsctl.js'), '--version'], { reject: false });
    expect(run).toMatchObject({ stdout: '', exitCode: 1 });
    expect(run.stderr).toMatch(needs);
  });

  test.for([
    ['20.20.2', false],
    ['22.22.1', false],
    ['22.22.2', true],
    ['23.11.0', false],
    ['24.14.1', false],
    ['24.15.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
  ] as const)('%s is new enough: %s', async ([number, isEnough], { home }) => {
    const pretend = join(home.dir, 'pretend.cjs');
    await writeFile(
      pretend,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${number}' } });`,
    );
    const run = await execa(process.execPath, ['--require', pretend, bin, '--version'], {
      env: home.env,
      extendEnv: false,
      reject: false,
    });
    expect(run.exitCode).toBe(isEnough ? 0 : 1);
    if (!isEnough) expect(run.stderr).toMatch(needs);
  });
});

test('a checkout that is not built says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-bin-'));
  await cp(dirname(bin), join(folder, 'bin'), { recursive: true });
  const run = await execa(process.execPath, [join(folder, 'bin', 'docsctl.js'), 'members'], { reject: false });
  expect(run.stderr).toBe('error: This checkout is not built yet.\nhint: Run "npm install" and "npm run build" in it.');
  expect(run.exitCode).toBe(1);
  await rm(folder, { recursive: true });
});
