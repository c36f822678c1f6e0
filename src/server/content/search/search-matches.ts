import type { Section } from '../../../store/documents.ts';
import type { SearchTerm } from '../../../shared/search/query.ts';
import { folded } from '../../../shared/search/words.ts';

const maxSections = 5;
const maxBody = 200;
/** Characters before the first found word. */
const leadLength = 60;

export interface SectionMatch {
  anchor: string;
  title: string;
  body: string;
}

/**
 * For each page, the sections that have most of the words in their heading or below it.
 *
 * @param pages their sections as JSON
 */
export function matchSections({ pages, words }: { pages: string[]; words: SearchTerm[] }): SectionMatch[][] {
  // In terms of letters without spaces, each letter is a word.
  const inText = words.map(({ text, prefix }) => ({ text: text.replaceAll(' ', ''), prefix }));
  return pages.map((json) => {
    const sections: Section[] = JSON.parse(json);
    return bestMatches(sections, inText);
  });
}

function bestMatches(sections: Section[], words: SearchTerm[]): SectionMatch[] {
  const scored = sections.flatMap((section) => {
    if (section.title === '') return [];
    const text = section.text.replaceAll(/\s+/g, ' ');
    const title = foldedWithIndexes(section.title);
    const body = foldedWithIndexes(text);
    const matches = words.map((word) => ({ inTitle: indexOfWord(title, word), inText: indexOfWord(body, word) }));
    const score = matches.reduce((sum, word) => sum + (word.inTitle >= 0 ? 2 : 0) + (word.inText >= 0 ? 1 : 0), 0);
    if (score === 0) return [];
    const first = Math.min(...matches.map(({ inText }) => (inText < 0 ? Infinity : inText)));
    return { section, text, first: Number.isFinite(first) ? first : 0, score };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxSections)
    .map(({ section: { anchor, title }, text, first }) => ({ anchor, title, body: excerpt(text, first) }));
}

interface FoldedText {
  text: string;
  /** The index in the original text. */
  originalIndex(index: number): number;
}

const ascii = /^[\0-\x7f]*$/;

function foldedWithIndexes(text: string): FoldedText {
  if (ascii.test(text)) return { text: text.toLowerCase(), originalIndex: (index) => index };
  const foldedCharacters = new Map<string, string>();
  const parts: string[] = [];
  const indexes: number[] = [];
  let index = 0;
  for (const character of text) {
    let part = foldedCharacters.get(character);
    if (part === undefined) foldedCharacters.set(character, (part = folded(character)));
    parts.push(part);
    for (let i = 0; i < part.length; i++) indexes.push(index);
    index += character.length;
  }
  return { text: parts.join(''), originalIndex: (foldedIndex) => indexes[foldedIndex] ?? text.length };
}

const letter = /[\p{L}\p{N}\p{Co}]/u;
const unspacedStart = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const unspacedEnd = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]$/u;

/** The first index of a word in a text, as a whole word or, with `prefix`, as the beginning of one; -1 if not found. */
function indexOfWord(within: FoldedText, { text: word, prefix }: SearchTerm): number {
  const { text } = within;
  for (let index = text.indexOf(word); index >= 0; index = text.indexOf(word, index + 1)) {
    const before = text[index - 1] ?? ' ';
    const after = text[index + word.length] ?? ' ';
    const isStart = !letter.test(before) || unspacedStart.test(word);
    const isEnd = prefix || !letter.test(after) || unspacedEnd.test(word);
    if (isStart && isEnd) return within.originalIndex(index);
  }
  return -1;
}

/** Up to 200 characters of a text, with the given index near their beginning. */
function excerpt(text: string, index: number): string {
  if (text.length <= maxBody) return text;
  const earliest = Math.max(0, index - leadLength);
  const start = earliest === 0 ? 0 : Math.min(text.indexOf(' ', earliest) + 1 || earliest, index);
  const head = start > 0 ? '…' : '';
  const rest = text.slice(start);
  if (head.length + rest.length <= maxBody) return head + rest;
  const end = rest.slice(0, maxBody - head.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}${end}…`;
}
