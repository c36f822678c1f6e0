import { type Change, compareDescriptions, mayBreak } from '../../src/openapi/index.ts';

/** The changes between two documents that may break the users of an API. */
export const breakingChanges = (before: unknown, after: unknown): Change[] =>
  compareDescriptions({ document: before }, { document: after }).filter(mayBreak);
