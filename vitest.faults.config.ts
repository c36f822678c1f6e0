import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { globalSetup, settings, slow } from './vitest.config.ts';

/** The tests that show what docsctl does about each threat. */
const againstThreats = readFileSync('docs/security.md', 'utf8').match(/test\/[\w./-]+\.test\.ts/g) ?? [];

/** The tests that take larger sizes and more rounds here. */
const withLongForm = globSync('test/**/*.test.ts').filter(
  // Those of PostgreSQL run with `npm run test:postgres`.
  (file) => !file.startsWith(join('test', 'postgres')) && readFileSync(file, 'utf8').includes('/support/long-form.ts'),
);

/**
 * What `npm run test:faults` runs: the tests that `npm test` leaves out, and the long form of others. `test/faults/README.md` maps guarantees to tests.
 */
export default defineConfig({
  test: {
    ...settings,
    globalSetup,
    include: [
      ...slow,
      'test/client/*.test.ts',
      'test/cli/{config,credentials,session}.test.ts',
      'test/cli/output/{delimited,json,stdout,visible}.test.ts',
      'test/commands/{auth,openapi}.test.ts',
      'test/completion/shells.test.ts',
      'test/content/import/fetcher.test.ts',
      'test/openapi/parse.test.ts',
      'test/server/{bodies,findings,http,limits,paging,read-only,roles}.test.ts',
      'test/store/file.test.ts',
      'test/terminal/sign-in.test.ts',
      'test/{bin,packs}.test.ts',
      ...againstThreats,
      ...withLongForm,
    ],
    env: { DOCSCTL_LONG_TESTS: process.env.DOCSCTL_LONG_TESTS ?? '1' },
  },
});
