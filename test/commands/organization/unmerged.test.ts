import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type DemoHome, sharedDemo } from '../../support/shell.ts';

const { demo } = await sharedDemo();
const realGit = execFileSync('/bin/sh', ['-c', 'command -v git']).toString().trim();
let home: DemoHome;

beforeEach(async () => {
  home = await demo.copy();
  await mkdir(join(home.dir, 'bin'));
  git('init', '--quiet');
  expect((await home.run(['export', 'o'])).exitCode).toBe(0);
  for (const space of ['handbook', 'release-notes', 'api-guides'])
    await appendFile(join(home.dir, `o/spaces/${space}/content/added.md`), '# Added\n');
});

const git = (...words: string[]) => execFileSync(realGit, words, { cwd: home.dir });

/** Makes `git` a script, which adds a line to a file for each call. */
function replaceGit(script: string): void {
  const file = join(home.dir, 'bin', 'git');
  writeFileSync(file, `#!/bin/sh\necho "$*" >> ${home.dir}/calls\n${script}\n`);
  chmodSync(file, 0o755);
  home.env['PATH'] = join(home.dir, 'bin');
}

const unmergedCalls = () =>
  readFileSync(join(home.dir, 'calls'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('--unmerged'));

test('a plan asks Git once for the unmerged files of all content folders', async () => {
  const oid = git('hash-object', '-w', 'o/spaces/handbook/content/welcome.md').toString().trim();
  const entries = `100644 ${oid} 1\to/spaces/handbook/content/welcome.md\n`;
  execFileSync(realGit, ['update-index', '--index-info'], { cwd: home.dir, input: entries });
  replaceGit(`exec ${realGit} "$@"`);

  const refused = await home.run(['plan', 'o']);
  expect([refused.exitCode, refused.stderr]).toEqual([6, expect.stringContaining('content/welcome.md')]);

  git('add', '.');
  await rm(join(home.dir, 'calls'));
  const run = await home.run(['plan', 'o']);
  expect(run.exitCode, run.stderr).toBe(0);
  expect(unmergedCalls()).toHaveLength(1);
});

test('a plan says once that Git cannot tell which files are unmerged, and what to do', async () => {
  replaceGit(`echo "fatal: detected dubious ownership in repository at '${home.dir}'" >&2; exit 128`);

  const run = await home.run(['plan', 'o']);

  expect(run.exitCode, run.stderr).toBe(0);
  expect(run.stderr.match(/unfinished merge cannot be detected.*/g)).toEqual([
    expect.stringMatching(/dubious ownership in repository at .* run "git config --global --add safe\.directory /),
  ]);
});

test('without git in a repository, commands on a folder say what they cannot check', async () => {
  home.env['PATH'] = join(home.dir, 'bin');

  const check = await home.run(['content', 'check', 'o/spaces/handbook/content', '-o', 'json']);
  const push = 'content push o/spaces/handbook/content --space Handbook --adopt --merge --dry-run --fail-on warning';
  const pushed = await home.run(push.split(' '));

  expect(check.json).toContainEqual(
    expect.objectContaining({
      level: 'warning',
      rule: 'conflict-marks',
      message: expect.stringContaining('Install Git'),
    }),
  );
  expect(pushed.exitCode, pushed.stderr).toBe(9);
  expect(pushed.stderr).toContain('content: Files with an unfinished merge cannot be detected: git is not installed');
});
