import type { SearchTerm } from '../../../shared/search/query.ts';
import type { Place, SearchSource } from '../../../shared/search/source.ts';
import type { Hit, SearchScope } from '../../../store/engine.ts';
import { countPages, findPages, similarWords, titlesOf } from '../../../store/search.ts';
import type { Db } from '../../../store/store.ts';

interface Options {
  scope: SearchScope;
  /** The pages that may be found. */
  visible?(hits: Hit[]): Promise<Hit[]> | Hit[];
}

/** The pages of main content in the search index of the database. Their keys are the IDs of the space and the page. */
export class DatabaseSource implements SearchSource {
  readonly #db: Db;
  readonly #options: Options;
  readonly #hits = new Map<string, Hit>();

  constructor(db: Db, options: Options) {
    this.#db = db;
    this.#options = options;
  }

  pageCount(): Promise<number> {
    return countPages(this.#db, this.#options.scope);
  }

  async find(terms: readonly SearchTerm[]): Promise<Map<string, Place>> {
    const { scope, visible = (hits) => hits } = this.#options;
    const pages = new Map<string, Place>();
    for (const hit of await visible(await findPages(this.#db, terms, scope))) {
      const key = `${hit.space}/${hit.page}`;
      this.#hits.set(key, hit);
      pages.set(key, hit.place);
    }
    return pages;
  }

  similar(word: string): Promise<string[]> {
    return similarWords(this.#db, word, this.#options.scope);
  }

  titlesOf(pages: readonly string[]): Promise<Map<string, string>> {
    return titlesOf(
      this.#db,
      pages.map((page) => this.hit(page)),
    );
  }

  /** A page that was found. */
  hit(page: string): Hit {
    const hit = this.#hits.get(page);
    if (!hit) throw new Error(`The page ${page} was not found.`);
    return hit;
  }
}
