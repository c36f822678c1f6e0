import { foundation } from './0001-foundation.ts';
import { contentCounts } from './0002-content-counts.ts';
import { adaptivePages } from './0003-adaptive-pages.ts';
import { searchVocabulary } from './0004-search-vocabulary.ts';
import { sessions } from './0005-sessions.ts';
import type { Migration } from './dialects.ts';

/** In order. A database stores how many it has run, so a released migration never changes. */
export const migrations: readonly Migration[] = [foundation, contentCounts, adaptivePages, searchVocabulary, sessions];
