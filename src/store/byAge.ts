import type { Expression, SqlBool } from 'kysely';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row, Tables } from './tables.ts';

interface Params {
  owner: string;
  afterTime?: string;
  afterId?: string;
  limit: number;
}

interface ByAge<R> {
  /** Rows of one owner after the key `[created_at, id]`; all of them with a limit of -1. */
  list(db: Db, owner: string, after: readonly unknown[] | undefined, limit: number): Promise<R[]>;
  count(db: Db, owner: string): Promise<number>;
}

/**
 * What belongs to an owner, by its age.
 *
 * @param owner the column that names the owner
 * @param only what of it is listed, where that is not all
 */
export function byAge<T extends keyof Tables & string>(
  table: T,
  owner: keyof Tables[T] & string,
  order: 'oldest first' | 'newest first',
  only?: Expression<SqlBool>,
): ByAge<Row<T>> {
  const direction = order === 'oldest first' ? 'asc' : 'desc';
  // Kysely cannot tell the columns of a table that is not named here.
  const ofOwner = (db: Db, id: unknown) => {
    const owned = (db as any).selectFrom(table).where(owner, '=', id);
    return only ? owned.where(only) : owned;
  };
  const list = queryFor<{ after: boolean }, Params, Row<T>>(({ after }, db, p) => {
    const rows = ofOwner(db, p.owner)
      .selectAll()
      .orderBy('created_at', direction)
      .orderBy('id', direction)
      .limit(p.limit);
    if (!after) return rows;
    return rows.where((eb: any) =>
      eb(eb.refTuple('created_at', 'id'), direction === 'asc' ? '>' : '<', eb.tuple(p.afterTime, p.afterId)),
    );
  });
  const count = query<{ owner: string }, { count: number }>((db, p) =>
    ofOwner(db, p.owner).select((eb: any) => eb.fn.countAll().as('count')),
  );
  return {
    list: (db, id, after, limit) =>
      list({ after: after !== undefined }).all(db, {
        owner: id,
        limit,
        ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
      }),
    count: async (db, id) => (await count.first(db, { owner: id }))!.count,
  };
}
