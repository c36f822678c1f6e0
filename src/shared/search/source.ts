import type { SearchTerm } from './query.ts';
import { indexedTokens } from './words.ts';

/** The best place in a page where a word is: 3 in the title, 2 in a heading, 1 in the text. */
export type Place = 1 | 2 | 3;

type Awaitable<T> = T | Promise<T>;

/** What the ranking of search results needs to know about pages. The same pages must have the same results in every source. */
export interface SearchSource {
  pageCount(): Awaitable<number>;
  /** The pages that contain any of the terms, by their keys. */
  find(terms: readonly SearchTerm[]): Awaitable<ReadonlyMap<string, Place>>;
  /** The words of all pages that start with the same letter as `word` and are at most 2 letters longer or shorter. */
  similar(word: string): Awaitable<readonly string[]>;
  titlesOf(pages: readonly string[]): Awaitable<ReadonlyMap<string, string>>;
}

export const isSimilar = (word: string, other: string): boolean =>
  other[0] === word[0] && Math.abs(other.length - word.length) <= 2;

/** A page with the words of each part between spaces. */
export interface SearchedText {
  title: string;
  /** Title, headings and text. */
  columns: readonly [string, string, string];
}

export function searchedText(page: { title: string; headings: string; text: string }): SearchedText {
  const column = (text: string) => ` ${indexedTokens(text).join(' ')} `;
  return { title: page.title, columns: [column(page.title), column(page.headings), column(page.text)] };
}

/** Pages that are searched without an index. */
export class TextSource implements SearchSource {
  readonly #pages: ReadonlyMap<string, SearchedText>;
  #vocabulary: Set<string> | undefined;

  constructor(pages: ReadonlyMap<string, SearchedText>) {
    this.#pages = pages;
  }

  pageCount(): number {
    return this.#pages.size;
  }

  titlesOf(pages: readonly string[]): Map<string, string> {
    return new Map(pages.map((page) => [page, this.#pages.get(page)?.title ?? '']));
  }

  find(terms: readonly SearchTerm[]): Map<string, Place> {
    const patterns = terms.map(({ text, prefix }) => ` ${text}${prefix ? '' : ' '}`);
    const pages = new Map<string, Place>();
    for (const [key, { columns }] of this.#pages) {
      const [title, headings, text] = columns.map((column) => patterns.some((pattern) => column.includes(pattern)));
      if (title) pages.set(key, 3);
      else if (headings) pages.set(key, 2);
      else if (text) pages.set(key, 1);
    }
    return pages;
  }

  similar(word: string): string[] {
    this.#vocabulary ??= new Set(
      [...this.#pages.values()].flatMap(({ columns }) => columns.flatMap((column) => column.trim().split(' '))),
    );
    return [...this.#vocabulary].filter((other) => isSimilar(word, other));
  }
}

/** Several sources with different pages as one. */
export class CombinedSource implements SearchSource {
  readonly #sources: readonly SearchSource[];
  readonly #sourceOf = new Map<string, SearchSource>();

  constructor(sources: readonly SearchSource[]) {
    this.#sources = sources;
  }

  async pageCount(): Promise<number> {
    let count = 0;
    for (const source of this.#sources) count += await source.pageCount();
    return count;
  }

  async titlesOf(pages: readonly string[]): Promise<Map<string, string>> {
    const titles = new Map<string, string>();
    for (const [source, own] of Map.groupBy(pages, (page) => this.#sourceOf.get(page))) {
      for (const [page, title] of (await source?.titlesOf(own)) ?? []) titles.set(page, title);
    }
    return titles;
  }

  async find(terms: readonly SearchTerm[]): Promise<Map<string, Place>> {
    const pages = new Map<string, Place>();
    for (const source of this.#sources) {
      for (const [page, place] of await source.find(terms)) {
        pages.set(page, place);
        this.#sourceOf.set(page, source);
      }
    }
    return pages;
  }

  async similar(word: string): Promise<string[]> {
    const words = new Set<string>();
    for (const source of this.#sources) for (const other of await source.similar(word)) words.add(other);
    return [...words];
  }
}
