/** How many edits a misspelled word may be away from another: none if it is short or has digits. */
export function allowedEdits(word: string): number {
  if (word.length < 4 || !/^\p{L}+$/u.test(word)) return 0;
  return word.length < 7 ? 1 : 2;
}

/** The edits from one word to another; swapping neighbors is one. More than `max` may be counted as `max + 1`. */
export function editsBetween(from: string, to: string, max: number): number {
  if (Math.abs(from.length - to.length) > max) return max + 1;
  let previous: number[] = [];
  let current = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const before = previous;
    previous = current;
    current = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const isSwapped = row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          (previous[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    if (Math.min(...current) > max) return max + 1;
  }
  return current[to.length] ?? max + 1;
}

const maxCandidates = 20;

/** Corrections of a misspelled word, the closest first. @param words an index's words that are about as long */
export function candidatesFor(word: string, words: readonly string[]): { word: string; edits: number }[] {
  const max = allowedEdits(word);
  return words
    .filter((other) => other !== word && other.length >= 3)
    .map((other) => ({ word: other, edits: editsBetween(word, other, max) }))
    .filter(({ edits }) => edits <= max)
    .toSorted((a, b) => a.edits - b.edits || (a.word < b.word ? -1 : 1))
    .slice(0, maxCandidates);
}
