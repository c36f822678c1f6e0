import { type Expression, sql, type SqlBool } from 'kysely';
import { filterQuery, query } from './query.ts';
import { columnList, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row, Tables } from './tables.ts';

export interface ListByCreated<Row> {
  /** Rows of one owner after a key of `created_at` and `id`; all of them with a limit of `allRows`. */
  list(db: Db, owner: string, after: PageKey | undefined, limit: number): Promise<Row[]>;
  count(db: Db, owner: string): Promise<number>;
}

/**
 * Queries for the rows of an owner, sorted by creation time.
 *
 * @param owner the column with the ID of the owner
 * @param condition which rows are listed; all by default
 * @param columns the columns to read; all by default
 */
export function listByCreated<T extends keyof Tables & string, C extends keyof Row<T> & string = keyof Row<T> & string>(
  table: T,
  owner: keyof Tables[T] & string,
  order: 'oldest first' | 'newest first',
  { condition, columns = [] }: { condition?: Expression<SqlBool>; columns?: readonly C[] } = {},
): ListByCreated<Pick<Row<T>, C>> {
  const direction = order === 'oldest first' ? 'asc' : 'desc';
  const sorted = sql.raw(`order by "created_at" ${direction}, "id" ${direction}`);
  // As SQL: Kysely cannot infer the columns of a table that is a parameter.
  const fromOwner = (id: Expression<string>) =>
    sql`from ${sql.table(table)} where ${sql.ref(owner)} = ${id}${condition ? sql` and ${condition}` : sql``}`;
  const list = filterQuery<PageParams & { owner: string }, Pick<Row<T>, C>>((_, p, has) => {
    const beyond = has('afterId') ? sql` and ${keyset(['created_at', 'id'], direction, p)}` : sql``;
    return sql<
      Pick<Row<T>, C>
    >`select ${columnList(columns)} ${fromOwner(p.owner)}${beyond} ${sorted} limit ${p.limit}`;
  });
  const count = query<{ owner: string }, { count: number }>(
    (_, p) => sql<{ count: number }>`select count(*) as "count" ${fromOwner(p.owner)}`,
  );
  return {
    list: (db, id, after, limit) => list.all(db, { owner: id, ...pageParams(after, limit) }),
    count: async (db, id) => (await count.one(db, { owner: id })).count,
  };
}
