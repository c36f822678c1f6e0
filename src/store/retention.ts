import { sql } from 'kysely';
import { query } from './query.ts';
import type { Db } from './store.ts';

const due = query<{ before: string }, { expired: number; unfinished: number }>((_, p) => ({
  compile: () =>
    sql<{ expired: number; unfinished: number }>`select
      exists (select 1 from space where deleted_at is not null and deleted_at <= ${p.before}) as expired,
      exists (select 1 from openapi_spec where processing_state <> 'complete') as unfinished`.compile(_),
}));

/** Days that a deleted space can be restored (API description, section 3). */
export const retentionDays = 7;

/** Spaces deleted at or before this time are gone for good, whether or not they have been removed yet. */
export const retainedSince = (now: string | number) =>
  new Date(new Date(now).getTime() - retentionDays * 86_400_000).toISOString();

/** Whether a look at the clock finds anything to do. */
export async function pending(db: Db, before: string): Promise<{ expired: boolean; unfinished: boolean }> {
  const row = (await due.first(db, { before }))!;
  return { expired: row.expired === 1, unfinished: row.unfinished === 1 };
}

/** Removes spaces deleted at or before this time for good, with all they hold. */
export async function purgeSpaces(db: Db, before: string): Promise<void> {
  await db.deleteFrom('space').where('deleted_at', '<=', before).execute();
}
