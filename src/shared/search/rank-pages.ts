import { matchTerms, type MatchedTerm } from './match-terms.ts';
import { parseQuery, type Query, type SearchTerm, withoutStopWords } from './query.ts';
import type { Place, SearchSource } from './source.ts';
import { tokensOf } from './words.ts';

export interface RankedPage {
  page: string;
  /** Higher is better. */
  score: number;
}

export interface Ranking {
  /** In no order. */
  pages: RankedPage[];
  /** What was searched for, to find it in the texts of the pages. */
  words: SearchTerm[];
  /** The query with corrected words, if some are in no page. */
  suggestion?: string | undefined;
}

const weightOfPlace: Record<Place, number> = { 1: 1, 2: 3, 3: 6 };
const exactTitle = 1000;
const sameTitle = 500;
const titleShare = 4;

/**
 * Ranks the pages for a query. If pages have all words, the others are only included for their titles; else pages with
 * some of the words are found. Scores depend on a page and the query, and hardly on the other pages, so that the order
 * stays the same while pages are added.
 */
export async function rankPages(source: SearchSource, text: string): Promise<Ranking> {
  const query = parseQuery(text);
  if (query.terms.length === 0) return { pages: [], words: [] };
  const matches = await matchTerms(query, source);
  const sums = sumsOf(matches, await source.pageCount());
  const titles = await source.titlesOf([...sums].flatMap(([page, { inTitle }]) => (inTitle > 0 ? [page] : [])));
  return {
    pages: pagesIn(sums, (page) => titleScore(titles.get(page) ?? '', query, matches)),
    words: matches.flatMap(({ words, pages }) => (pages.size > 0 ? words : [])),
    suggestion: suggestionFor(query, matches),
  };
}

/** Shares of the words of a query. */
interface PageSum {
  /** The value of the words in their places. */
  value: number;
  covered: number;
  inTitle: number;
}

function sumsOf(matches: readonly MatchedTerm[], pageCount: number): Map<string, PageSum> {
  const weights = matches.map(({ pages }) => weightOf(pages.size, pageCount));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const sums = new Map<string, PageSum>();
  for (const [index, { pages, quality }] of matches.entries()) {
    const share = (weights[index] ?? 0) / total;
    for (const [page, place] of pages) {
      const sum = sums.get(page) ?? { value: 0, covered: 0, inTitle: 0 };
      sums.set(page, sum);
      sum.value += share * quality * weightOfPlace[place];
      sum.covered += share;
      if (place === 3) sum.inTitle += share;
    }
  }
  return sums;
}

const nearlyAll = 0.999;

function pagesIn(sums: ReadonlyMap<string, PageSum>, titleScoreOf: (page: string) => number): RankedPage[] {
  const best = Math.max(0, ...[...sums.values()].map(({ covered }) => covered));
  const isShown = ({ covered, inTitle }: PageSum) =>
    best > nearlyAll ? covered > nearlyAll || inTitle >= 0.5 : covered >= best / 2;
  return [...sums].flatMap(([page, sum]) => {
    if (!isShown(sum)) return [];
    const score = sum.value * sum.covered ** 2 + (sum.inTitle > 0 ? titleScoreOf(page) * sum.covered : 0);
    return [{ page, score: Math.round(score * 1e6) / 1e6 }];
  });
}

/** Words that most pages have tell little. In few steps, so that adding a page rarely changes the order of others. */
function weightOf(count: number, pageCount: number): number {
  if (pageCount < 10 || count <= pageCount / 5) return 1;
  return count <= pageCount / 2 ? 0.7 : 0.4;
}

/** How well a title as a whole fits. */
function titleScore(title: string, query: Query, matches: readonly MatchedTerm[]): number {
  const all = tokensOf(title);
  if (all.join(' ') === query.tokens.join(' ')) return exactTitle;
  const tokens = withoutStopWords(all);
  const fits = (token: string) =>
    matches.some(({ words }) => words.some(({ text, prefix }) => token === text || (prefix && token.startsWith(text))));
  const isSame =
    tokens.length === matches.length &&
    tokens.every((token, index) => matches[index]?.words.some(({ text }) => text === token) === true);
  const wordsOfTerms = matches.flatMap(({ words }) => words.filter(({ text }) => text.includes(' ')));
  const inPhrases = new Set(wordsOfTerms.flatMap(({ text }) => text.split(' ')));
  const matching = tokens.filter((token) => inPhrases.has(token) || fits(token)).length;
  return (isSame ? sameTitle : 0) + (titleShare * matching) / Math.max(1, tokens.length);
}

function suggestionFor({ text }: Query, matches: readonly MatchedTerm[]): string | undefined {
  const corrections = matches.filter(({ correction }) => correction !== undefined);
  if (corrections.length === 0) return undefined;
  let suggestion = text;
  for (const { term, correction } of corrections.toReversed()) {
    suggestion = suggestion.slice(0, term.start) + correction + suggestion.slice(term.end);
  }
  return suggestion.trim();
}
