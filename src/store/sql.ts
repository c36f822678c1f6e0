import { type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { Marked } from './query.ts';
import type { Db } from './store.ts';

/** Sort value and id of the last row of the previous page. */
export type PageKey = readonly [value: string, id: string];

export type Direction = 'asc' | 'desc';

/** Parameters of a query that returns one page of a list. */
export interface PageParams {
  afterValue?: string | undefined;
  afterId?: string | undefined;
  /** `allRows` for all of them. */
  limit: number;
}

/** A limit beyond the number of any rows. */
export const allRows = Number.MAX_SAFE_INTEGER;

export const pageParams = (after: PageKey | undefined, limit: number): PageParams => ({
  afterValue: after?.[0],
  afterId: after?.[1],
  limit,
});

/**
 * The condition that a row comes after the previous page, in the order of two columns. They are compared as one row
 * value, so that an index on both leads straight to the first row of the page.
 */
export function keyset(
  columns: readonly [string | Expression<string>, string | Expression<string>],
  direction: Direction,
  { afterValue, afterId }: Marked<PageParams>,
): RawBuilder<boolean> {
  const [value, id] = columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column));
  return sql<boolean>`(${value}, ${id}) ${sql.raw(direction === 'asc' ? '>' : '<')} (${afterValue}, ${afterId})`;
}

/** The texts of a JSON array, for the right side of `in`: one parameter, because databases limit their number. */
export const jsonList = <T extends string = string>(db: Db, json: Expression<string> | string): RawBuilder<T> =>
  db.dialect.jsonList<T>(json);

/** Columns for `select` and `returning`; all if there are none. */
export const columnList = (columns: readonly string[]): RawBuilder<unknown> =>
  columns.length > 0 ? sql.join(columns.map((column) => sql.ref(column))) : sql`*`;

/** The number of rows, for `select`. */
export const countRows = <DB, TB extends keyof DB>(eb: ExpressionBuilder<DB, TB>) =>
  eb.fn.countAll<number>().as('count');

/** A `like` pattern for values that contain `text`; `%` and `_` in it are escaped with a backslash. */
export const containing = (text: string) => `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

/** As `lower()` of the databases: ASCII letters only. */
export const asciiLowerCase = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
