import { escapeSegment } from '../shared/json-pointer.ts';

export const unstorableMessage = 'contains a NUL character or half of a surrogate pair, which cannot be stored';

/** The path of the first text in a value that the database cannot store unchanged. */
export function unstorableIn(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return !value.isWellFormed() || value.includes('\0') ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const unstorable = unstorableIn(key, `${path}/(name)`) ?? unstorableIn(member, `${path}/${escapeSegment(key)}`);
    if (unstorable !== undefined) return unstorable;
  }
  return undefined;
}
