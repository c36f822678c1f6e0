/**
 * Every edit writes a word that occurs nowhere else, and remembers the words that its author saw. So whether an edit was lost
 * can be said without predicting a merge: a word that was in the space may only be replaced by one that was written in its
 * knowledge.
 */
export class Words {
  readonly #seen = new Map<string, Set<string>>();
  #count = 0;

  /** A new word of a slot, by an author who replaces these. */
  next(slot: string, replaces: readonly string[] = []): string {
    const word = `${slot}w${(this.#count += 1)}`;
    this.#seen.set(word, new Set(replaces));
    return word;
  }

  /** Somebody decided, by a flag or in Git, that one word replaces another. */
  decide(winner: string, loser: string): void {
    if (winner !== loser && !this.follows(loser, winner)) this.#seen.get(winner)?.add(loser);
  }

  /** Whether a word is another one, or was written by somebody who knew it. */
  follows(word: string, earlier: string): boolean {
    const waiting = [word];
    const visited = new Set<string>();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === earlier) return true;
      if (visited.has(next)) continue;
      visited.add(next);
      waiting.push(...(this.#seen.get(next) ?? []));
    }
    return false;
  }
}

/** What a page says: its key, which never changes, and a word for each slot. */
export interface PageWords {
  key: string;
  words: Map<string, string>;
}

export const slots = ['a', 'b'] as const;

export const textOf = (title: string, key: string, words: ReadonlyMap<string, string>): string =>
  `# ${title}\n\nThis is page ${key}.\n\n${slots.map((slot) => `Slot ${slot} has the word ${words.get(slot)}.\n`).join('\n')}`;

export function wordsIn(text: string): PageWords | undefined {
  const key = /This is page (\w+)\./.exec(text)?.[1];
  if (key === undefined) return undefined;
  const words = new Map(
    [...text.matchAll(/Slot (\w) has the word (\w+)\./g)].map(([, slot = '', word = '']) => [slot, word]),
  );
  return { key, words };
}
