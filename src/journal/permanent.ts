import { inverses, isIrreversible } from './inverse/inverses.ts';

/** Why a request cannot be undone, by the name of its endpoint; undefined if it can, or if that depends on the change. */
export function permanentReason(endpoint: string): string | undefined {
  const inverse = inverses[endpoint];
  return inverse && isIrreversible(inverse) ? inverse.never : undefined;
}
