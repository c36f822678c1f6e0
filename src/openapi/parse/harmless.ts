import type { Document } from './place.ts';

/** A description that may take long, or need much stack, is to be read in a thread. */
export class NeedsThread extends Error {
  override readonly name = 'NeedsThread';
}

/** Longer descriptions take longer than a thread takes to start. */
export const maxHarmlessLength = 64 * 1024;
/** Twenty branches make at most some 1,500 combinations, however they are nested. */
const maxBranches = 20;

/** Whether a description takes little time to check, whoever wrote it. */
export function isHarmless(documents: readonly Document[]): boolean {
  const sum = (of: (document: Document) => number) => documents.reduce((total, document) => total + of(document), 0);
  if (documents.some(({ address, hasPatterns }) => hasPatterns || /^https?:/i.test(address))) return false;
  return (
    sum(({ file }) => file?.text.length ?? 0) <= maxHarmlessLength && sum(({ branches }) => branches) <= maxBranches
  );
}

/** How many schemas a value may be checked against at the same time, by the keywords of one schema. */
export function branchesOf(node: Record<string, unknown>): number {
  const several = ['allOf', 'anyOf', 'oneOf', 'dependentSchemas'].map((key) => {
    const value = node[key];
    return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
  });
  const single = ['if', 'then', 'else', 'not', 'contains', 'propertyNames'].filter((key) => Object.hasOwn(node, key));
  return several.reduce((total, length) => total + length, single.length);
}
