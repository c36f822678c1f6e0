import { distance } from 'fastest-levenshtein';

/** The name that takes the fewest edits, ignoring case; undefined where none is close enough to be a misspelling. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  // A short word with two changes is another word.
  const allowed = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3));
  return best && best.edits <= allowed ? best.name : undefined;
}
