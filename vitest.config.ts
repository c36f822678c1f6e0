import { join } from 'node:path';
import { defineConfig, type TestUserConfig } from 'vitest/config';
import { requirements } from './test/support/requirements.ts';
import { SkippedTests } from './test/support/skipped-tests.ts';

// Threads and programs that tests start from the sources would each strip and compile them anew.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules', '.cache', 'compiled');

/** What all tests have in common, those of vitest.faults.config.ts too. */
export const settings = {
  // Only for tests that hang: everything ends much sooner, also while other programs keep all cores busy.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
  pool: 'forks',
  // Most of a test is a child process; one worker would leave the second core idle.
  maxWorkers: 2,
  // A test names what it needs as a tag: `{ tags: 'zsh' }`; for all tests of a file: `// @module-tag browser`.
  tags: requirements.map(({ tag, isMet }) => (isMet ? { name: tag } : { name: tag, skip: true })),
  reporters: ['default', new SkippedTests()],
} satisfies TestUserConfig;

/** Makes the databases that tests copy. */
export const globalSetup = 'test/support/prepared.ts';

/** Tests that run neither commands nor the program. */
const units = [
  'test/{client,content,journal,openapi,organization,proposals,saml,server,site}/**/*.test.ts',
  'test/store/!(file).test.ts',
  'test/cli/{command,output}/**/*.test.ts',
  'test/cli/choose.test.ts',
];

/** Tests of `npm run test:faults` only, because together they take as long as all others. */
export const slow = [
  'test/browser/*.test.ts',
  'test/faults/*.test.ts',
  'test/{action,examples,package,recipes,session,skipped-tests}.test.ts',
  'test/packs.test.ts',
  'test/completion/shells.test.ts',
  'test/administration.test.ts',
  'test/commands/{dry-run,examples,memory,slow-pages}.test.ts',
  'test/commands/mcp/{conformance,hostile,unapproved}.test.ts',
  'test/commands/twin/twin.test.ts',
  'test/openapi/examples.test.ts',
  'test/server/{large-bodies,long-texts}.test.ts',
];

/** Tests that leave the process other than they found it: this one replaces a module. */
const isolated = ['test/store/file.test.ts'];

export default defineConfig({
  test: {
    ...settings,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
    // Files that need no isolation run one after the other in a process that loads the modules once.
    projects: [
      { extends: true, test: { name: 'units', include: units, exclude: slow, isolate: false } },
      {
        extends: true,
        test: {
          name: 'program',
          include: ['test/**/*.test.ts'],
          exclude: [...units, ...isolated, ...slow, 'test/postgres/*'],
          isolate: false,
          globalSetup,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
  },
});
