import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000,
    // Every test brings its own database, so files need no isolation from each other beyond the process.
    pool: 'forks',
    coverage: { include: ['src/**'], reporter: ['text-summary', 'html'] },
  },
});
