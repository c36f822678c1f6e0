import { defineConfig } from 'vitest/config';

/** What all tests have in common, those of vitest.faults.config.ts too. */
export const settings = {
  // Nothing takes as long unless it fails, or the machine is busy.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 20_000, interval: 20 } },
  pool: 'forks',
  // Most of a test is a child process; one worker would leave the second core idle.
  maxWorkers: 2,
} as const;

/** Makes the databases that tests copy. */
export const globalSetup = 'test/support/prepared.ts';

/**
 * Files whose tests leave the process as they found it (environment, working directory, replaced modules): they run one
 * after the other in a process that loads the modules once. `store/file` replaces a module.
 */
const sharing = [
  'test/{client,content,openapi,saml,server}/**/*.test.ts',
  'test/store/!(file).test.ts',
  'test/cli/{command,output}/**/*.test.ts',
  'test/cli/choose.test.ts',
];

export default defineConfig({
  test: {
    ...settings,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
    projects: [
      { extends: true, test: { name: 'shared', include: sharing, isolate: false } },
      { extends: true, test: { name: 'isolated', include: ['test/**/*.test.ts'], exclude: sharing, globalSetup } },
    ],
  },
});
