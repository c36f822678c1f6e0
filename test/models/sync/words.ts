/**
 * Every edit writes a word that occurs nowhere else, and remembers the words that its author saw. So whether an edit was lost
 * can be determined without predicting a merge: a word that was in the space may only be replaced by one whose author knew it.
 */
export class Words {
  readonly #seen = new Map<string, Set<string>>();
  #count = 0;

  /** A new word, by an author who replaces these. */
  next(prefix: string, replaces: readonly string[] = []): string {
    const word = `${prefix}w${(this.#count += 1)}`;
    this.#seen.set(word, new Set(replaces));
    return word;
  }

  /** Somebody decided, by a flag or in Git, that one word replaces another. */
  decide(winner: string, loser: string): void {
    if (winner !== loser && !this.follows(loser, winner)) this.restore(winner, loser);
  }

  /** The same for a word that may have come back, which others replaced before. */
  prefer(winner: string, loser: string): void {
    if (winner !== loser && this.cameBack(winner)) this.restore(winner, loser);
    else this.decide(winner, loser);
  }

  /** Somebody put back an earlier word. */
  restore(winner: string, loser: string): void {
    const seen = this.#seen.get(winner) ?? new Set();
    this.#seen.set(winner, seen.add(loser));
  }

  /** Whether a word was replaced and came back, so that what follows it does not tell what its author saw. */
  cameBack(word: string): boolean {
    return [...(this.#seen.get(word) ?? [])].some((earlier) => this.follows(earlier, word));
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

/** The content of a page: its key, which never changes, a word for each slot, and a link. */
export interface PageWords {
  key: string;
  title: string;
  /** By slot. "picture" is the word in its picture, unless it leads nowhere. */
  words: Map<string, string>;
  /** The key of the page that the link is meant to lead to, and its address. */
  link: { to: string; url: string } | undefined;
  /** The address of its picture. */
  image: string;
}

/** The picture of all pages. */
export const picture = 'img/p.png';

export const pictureOf = (word: string): string => `picture ${word}`;

export const wordOfPicture = (content: string): string => content.replace('picture ', '');

const imageAddress = /(?<=!\[Picture\]\()([^)]*)/;

/** The text with another address of the picture. */
export const withImage = (text: string, image: string): string => text.replace(imageAddress, image);

export const slots = ['a', 'b'] as const;

export const textOf = (
  title: string,
  key: string,
  words: ReadonlyMap<string, string>,
  { link, image }: Pick<PageWords, 'link' | 'image'>,
): string =>
  [
    `# ${title}`,
    // Long enough that Git recognizes a renamed file whose words, links and picture have changed.
    `This is page ${key}.${` Again, ${key}.`.repeat(20)}`,
    ...slots.map((slot) => `Slot ${slot} has the word ${words.get(slot)}.`),
    ...(link ? [`Read [page ${link.to}](${link.url}) next.`] : []),
    `![Picture](${image})`,
  ].join('\n\n') + '\n';

export function wordsIn(text: string): PageWords | undefined {
  const key = /This is page (\w+)\./.exec(text)?.[1];
  if (key === undefined) return undefined;
  const words = [...text.matchAll(/Slot (\w) has the word (\w+)\./g)].map(
    ([, slot = '', word = '']) => [slot, word] as const,
  );
  const [, to, url] = /Read \[page (\w+)\]\(([^)]*)\) next\./.exec(text) ?? [];
  const title = (/^title: (.*)$/m.exec(text) ?? /^# (.*)$/m.exec(text))?.[1] ?? '';
  const image = imageAddress.exec(text)?.[1] ?? '';
  return {
    key,
    title,
    words: new Map(words),
    image,
    link: to === undefined || url === undefined ? undefined : { to, url },
  };
}
