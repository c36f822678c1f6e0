import { listByCreated } from './list-by-created.ts';
import { newId } from './ids.ts';
import { query } from './query.ts';
import { rowsById } from './rows.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ShareLinkRow = Row<'share_link'>;

export const byCreated = listByCreated('share_link', 'site', 'newest first');

const activeLink = query<{ site: string; key: string }, { id: string }>((db, p) =>
  db.selectFrom('share_link').select('id').where('key', '=', p.key).where('site', '=', p.site).where('active', '=', 1),
);
/** Whether an active link of the site has this key. */
export const opens = async (db: Db, site: string, key: string) =>
  (await activeLink.first(db, { site, key })) !== undefined;

const rows = rowsById('share_link');
export const { change: changeShareLink, delete: deleteShareLink } = rows;

export function insertShareLink(db: Db, { site, name, now }: { site: string; name: string; now: string }) {
  // Only the key protects the site. At twice the length of an ID, it cannot be guessed.
  return rows.insert(db, { id: newId(), site, key: newId() + newId(), name, active: 1, created_at: now });
}
