import type { SearchTerm } from './engine.ts';
import { tokensOf } from './tokens.ts';

export interface SearchWord {
  text: string;
  /** Whether it also matches longer words, as the last word does while it is being typed. */
  prefix: boolean;
}

const run = /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const letter = /[\p{L}\p{N}\p{Co}]/u;

/** The words of a search text. Everything else in it (quotes, operators, brackets) only separates words. */
export function wordsOf(text: string): SearchWord[] {
  // Accents alone are not a word.
  const words = (text.match(run) ?? []).filter((part) => letter.test(part));
  const typing = /[\p{L}\p{N}\p{M}\p{Co}]$/u.test(text);
  return words.map((part, index) => ({ text: part, prefix: typing && index === words.length - 1 }));
}

/** The words as they are in the index. */
export const termsOf = (words: readonly SearchWord[]): SearchTerm[] =>
  words.map(({ text, prefix }) => ({ text: separated(text), prefix }));

/**
 * Puts spaces around the letters of scripts that are written without spaces. Otherwise the index would store a whole clause
 * as one word, and searches could not find the words in it.
 */
export const separated = (text: string) =>
  text.replaceAll(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]/gu, ' $& ');

/** A page that is searched without the index: the words of each part between spaces, as the index would store them. */
export interface SearchablePage {
  title: string;
  headings: string;
  text: string;
}

export function searchablePage(page: SearchablePage): SearchablePage {
  const [title = '', headings = '', text = ''] = tokensOf([page.title, page.headings, page.text].map(separated)).map(
    (tokens) => ` ${tokens.join(' ')} `,
  );
  return { title, headings, text };
}

/** Scores pages as `PageSearch` does; undefined for a page without one of the words. */
export function scorer(words: readonly SearchWord[]): (page: SearchablePage) => number | undefined {
  const terms = termsOf(words);
  const tokens = tokensOf(terms.map(({ text }) => text));
  const patterns = terms.flatMap(({ prefix }, index) => {
    const term = tokens[index] ?? [];
    return term.length === 0 ? [] : [` ${term.join(' ')}${prefix ? '' : ' '}`];
  });
  return ({ title, headings, text }) => {
    let score = 0;
    for (const pattern of patterns) {
      if (title.includes(pattern)) score += 3;
      else if (headings.includes(pattern)) score += 2;
      else if (text.includes(pattern)) score += 1;
      else return undefined;
    }
    return score === 0 ? undefined : score;
  };
}
