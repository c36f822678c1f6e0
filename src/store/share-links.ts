import { listByCreated } from './list-by-created.ts';
import { newId } from './ids.ts';
import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ShareLinkRow = Row<'share_link'>;

const byTime = listByCreated('share_link', 'site', 'newest first');
export const listShareLinks = byTime.list;
export const countShareLinks = byTime.count;

const activeLink = query<{ site: string; key: string }, { id: string }>((db, p) =>
  db.selectFrom('share_link').select('id').where('key', '=', p.key).where('site', '=', p.site).where('active', '=', 1),
);
/** Whether an active link of the site has this key. */
export const opens = async (db: Db, site: string, key: string) =>
  (await activeLink.first(db, { site, key })) !== undefined;

const byId = query<{ id: string }, ShareLinkRow>((db, p) =>
  db.selectFrom('share_link').selectAll().where('id', '=', p.id),
);

export async function insertShareLink(db: Db, { site, name, now }: { site: string; name: string; now: string }) {
  const id = newId();
  // Only the key protects the site: with twice the length of an id it cannot be guessed.
  const key = newId() + newId();
  await db.insertInto('share_link').values({ id, site, key, name, active: 1, created_at: now }).execute();
  return byId.one(db, { id });
}

export async function changeShareLink(db: Db, id: string, change: Partial<Pick<ShareLinkRow, 'name' | 'active'>>) {
  if (Object.keys(change).length > 0) await db.updateTable('share_link').set(change).where('id', '=', id).execute();
  return byId.one(db, { id });
}

export async function deleteShareLink(db: Db, id: string): Promise<void> {
  await db.deleteFrom('share_link').where('id', '=', id).execute();
}
