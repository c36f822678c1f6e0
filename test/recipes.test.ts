import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { root } from './support/cli.ts';

test('the recipes of CONTRIBUTING.md lead to an endpoint, a command and an object that pass the checks', async () => {
  const { all, exitCode } = await execa(process.execPath, [join(root, 'scripts/try-recipes.mjs')], {
    all: true,
    reject: false,
  });

  expect(exitCode, all).toBe(0);
});
