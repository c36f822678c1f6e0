import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

test.for([
  ['serve', '--port', '0', '--db', 'nowhere/x.db'],
  ['serve', '--port', '0', '--db', 'nowhere/x.db', '--dry-run'],
  ['init', '--db', 'nowhere/x.db'],
  ['whoami', '--url', 'embedded:nowhere/x.db'],
])('%j makes no folders', async (words, { home }) => {
  const run = await home.docsctl(...words);

  expect(run.exitCode).toBe(1);
  expect(run.stderr).toContain(`There is no folder ${join(home.dir, 'nowhere')} for the database.`);
  expect(run.stderr).toContain(`mkdir -p ${join(home.dir, 'nowhere')}`);
  expect(existsSync(join(home.dir, 'nowhere'))).toBe(false);
});
