import type {
  DatabaseConnection,
  DialectAdapter,
  Expression,
  QueryCompiler,
  QueryExecutorProvider,
  RawBuilder,
} from 'kysely';
import type { SearchTerm } from '../shared/search/query.ts';
import type { Place } from '../shared/search/source.ts';

/** What a database can bind. */
export type Value = string | number | bigint | null | Uint8Array;

type Awaitable<T> = T | Promise<T>;

/**
 * Runs statements in one transaction. A database in this process answers at once, another one with a promise: to wait for
 * both is right, and costs nothing if there is nothing to wait for.
 */
export interface Session extends DatabaseConnection {
  all<Row>(text: string, values: readonly Value[]): Awaitable<Row[]>;
  /** The first row. */
  get<Row>(text: string, values: readonly Value[]): Awaitable<Row | undefined>;
  /** The number of changed rows. */
  run(text: string, values: readonly Value[]): Awaitable<number>;
}

/** What the search index has of a page. */
interface IndexedPage {
  space: string;
  page: string;
  title: string;
  /** One a line. */
  headings: string;
  text: string;
}

export interface Hit {
  seq: number;
  space: string;
  page: string;
  /** The best place of the terms in the page. */
  place: Place;
}

export type SearchScope =
  | { organization: string }
  | {
      space: string;
      /** Leaves out pages whose text depends on the reader. */
      isForAll?: boolean;
    };

/** The search index of the pages of main content. */
export interface PageSearch {
  /** The page must be in `searched_page`, or be inserted by a statement before. */
  put(session: Session, page: IndexedPage): Promise<void>;
  /** Pages that contain any of the terms, in no order. */
  find(session: Session, terms: readonly SearchTerm[], scope: SearchScope): Promise<Hit[]>;
  /**
   * Words of the index that start with the same letter as `word` and are at most 2 letters longer or shorter, among them
   * all such words in the scope.
   */
  similar(session: Session, word: string, scope: SearchScope): Promise<string[]>;
}

export interface Table {
  name: string;
  columns: string[];
  /** The columns of its primary key; none if it has no such key. */
  key: string[];
}

/** What a copy of all rows needs. */
export interface Load {
  /** The tables that every database has, in the order of their names. */
  tables(db: QueryExecutorProvider): Promise<Table[]>;
  /**
   * Turns off what would change or refuse rows while not all are there, until the returned function is called in the same
   * transaction.
   */
  begin(db: QueryExecutorProvider, tables: readonly Table[]): Promise<() => Promise<void>>;
}

/** What is said differently to each database. The functions give parts of a query, when it is built. */
export interface Dialect {
  readonly compiler: QueryCompiler;
  readonly adapter: DialectAdapter;
  /** A table of a JSON array, for `from`: columns `key` (0 and up) and `value`, texts or JSON. */
  jsonEach(json: Expression<string> | string): RawBuilder<unknown>;
  /** The texts of a JSON array, for the right side of `in`. */
  jsonList<T extends string>(json: Expression<string> | string): RawBuilder<T>;
  /** A text in the JSON object that is the `value` of a row of `jsonEach`. */
  member(name: string): RawBuilder<string>;
  /** Whether a text contains another. */
  contains(text: RawBuilder<string>, part: Expression<string>): RawBuilder<boolean>;
  /** The first rows of several queries together. @param end an order and a limit */
  firstOf(queries: readonly RawBuilder<unknown>[], end: RawBuilder<unknown>): RawBuilder<unknown>;
  /** Which index a table in `from` is read by, for a database that would choose another one. */
  indexedBy(name: string): RawBuilder<unknown>;
  /** Whether the name or the email address of the user `u` contains a text, by an index; of `peoplePattern`. */
  matchesPerson(pattern: Expression<string>): RawBuilder<boolean>;
  peoplePattern(text: string): string;
  readonly pages: PageSearch;
  load(): Promise<Load>;
  /** Whether texts may contain the character U+0000. */
  readonly holdsNul: boolean;
}
