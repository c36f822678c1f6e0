import { newId } from './ids.ts';
import { query } from './query.ts';
import { endOf } from './siblings.ts';
import { sectionOrder } from './site-sections.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type GroupRow = Row<'site_section_group'>;

const all = query<{ site: string }, GroupRow>((db, p) =>
  db.selectFrom('site_section_group').selectAll().where('site', '=', p.site).orderBy('position').orderBy('id'),
);
export const listGroups = (db: Db, site: string) => all.all(db, { site });

/** Adds a group at the end of the site. */
export async function insertGroup(
  db: Db,
  { site, title, icon }: Pick<GroupRow, 'site' | 'title' | 'icon'>,
): Promise<string> {
  const id = newId();
  const position = await endOf(db, sectionOrder(site));
  await db.insertInto('site_section_group').values({ id, site, title, icon, position }).execute();
  return id;
}

export async function changeGroup(
  db: Db,
  id: string,
  change: Partial<Pick<GroupRow, 'title' | 'icon' | 'position'>>,
): Promise<void> {
  if (Object.keys(change).length > 0) {
    await db.updateTable('site_section_group').set(change).where('id', '=', id).execute();
  }
}

/** The sections of the group are kept, outside of groups. */
export async function deleteGroup(db: Db, id: string): Promise<void> {
  await db.deleteFrom('site_section_group').where('id', '=', id).execute();
}
