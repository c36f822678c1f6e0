import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { globalSetup, settings } from './vitest.config.ts';

/** The tests that show what docsctl does about each threat. */
const againstThreats = readFileSync('docs/security.md', 'utf8').match(/test\/[\w./-]+\.test\.ts/g) ?? [];

/** What `npm run test:faults` runs in its long form; test/faults/README.md says which promise is shown where. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup,
    include: [
      'test/faults/*.test.ts',
      'test/client/*.test.ts',
      'test/cli/{config,credentials,session}.test.ts',
      'test/cli/output/{delimited,json,raw,stdout,visible}.test.ts',
      'test/commands/{auth,memory}.test.ts',
      'test/completion/shells.test.ts',
      'test/content/import/fetcher.test.ts',
      'test/openapi/parse.test.ts',
      'test/server/{bodies,findings,http,limits,paging,read-only,roles}.test.ts',
      'test/store/file.test.ts',
      'test/terminal/sign-in.test.ts',
      'test/{bin,packs}.test.ts',
      ...againstThreats,
    ],
    // It has a command of its own.
    exclude: ['test/faults/fuzz.test.ts'],
    env: { DOCSCTL_LONG_TESTS: process.env.DOCSCTL_LONG_TESTS ?? '1' },
  },
});
