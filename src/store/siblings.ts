import { sql } from 'kysely';
import type { Db } from './store.ts';

/** Distance between neighbours, so that most moves touch one row. */
export const gap = 1 << 20;

/** Position after the last space or collection under `parent`: both share one order (open parts, 3.3). */
export async function lastContentPosition(db: Db, organization: string, parent: string | null): Promise<number> {
  const { last } = await db
    .selectFrom(
      db
        .selectFrom('space')
        .select('position')
        .where('organization', '=', organization)
        .where('parent', 'is', parent)
        .unionAll(
          db
            .selectFrom('collection')
            .select('position')
            .where('organization', '=', organization)
            .where('parent', 'is', parent),
        )
        .as('siblings'),
    )
    .select(sql<number | null>`max(position)`.as('last'))
    .executeTakeFirstOrThrow();
  return (last ?? 0) + gap;
}
