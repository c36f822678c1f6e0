import { readFileSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect } from 'vitest';
import { root, test } from './support/cli.ts';
import { requirements } from './support/requirements.ts';

test('a run counts the tests that it skips for want of a program, and fails if all are required', async ({ home }) => {
  const programs = join(home.dir, 'programs');
  await mkdir(programs);
  await symlink(process.execPath, join(programs, 'node'));
  const run = await execa(
    process.execPath,
    [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'test/content/pdf-scripts.test.ts'],
    {
      cwd: root,
      env: { PATH: programs, HOME: home.dir, NO_COLOR: '1', DOCSCTL_TESTS_REQUIRE_ALL: '1' },
      extendEnv: false,
      reject: false,
    },
  );

  expect(run.stdout).toContain(
    'Skipped 3 tests: 3 need Poppler, 1 needs fonts of many scripts. On Debian: apt-get install poppler-utils fontconfig fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji\n',
  );
  expect(run.stdout).toContain('a tagged PDF > has its structure');
  expect(run.exitCode).toBe(1);
});

test('CI installs every package that tests need, and allows no skipped test', () => {
  const script = readFileSync(join(root, '.ci/run'), 'utf8');
  const installed = /^packages=\((.*)\)$/m.exec(script)?.[1]?.split(' ');
  expect(installed).toEqual(expect.arrayContaining(requirements.flatMap(({ packages }) => packages)));
  expect(script).toContain('DOCSCTL_TESTS_REQUIRE_ALL=1');
});
