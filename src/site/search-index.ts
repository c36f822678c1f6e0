import MiniSearch, { type AsPlainObject, type Options } from 'minisearch';
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

/** In scripts without spaces, each letter is a word. */
const words = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[\p{L}\p{N}\p{M}]+/gu;

export const searchOptions: Options<Entry> = {
  fields: ['title', 'heading', 'text'],
  tokenize: (text) => text.match(words) ?? [],
  processTerm: (term) => term.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase(),
  searchOptions: {
    boost: { title: 8, heading: 3 },
    combineWith: 'AND',
    prefix: (_, index, terms) => index === terms.length - 1,
    fuzzy: (term) => (term.length > 5 ? 0.2 : false),
  },
};

/** @param absolute converts an address in the index to one for the page with the search */
export function searchIn(
  engine: MiniSearch<Entry>,
  pages: IndexedPage[],
  query: string,
  absolute: (href: string) => string,
): SearchAnswer {
  const found = new Map<number, SearchResult>();
  for (const { id } of engine.search(query)) {
    const [pageNumber = 0, sectionNumber] = String(id).split('#').map(Number);
    const page = pages[pageNumber];
    if (!page || (!found.has(pageNumber) && found.size >= maxPages)) continue;
    const { title, trail, description, icon, emoji } = page;
    const href = absolute(page.href);
    const result = found.get(pageNumber) ?? { title, href, trail, description, icon, emoji, sections: [] };
    found.set(pageNumber, result);
    const section = sectionNumber === undefined ? undefined : page.sections[sectionNumber];
    if (section?.id === undefined || result.sections.length >= maxSections) continue;
    result.sections.push({
      title: section.title ?? '',
      href: `${href}#${encodeURIComponent(section.id)}`,
      text: section.text,
    });
  }
  return { results: [...found.values()] };
}
