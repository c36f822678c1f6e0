import { inflectionsOf } from './inflections.ts';
import type { Query, QueryTerm, SearchTerm } from './query.ts';
import type { Place, SearchSource } from './source.ts';
import { allowedEdits, candidatesFor } from './typos.ts';

/** A part of a query with the pages that have it. */
export interface MatchedTerm {
  /** The words that were looked up. The first one is the main one. */
  words: SearchTerm[];
  pages: ReadonlyMap<string, Place>;
  /** 1 for the word itself, less for words that the user may have meant. */
  quality: number;
  /** The term of the query, and the word that it may be a misspelling of. */
  term: QueryTerm;
  correction?: string | undefined;
}

const minPart = 3;
const maxCompound = 30;
/** Each takes many lookups. */
const maxReplaced = 4;
const correctedQuality = 0.6;

/** Looks up the terms of a query. A term without pages is replaced by words that the user may have meant. */
export async function matchTerms(query: Query, source: SearchSource): Promise<MatchedTerm[]> {
  const matches: MatchedTerm[] = [];
  let replaced = 0;
  for (const term of query.terms) {
    const own = await look(term, source);
    const isReplaced = own.pages.size === 0 && replaced++ < maxReplaced;
    matches.push(...(isReplaced ? await replacementsFor(own, source) : [own]));
  }
  return withJoined(matches, query, source);
}

const formsOf = ({ text, prefix }: SearchTerm): SearchTerm[] =>
  inflectionsOf(text).map((form, index) => ({ text: form, prefix: prefix && index === 0 }));

async function look(term: QueryTerm, source: SearchSource, text = term.text, prefix = term.prefix) {
  const words = formsOf({ text, prefix });
  return { term, words, pages: await source.find(words), quality: 1 };
}

/** What the user may have meant by a term without pages. */
async function replacementsFor(own: MatchedTerm, source: SearchSource): Promise<MatchedTerm[]> {
  const { term } = own;
  if (term.parts.length > 0) {
    const parts: MatchedTerm[] = [];
    for (const part of term.parts)
      parts.push(await look(term, source, part, term.prefix && part === term.parts.at(-1)));
    if (parts.some(({ pages }) => pages.size > 0)) return parts;
  }
  const candidates = candidatesFor(term.text, allowedEdits(term.text) > 0 ? await source.similar(term.text) : []);
  const close = await corrected(
    term,
    source,
    candidates.filter(({ edits }) => edits === 1),
  );
  if (close) return [close];
  const split = await splitInTwo(term, source);
  if (split) return split;
  return [
    (await corrected(
      term,
      source,
      candidates.filter(({ edits }) => edits > 1),
    )) ?? own,
  ];
}

/** The pages with any of the candidates. The correction is the one with the most pages. */
async function corrected(term: QueryTerm, source: SearchSource, candidates: { word: string }[]) {
  const pages = new Map<string, Place>();
  const words: SearchTerm[] = [];
  let correction: string | undefined;
  let most = 0;
  for (const { word } of candidates) {
    const forms = formsOf({ text: word, prefix: false });
    const matching = await source.find(forms);
    if (matching.size === 0) continue;
    words.push(...forms);
    for (const [page, place] of matching) if (place > (pages.get(page) ?? 0)) pages.set(page, place);
    if (matching.size > most) [correction, most] = [word, matching.size];
  }
  return correction === undefined ? undefined : { term, words, pages, quality: correctedQuality, correction };
}

/** The two words of a compound, such as `codeblock`. */
async function splitInTwo(term: QueryTerm, source: SearchSource): Promise<MatchedTerm[] | undefined> {
  const { text } = term;
  if (text.includes(' ') || text.length > maxCompound) return undefined;
  for (let at = text.length - minPart; at >= minPart; at--) {
    const start = await look(term, source, text.slice(0, at), false);
    const end = start.pages.size > 0 ? await look(term, source, text.slice(at)) : undefined;
    if (end && [...end.pages.keys()].some((page) => start.pages.has(page))) return [start, end];
  }
  return undefined;
}

/** Adds the pages that have two neighbors of the query as one word, such as `webhook` for `web hook`. */
async function withJoined(matches: MatchedTerm[], query: Query, source: SearchSource): Promise<MatchedTerm[]> {
  const joined = matches.map((match) => ({ ...match, pages: new Map(match.pages) }));
  for (const [index, next] of joined.entries()) {
    const first = joined[index - 1];
    if (!first || first.term === next.term || !/^[\s-]+$/.test(query.text.slice(first.term.end, next.term.start)))
      continue;
    const text = first.term.text + next.term.text;
    if (text.includes(' ')) continue;
    const words = formsOf({ text, prefix: next.term.prefix });
    const pages = await source.find(words);
    for (const match of pages.size > 0 ? [first, next] : []) {
      match.words.push(...words);
      for (const [page, place] of pages) if (place > (match.pages.get(page) ?? 0)) match.pages.set(page, place);
    }
  }
  return joined;
}
