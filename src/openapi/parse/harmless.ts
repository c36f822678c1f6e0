import type { Document } from './place.ts';

/** A description that may take long, or need much stack, is to be read in a thread. */
export class NeedsThread extends Error {
  override readonly name = 'NeedsThread';
}

/** Longer descriptions take longer than a thread takes to start. */
export const maxHarmlessLength = 64 * 1024;
/** Twenty branches make at most some 1,500 combinations, however they are nested. */
const maxBranches = 20;

/** Whether a description takes little time to check, even if it is hostile. */
export function isHarmless(documents: readonly Document[]): boolean {
  const sum = (of: (document: Document) => number) => documents.reduce((total, document) => total + of(document), 0);
  if (documents.some(({ address, hasPatterns }) => hasPatterns || /^https?:/i.test(address))) return false;
  return (
    sum(({ file }) => file?.text.length ?? 0) <= maxHarmlessLength && sum(({ branches }) => branches) <= maxBranches
  );
}

const severalSchemas = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas'];
const singleSchemas = ['if', 'then', 'else', 'not', 'contains', 'propertyNames'];

/** How many schemas a value may be checked against at the same time, by the keywords of one schema. */
export function branchesOf(node: Record<string, unknown>): number {
  let count = 0;
  for (const key of severalSchemas) {
    const value = node[key];
    if (typeof value === 'object' && value !== null) count += Object.keys(value).length;
  }
  for (const key of singleSchemas) if (Object.hasOwn(node, key)) count += 1;
  return count;
}
