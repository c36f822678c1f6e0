import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';
import type { SearchTerm } from '../shared/search/query.ts';
import { rankPages } from '../shared/search/rank-pages.ts';
import { isSimilar, type Place, type SearchSource } from '../shared/search/source.ts';
import { indexedTokens, isUnspaced } from '../shared/search/words.ts';
import type { SearchAnswer, SearchResult } from './model.ts';

/** A page in the index of an exported site. */
export interface IndexedPage {
  title: string;
  /** Relative to the index. */
  href: string;
  description?: string | undefined;
  icon?: string | undefined;
  emoji?: string | undefined;
  /** The titles of the pages and groups above it, outermost first. */
  trail: string[];
  /** The text below each heading. The first section may have no heading. */
  sections: { id?: string | undefined; title?: string | undefined; text: string }[];
}

/** The JSON in the file of a search index. */
export interface SearchIndex {
  /** With only the beginnings of the texts. */
  pages: IndexedPage[];
  index: AsPlainObject;
}

export interface Entry {
  /** The numbers of the page and of its section. */
  id: string;
  title: string;
  heading: string;
  text: string;
}

const maxPages = 12;
const maxSections = 4;

/** The words of the index. In clauses without spaces, each letter is a word, and so are two that follow each other. */
function wordsOf(text: string): string[] {
  const tokens = indexedTokens(text);
  return tokens.flatMap((token, index) => {
    const next = tokens[index + 1];
    return next !== undefined && isUnspaced(token) && isUnspaced(next) ? [token, token + next] : [token];
  });
}

export const searchOptions: Options<Entry> = {
  fields: ['title', 'heading', 'text'],
  tokenize: wordsOf,
  processTerm: (term) => term,
};

/** The words to look up for a term. */
function lookupOf({ text }: SearchTerm): string[] {
  const words = text.split(' ');
  const pairs = words.slice(1).flatMap((word, index) => {
    const before = words[index] ?? '';
    return isUnspaced(before) && isUnspaced(word) ? [before + word] : [];
  });
  return pairs.length > 0 ? pairs : words;
}

/** An index of sections as a source of pages. */
class IndexSource implements SearchSource {
  readonly #engine: MiniSearch<Entry>;
  readonly #pages: readonly IndexedPage[];
  /** By page, how many terms each section has; twice for its heading. */
  readonly sections = new Map<number, Map<number, number>>();

  constructor(engine: MiniSearch<Entry>, pages: readonly IndexedPage[]) {
    this.#engine = engine;
    this.#pages = pages;
  }

  pageCount(): number {
    return this.#pages.length;
  }

  titlesOf(pages: readonly string[]): Map<string, string> {
    return new Map(pages.map((page) => [page, this.#pages[Number(page)]?.title ?? '']));
  }

  find(terms: readonly SearchTerm[]): Map<string, Place> {
    const places = new Map<string, Place>();
    for (const term of terms) {
      const words = lookupOf(term);
      for (const { id, match } of this.#engine.search(words.join(' '), {
        tokenize: (text) => text.split(' '),
        combineWith: 'AND',
        prefix: (_, index) => term.prefix && index === words.length - 1,
      })) {
        const [page = '', section] = String(id).split('#');
        const has = (field: string) =>
          Object.values(match).filter((fields) => fields.includes(field)).length >= words.length;
        const place = has('title') ? 3 : has('heading') ? 2 : 1;
        if (place > (places.get(page) ?? 0)) places.set(page, place);
        if (section !== undefined) this.#count(Number(page), Number(section), place);
      }
    }
    return places;
  }

  similar(word: string): string[] {
    const results = this.#engine.search(word, { tokenize: (text) => [text], fuzzy: 2, prefix: false });
    const words = new Set(results.flatMap(({ terms }) => terms));
    return [...words].filter((other) => isSimilar(word, other));
  }

  #count(page: number, section: number, points: number): void {
    const sections = this.sections.get(page) ?? new Map<number, number>();
    this.sections.set(page, sections);
    sections.set(section, (sections.get(section) ?? 0) + points);
  }
}

/** @param absolute converts an address in the index to one for the page with the search */
export async function searchIn(
  engine: MiniSearch<Entry>,
  pages: IndexedPage[],
  query: string,
  absolute: (href: string) => string,
): Promise<SearchAnswer> {
  const source = new IndexSource(engine, pages);
  const ranking = await rankPages(source, query);
  const best = ranking.pages
    .toSorted((a, b) => b.score - a.score || Number(a.page) - Number(b.page))
    .slice(0, maxPages);
  const results = best.flatMap(({ page: key }): SearchResult[] => {
    const page = pages[Number(key)];
    if (!page) return [];
    const { title, trail, description, icon, emoji } = page;
    const href = absolute(page.href);
    const sections = [...(source.sections.get(Number(key)) ?? [])]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, maxSections)
      .flatMap(([number]) => {
        const section = page.sections[number];
        return section?.id === undefined
          ? []
          : [{ title: section.title ?? '', href: `${href}#${encodeURIComponent(section.id)}`, text: section.text }];
      });
    return [{ title, href, trail, description, icon, emoji, sections }];
  });
  return { suggestion: ranking.suggestion, results };
}
