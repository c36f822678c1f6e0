import { expect } from 'vitest';
import { test } from '../support/in-process.ts';

test('serve --seed refuses a database that has data', async ({ home }) => {
  await home.docsctl('init', '--db', 'x.db');
  await home.docsctl('spaces', 'create', '--title', 'Mine');

  for (const words of [[], ['--dry-run']]) {
    const run = await home.docsctl('serve', '--db', 'x.db', '--seed', 'demo', '--port', '0', ...words);
    expect(run.exitCode).toBe(6);
    expect(run.stderr).toContain('x.db already contains data, so the demo was not added.');
  }
  expect((await home.docsctl('init', '--db', 'x.db', '--demo')).exitCode).toBe(6);
  expect((await home.docsctl('init', '--db', 'x.db', '--demo', '--dry-run')).exitCode).toBe(6);
});
