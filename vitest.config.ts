import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // Makes the databases that tests copy.
    globalSetup: 'test/support/prepared.ts',
    // A build machine that is busy for a moment is no fault of the change.
    retry: process.env.CI ? 2 : 0,
    // Every test brings its own database, so files need no isolation from each other beyond the process.
    pool: 'forks',
    // Most of a test is a child process; one worker would leave the second core idle.
    maxWorkers: 2,
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
