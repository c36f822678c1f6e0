import { sql } from 'kysely';
import { highest, type RoleName } from '../contract/access.ts';
import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type InviteRow = Row<'invite'>;

// While its space is deleted, an invite is not there either.
const open = sql<boolean>`(space is null or space in (select id from space where deleted_at is null))`;

const list = queryFor<
  { after: boolean },
  { organization: string; afterTime?: string; afterId?: string; limit: number },
  InviteRow
>(
  (variant, db, p) =>
    db
      .selectFrom('invite')
      .selectAll()
      .where('organization', '=', p.organization)
      .where(open)
      .$if(variant.after, (q) =>
        q.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p.afterTime, p.afterId) as never)),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(p.limit) as never,
);
/** Newest first. */
export const listInvites = (db: Db, organization: string, after: readonly unknown[] | undefined, limit: number) =>
  list({ after: after !== undefined }).all(db, {
    organization,
    limit,
    ...(after ? { afterTime: after[0] as string, afterId: after[1] as string } : {}),
  });

const count = query<{ organization: string }, { count: number }>((db, p) =>
  db
    .selectFrom('invite')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organization', '=', p.organization)
    .where(open),
);
export const countInvites = async (db: Db, organization: string) => (await count.first(db, { organization }))!.count;

export async function createInvite(
  db: Db,
  invite: Pick<InviteRow, 'organization' | 'space' | 'collection' | 'level' | 'created_at'>,
): Promise<InviteRow> {
  const row = { id: newId(), ...invite };
  await db.insertInto('invite').values(row).execute();
  return row;
}

export async function changeInvite(db: Db, id: string, level: RoleName | null) {
  await db.updateTable('invite').set({ level }).where('id', '=', id).execute();
}

export async function deleteInvite(db: Db, id: string) {
  await db.deleteFrom('invite').where('id', '=', id).execute();
}

/** Gives a user at least this level on a space or collection; a higher one stays. */
export async function raiseGrant(
  db: Db,
  { organization, space, collection, level }: Pick<InviteRow, 'organization' | 'space' | 'collection' | 'level'>,
  user: string,
): Promise<void> {
  if (level === null) return;
  const held = db
    .selectFrom('content_grant')
    .select('level')
    .where('user', '=', user)
    .where('space', 'is', space)
    .where('collection', 'is', collection);
  const present = await held.executeTakeFirst();
  if (!present) {
    await db.insertInto('content_grant').values({ user, organization, space, collection, level }).execute();
    return;
  }
  await db
    .updateTable('content_grant')
    .set({ level: highest(present.level, level) })
    .where('user', '=', user)
    .where('space', 'is', space)
    .where('collection', 'is', collection)
    .execute();
}
