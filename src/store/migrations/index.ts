import { foundation } from './0001-foundation.ts';
import { contentCounts } from './0002-content-counts.ts';
import { adaptivePages } from './0003-adaptive-pages.ts';

const byName = { foundation, contentCounts, adaptivePages };

export type MigrationName = keyof typeof byName;

/** In order, never changed once released: the count of those applied is the file's `user_version`. */
export const migrations: readonly string[] = Object.values(byName);
