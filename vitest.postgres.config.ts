import { defineConfig } from 'vitest/config';
import { globalSetup, settings } from './vitest.config.ts';

/** What `npm run test:postgres` runs on PostgreSQL: the tests of the service and of its store. */
export default defineConfig({
  test: {
    ...settings,
    globalSetup,
    isolate: false,
    include: [
      'test/server/**/*.test.ts',
      'test/store/!(file).test.ts',
      'test/postgres/*.test.ts',
      'test/faults/fuzz.test.ts',
    ],
  },
});
