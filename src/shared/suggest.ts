import { distance } from 'fastest-levenshtein';

/** The name that takes the fewest edits, ignoring case; undefined if none is close enough to be a misspelling. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const ranked = names.map((name) => ({ name, edits: distance(word.toLowerCase(), name.toLowerCase()) }));
  const best = ranked.toSorted((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= allowedEdits(word) ? best.name : undefined;
}

// A short word with two changes is another word, and so is one letter with one.
const allowedEdits = (word: string) =>
  word.length < 4 ? Number(word.length > 1) : Math.max(2, Math.floor(word.length / 3));

/** Items whose name is close to a word, or contains it, the closest first; at most `count`. */
export function nearestOf<Item>(
  word: string,
  items: readonly Item[],
  nameOf: (item: Item) => string,
  count: number,
): Item[] {
  const folded = word.toLowerCase();
  return items
    .map((item) => {
      const name = nameOf(item).toLowerCase();
      return { item, edits: distance(folded, name), contains: folded.length > 2 && name.includes(folded) };
    })
    .filter(({ edits, contains }) => contains || edits <= allowedEdits(word))
    .toSorted((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ item }) => item);
}
