import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { version } from '../src/shared/version.ts';
import { bin, root, test } from './support/cli.ts';
import { oldNode } from './support/requirements.ts';

const needs =
  /^error: docsctl needs Node\.js 22\.22\.2 or later, 24\.15 or later, or 26; this is \d+\.\d+\.\d+\.\nhint: /;

describe('answers without loading the program', () => {
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

  test('a full disk is an error', { tags: 'linux' }, async ({ home }) => {
    const run = await execa('sh', ['-c', '"$0" "$1" --help > /dev/full', process.execPath, bin], {
      env: home.env,
      extendEnv: false,
      reject: false,
    });
    expect(run.stderr).toMatch(/^error: Standard output cannot be written: ENOSPC/);
    expect(run.exitCode).toBe(1);
  });

  test('a reader that closes the pipe early ends it without an error', async ({ home }) => {
    const run = await execa('sh', ['-c', '("$0" "$1" --help; echo "status $?" >&2) | true', process.execPath, bin], {
      env: home.env,
      extendEnv: false,
    });
    expect(run.stderr).toBe('status 0');
  });
});

describe('an older Node.js', () => {
  test('gets an error with the supported versions', { tags: 'old-node' }, async () => {
    const run = await execa(oldNode()!, [bin, '--version'], { reject: false });
    expect(run).toMatchObject({ stdout: '', exitCode: 1 });
    expect(run.stderr).toMatch(needs);
    const json = await execa(oldNode()!, [bin, 'members', 'list', '-o', 'json'], { reject: false });
    expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'unsupported-node', hint: expect.any(String) });
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
    const preloadFile = join(home.dir, 'pretend.cjs');
    await writeFile(
      preloadFile,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${number}' } });`,
    );
    const run = await execa(process.execPath, ['--require', preloadFile, bin, '--version'], {
      env: home.env,
      extendEnv: false,
      reject: false,
    });
    expect(run.exitCode).toBe(isEnough ? 0 : 1);
    if (!isEnough) expect(run.stderr).toMatch(needs);
  });
});

test('a program that is not built says how to build it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'docsctl-bin-'));
  await cp(dirname(bin), join(folder, 'bin'), { recursive: true });
  const run = await execa(process.execPath, [join(folder, 'bin', 'docsctl.js'), 'members'], { reject: false });
  expect(run.stderr).toBe(
    'error: dist/main.cjs is missing: docsctl is not built.\n' +
      'hint: Install docsctl again; in its source code, run "npm install" and "npm run build".',
  );
  expect(run.exitCode).toBe(1);
  const json = await execa(process.execPath, [join(folder, 'bin', 'docsctl.js'), '--json', 'members'], {
    reject: false,
  });
  expect(JSON.parse(json.stderr).error).toMatchObject({ code: 'not-built', docs: 'docs/errors.md#not-built' });
  await rm(folder, { recursive: true });
});
