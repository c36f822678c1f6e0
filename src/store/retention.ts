import { sql } from 'kysely';
import { retentionDays } from '../contract/retention.ts';
import { query } from './query.ts';
import type { Db } from './store.ts';

const due = query<{ before: string }, { expired: number; unfinished: number; outdated: number }>(
  (_, p) =>
    sql<{ expired: number; unfinished: number; outdated: number }>`select
      exists (select 1 from space where deleted_at is not null and deleted_at <= ${p.before}) as expired,
      exists (select 1 from searched_page where outdated = 1) as outdated,
      exists (select 1 from openapi_spec where processing_state <> 'complete') as unfinished`,
);

/** Spaces deleted at or before this time can no longer be restored, whether or not they have been removed yet. */
export const retainedSince = (now: string | number) =>
  new Date(new Date(now).getTime() - retentionDays * 86_400_000).toISOString();

/** Whether there are spaces to remove or OpenAPI specifications to process. */
export async function pending(
  db: Db,
  before: string,
): Promise<{ expired: boolean; unfinished: boolean; outdated: boolean }> {
  const row = await due.one(db, { before });
  return { expired: row.expired === 1, unfinished: row.unfinished === 1, outdated: row.outdated === 1 };
}

/** Removes spaces deleted at or before this time, with everything that belongs to them. */
export async function purgeSpaces(db: Db, before: string): Promise<void> {
  await db.deleteFrom('space').where('deleted_at', '<=', before).execute();
}
