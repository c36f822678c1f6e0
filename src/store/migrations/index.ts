import { foundation } from './0001-foundation.ts';

/** In order, never changed once released: the count of those applied is the file's `user_version`. */
export const migrations: readonly string[] = [foundation];
