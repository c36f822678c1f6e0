import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { globalSetup, settings, slow } from './vitest.config.ts';

/** The tests that take larger sizes and more rounds here. */
const withLongForm = globSync('test/**/*.test.ts').filter(
  // Those of PostgreSQL run with `npm run test:postgres`.
  (file) => !file.startsWith(join('test', 'postgres')) && readFileSync(file, 'utf8').includes('/support/long-form.ts'),
);

/** What `npm run test:faults` runs: the tests that `npm test` leaves out, and the long form of others. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup,
    include: [...slow, ...withLongForm],
    env: { DOCSCTL_LONG_TESTS: process.env.DOCSCTL_LONG_TESTS ?? '1' },
  },
});
