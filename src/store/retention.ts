import { sql } from 'kysely';
import { query } from './query.ts';
import type { Db } from './store.ts';

const due = query<{ before: string }, { expired: number; unfinished: number }>((_, p) => ({
  compile: () =>
    sql<{ expired: number; unfinished: number }>`select
      exists (select 1 from space where deleted_at is not null and deleted_at <= ${p.before}) as expired,
      exists (select 1 from openapi_spec where processing_state <> 'complete') as unfinished`.compile(_),
}));

/** Whether a look at the clock finds anything to do. */
export async function pending(db: Db, before: string): Promise<{ expired: boolean; unfinished: boolean }> {
  const row = (await due.first(db, { before }))!;
  return { expired: row.expired === 1, unfinished: row.unfinished === 1 };
}

/** Removes spaces deleted at or before this time for good, with all they hold. */
export async function purgeSpaces(db: Db, before: string): Promise<void> {
  await db.deleteFrom('space').where('deleted_at', '<=', before).execute();
}
