import { query } from './query.ts';
import { rowsById } from './rows.ts';
import { endOf } from './siblings.ts';
import { sectionOrder } from './site-sections.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type GroupRow = Row<'site_section_group'>;

const all = query<{ site: string }, GroupRow>((db, p) =>
  db.selectFrom('site_section_group').selectAll().where('site', '=', p.site).orderBy('position').orderBy('id'),
);
export const listGroups = (db: Db, site: string) => all.all(db, { site });

const rows = rowsById('site_section_group');
/** When a group is deleted, its sections are kept outside of groups. */
export const { change: changeGroup, delete: deleteGroup } = rows;

/** Adds a group at the end of the site. */
export async function insertGroup(db: Db, group: Pick<GroupRow, 'site' | 'title' | 'icon'>): Promise<GroupRow> {
  return rows.insert(db, { ...group, position: await endOf(db, sectionOrder(group.site)) });
}
