import { sql } from 'kysely';
import { highest } from '../contract/access.ts';
import { listByCreated } from './list-by-created.ts';
import { rowsById } from './rows.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type InviteRow = Row<'invite'>;

// Invites to deleted spaces are not listed.
const open = sql<boolean>`(space is null or space in (select id from space where deleted_at is null))`;

export const byCreated = listByCreated('invite', 'organization', 'newest first', { condition: open });

export const { insert: createInvite, change: changeInvite, delete: deleteInvite } = rowsById('invite');

/** Grants a user at least this level on a space or collection; a higher one is kept. */
export async function raiseGrant(
  db: Db,
  { organization, space, collection, level }: Pick<InviteRow, 'organization' | 'space' | 'collection' | 'level'>,
  user: string,
): Promise<void> {
  if (level === null) return;
  const grant = db
    .selectFrom('content_grant')
    .select('level')
    .where('user', '=', user)
    .where('space', space === null ? 'is' : '=', space)
    .where('collection', collection === null ? 'is' : '=', collection);
  const present = await grant.executeTakeFirst();
  if (!present) {
    await db.insertInto('content_grant').values({ user, organization, space, collection, level }).execute();
    return;
  }
  await db
    .updateTable('content_grant')
    .set({ level: highest(present.level, level) })
    .where('user', '=', user)
    .where('space', space === null ? 'is' : '=', space)
    .where('collection', collection === null ? 'is' : '=', collection)
    .execute();
}
