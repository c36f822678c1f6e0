/** Letters of scripts that are written without spaces. */
const unspacedLetter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/gu;
const unspacedStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/u;
const word = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/gu;
/** Accents and vowel points, but not the marks that make other letters in Thai or Japanese. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]+/gu;
/** No letter has so many marks. Normalizing sorts those of a letter, which takes quadratic time. */
const manyMarks = /(\p{M}{16})\p{M}+/gu;
const ascii = /^[\0-\x7f]*$/;
const ligature = /[ßæœøđðłþı]/gu;
const ligatures: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** The form in which texts and words are compared: lower case, without accents, `ss` for `ß`. */
export const folded = (text: string): string =>
  ascii.test(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .replaceAll(manyMarks, '$1')
        .normalize('NFKD')
        .replaceAll(accents, '')
        .normalize('NFC')
        .replaceAll(ligature, (letter) => ligatures[letter] ?? letter);

/** Folds a text, and makes a word of every letter of scripts without spaces, so that the words in a clause are found. */
const separated = (text: string): string => folded(text).replaceAll(unspacedLetter, ' $& ');

/** The words of a text in order. */
export const tokensOf = (text: string): string[] => separated(text).match(word) ?? [];

export const isUnspaced = (text: string): boolean => unspacedStart.test(text);

const maxPartsOf = 60;
const name = /[\p{L}\p{N}]+/gu;
const boundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/u;
const version = /(?<![\p{L}\p{N}])v\d+(?:\.\d+)+/giu;

/** The parts of a name such as `maxRetryCount`; none if it has no parts. */
export function partsOf(text: string): string[] {
  if (text.length > maxPartsOf || !boundary.test(text) || isUnspaced(text)) return [];
  const parts = text.split(boundary).filter((part) => part.length > 1 || /\p{N}/u.test(part));
  return parts;
}

/** A text as a search index stores it: folded, and followed by the parts of names and versions in it. */
export function indexedText(text: string): string {
  const parts = new Set<string>();
  for (const [raw] of text.matchAll(name)) for (const part of partsOf(raw)) parts.add(folded(part));
  for (const [raw] of text.matchAll(version)) parts.add(raw.slice(1).replaceAll('.', ' '));
  const own = separated(text);
  return parts.size === 0 ? own : `${own}\n${[...parts].join('\n')}`;
}

/** The words of a text as a search index stores it. */
export const indexedTokens = (text: string): string[] => indexedText(text).match(word) ?? [];
