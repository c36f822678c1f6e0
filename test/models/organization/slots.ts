/**
 * What an organization or its files say, one value for each place that can change: `team k1 title`, `space k4 page a`. Objects
 * are known by a key in their titles, so a place stays the same when a file is renamed or a title changes.
 */
export type Slots = Map<string, string>;

export const kinds = ['team', 'space', 'collection', 'site'] as const;
export type Kind = (typeof kinds)[number];

export const titleOf = (kind: Kind, key: string, word: string): string =>
  `${kind[0]!.toUpperCase()}${kind.slice(1)} ${key} ${word}`;

/** The key and the word in a title. */
export function readTitle(title: string): { key: string; word: string } | undefined {
  const [, key, word] = /^\w+ (k\d+) (\w+)$/.exec(title) ?? [];
  return key === undefined || word === undefined ? undefined : { key, word };
}

export const pageSlots = ['a', 'b'] as const;

export const pageText = (words: readonly string[]): string =>
  `# Page\n\n${pageSlots.map((slot, index) => `Slot ${slot} has the word ${words[index]}.\n`).join('\n')}`;

export const pageWords = (text: string): [slot: string, word: string][] =>
  [...text.matchAll(/Slot (\w) has the word (\w+)\./g)].map(([, slot = '', word = '']) => [slot, word]);

/** The object that a slot belongs to: `team k1`, `member m3@example.org`. */
export const objectOf = (slot: string): string => slot.split(' ').slice(0, 2).join(' ');

/** The slot that exists exactly as long as its object. */
export const mainSlot = (object: string): string => `${object} ${object.startsWith('member ') ? 'role' : 'title'}`;
