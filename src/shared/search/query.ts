import { stopWords } from './stop-words.ts';
import { folded, isUnspaced, partsOf, tokensOf } from './words.ts';

/** What one part of a query is looked up as: the words of an index, several if they must follow each other. */
export interface SearchTerm {
  text: string;
  /** Whether its last word may continue, as it does while it is being typed. */
  prefix: boolean;
}

export interface QueryTerm extends SearchTerm {
  /** Terms to search for if there is no such word: the parts of a name, or pairs of letters. */
  parts: string[];
  /** Where it is in the query. */
  start: number;
  end: number;
}

export interface Query {
  text: string;
  /** All words of the query, also those that are not searched for. */
  tokens: string[];
  terms: QueryTerm[];
}

const maxTerms = 12;
const unit = /(?<![\p{L}\p{N}])v?\d+(?:\.\d+)+|[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}]*/giu;
const script = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}ー]+/gu;
const typing = /[\p{L}\p{N}\p{M}\p{Co}]$/u;

/** Everything in a query that is not a word (quotes, operators, brackets) only separates words. */
export function parseQuery(text: string): Query {
  const terms = unitsOf(text).map(({ raw, start }): QueryTerm => {
    const end = start + raw.length;
    return {
      text: tokensOf(raw).join(' '),
      prefix: end === text.length && typing.test(text),
      parts: isUnspaced(raw) ? pairsOf(raw) : partsOf(raw).map(folded),
      start,
      end,
    };
  });
  const unique = [...new Map(terms.filter((term) => term.text !== '').map((term) => [term.text, term])).values()];
  const telling = unique.filter((term) => !stopWords.has(term.text));
  return { text, tokens: tokensOf(text), terms: (telling.length > 0 ? telling : unique).slice(0, maxTerms) };
}

/** Words, versions such as `v1.10.2`, and runs of letters of scripts without spaces. */
function unitsOf(text: string): { raw: string; start: number }[] {
  return [...text.matchAll(unit)].flatMap(({ 0: raw, index }) => {
    const units: { raw: string; start: number }[] = [];
    let from = 0;
    for (const { 0: part, index: at } of raw.matchAll(script)) {
      if (at > from) units.push({ raw: raw.slice(from, at), start: index + from });
      units.push({ raw: part, start: index + at });
      from = at + part.length;
    }
    if (from < raw.length) units.push({ raw: raw.slice(from), start: index + from });
    return units;
  });
}

/** The pairs of neighbors in a clause, because nothing tells where its words begin. */
function pairsOf(clause: string): string[] {
  const letters = tokensOf(clause);
  if (letters.length < 3) return [];
  return [...new Set(letters.slice(1).map((letter, index) => `${letters[index]} ${letter}`))];
}

export const withoutStopWords = (tokens: string[]): string[] => {
  const telling = tokens.filter((token) => !stopWords.has(token));
  return telling.length > 0 ? telling : tokens;
};
