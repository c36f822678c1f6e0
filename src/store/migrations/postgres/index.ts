import { foundation } from './0001-foundation.ts';
import { contentCounts } from './0002-content-counts.ts';
import { adaptivePages } from './0003-adaptive-pages.ts';
import type { MigrationName } from '../index.ts';

const byName: Record<MigrationName, string> = { foundation, contentCounts, adaptivePages };

/** As `migrations` of SQLite: one of the same name for each, in the same order, never changed once released. */
export const migrations: readonly string[] = Object.values(byName);
