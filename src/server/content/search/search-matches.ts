import type { Section } from '../../../store/documents.ts';
import type { SearchWord } from '../../../store/search.ts';

const maxSections = 5;
const maxBody = 200;

export interface SectionMatch {
  anchor: string;
  title: string;
  body: string;
}

/** For each page, the sections that have most of the words in their heading or below it. @param pages their sections as JSON */
export function matchSections({ pages, words }: { pages: string[]; words: SearchWord[] }): SectionMatch[][] {
  const foldedWords = words.map(({ text, prefix }) => ({ text: folded(text), prefix }));
  return pages.map((sections) => matching(JSON.parse(sections) as Section[], foldedWords));
}

function matching(sections: Section[], words: SearchWord[]): SectionMatch[] {
  const scored = sections.flatMap((section) => {
    if (section.title === '') return [];
    const text = section.text.replaceAll(/\s+/g, ' ');
    const title = foldedWithPlaces(section.title);
    const body = foldedWithPlaces(text);
    const places = words.map((word) => ({ inTitle: placeOf(title, word), inText: placeOf(body, word) }));
    const score = places.reduce((sum, at) => sum + (at.inTitle >= 0 ? 2 : 0) + (at.inText >= 0 ? 1 : 0), 0);
    if (score === 0) return [];
    const first = Math.min(...places.map(({ inText }) => (inText < 0 ? Infinity : inText)));
    return { section, text, first: Number.isFinite(first) ? first : 0, score };
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxSections)
    .map(({ section: { anchor, title }, text, first }) => ({ anchor, title, body: excerpt(text, first) }));
}

/** Lower case, without accents: the form in which texts and words are compared. */
export const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{Mn}+/gu, '')
    .toLowerCase();

interface Folded {
  text: string;
  /** Where a character of it comes from. */
  placeOf(at: number): number;
}

const ascii = /^[\0-\x7f]*$/;

function foldedWithPlaces(text: string): Folded {
  if (ascii.test(text)) return { text: text.toLowerCase(), placeOf: (at) => at };
  const known = new Map<string, string>();
  const parts: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const character of text) {
    let as = known.get(character);
    if (as === undefined) known.set(character, (as = folded(character)));
    parts.push(as);
    for (let i = 0; i < as.length; i++) places.push(at);
    at += character.length;
  }
  return { text: parts.join(''), placeOf: (place) => places[place]! };
}

const letter = /[\p{L}\p{N}\p{Co}]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Where a word first stands in a text, as a word of its own or, unfinished, the beginning of one; -1 when nowhere. */
function placeOf(within: Folded, { text: wanted, prefix }: SearchWord): number {
  const { text } = within;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const before = text[at - 1] ?? ' ';
    const after = text[at + wanted.length] ?? ' ';
    const begins = !letter.test(before) || unspaced.test(wanted[0]!);
    const ends = prefix || !letter.test(after) || unspaced.test(wanted.at(-1)!);
    if (begins && ends) return within.placeOf(at);
  }
  return -1;
}

/** Up to 200 characters of a text, with what is at `place` near their beginning. */
function excerpt(text: string, place: number): string {
  if (text.length <= maxBody) return text;
  const lead = Math.max(0, place - 60);
  const start = lead === 0 ? 0 : Math.min(text.indexOf(' ', lead) + 1 || lead, place);
  const head = start > 0 ? '…' : '';
  const rest = text.slice(start);
  if (head.length + rest.length <= maxBody) return head + rest;
  const cut = rest.slice(0, maxBody - head.length - 1).replace(/[\uD800-\uDBFF]$/, '');
  return `${head}${cut}…`;
}
