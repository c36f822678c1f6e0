import { type Expression, sql, type SqlBool } from 'kysely';
import { filterQuery, query } from './query.ts';
import { keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row, Tables } from './tables.ts';

interface ListByCreated<Row> {
  /** Rows of one owner after a key of `created_at` and `id`; all of them with a limit of `allRows`. */
  list(db: Db, owner: string, after: PageKey | undefined, limit: number): Promise<Row[]>;
  count(db: Db, owner: string): Promise<number>;
}

/**
 * Queries for what belongs to an owner, sorted by the time it was created.
 *
 * @param owner the column that holds the owner's id
 * @param condition which of its rows are listed, where that is not all
 */
export function listByCreated<T extends keyof Tables & string>(
  table: T,
  owner: keyof Tables[T] & string,
  order: 'oldest first' | 'newest first',
  condition?: Expression<SqlBool>,
): ListByCreated<Row<T>> {
  const direction = order === 'oldest first' ? 'asc' : 'desc';
  const sorted = sql.raw(`order by "created_at" ${direction}, "id" ${direction}`);
  // As SQL: Kysely cannot infer the columns of a table that is a parameter.
  const fromOwner = (id: Expression<string>) =>
    sql`from ${sql.table(table)} where ${sql.ref(owner)} = ${id}${condition ? sql` and ${condition}` : sql``}`;
  const list = filterQuery<PageParams & { owner: string }, Row<T>>((_, p, has) => {
    const beyond = has('afterId') ? sql` and ${keyset(['created_at', 'id'], direction, p)}` : sql``;
    return sql<Row<T>>`select * ${fromOwner(p.owner)}${beyond} ${sorted} limit ${p.limit}`;
  });
  const count = query<{ owner: string }, { count: number }>(
    (_, p) => sql<{ count: number }>`select count(*) as "count" ${fromOwner(p.owner)}`,
  );
  return {
    list: (db, id, after, limit) => list.all(db, { owner: id, ...pageParams(after, limit) }),
    count: async (db, id) => (await count.one(db, { owner: id })).count,
  };
}
