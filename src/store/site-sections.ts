import { query } from './query.ts';
import { rowsById } from './rows.ts';
import { endOf, type Order } from './siblings.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type SectionRow = Row<'site_section'>;

/** Sections and section groups of a site share one order, whether or not a section is in a group. */
export const sectionOrder = (site: string): Order => [
  { table: 'site_section', where: { site } },
  { table: 'site_section_group', where: { site } },
];

const all = query<{ site: string }, SectionRow>((db, p) =>
  db.selectFrom('site_section').selectAll().where('site', '=', p.site).orderBy('position').orderBy('id'),
);
export const listSections = (db: Db, site: string) => all.all(db, { site });

const rows = rowsById('site_section');
export const { change: changeSection, delete: deleteSection } = rows;

/** Adds a section at the end of the site; the first one is the default. */
export async function insertSection(
  db: Db,
  section: Pick<SectionRow, 'site' | 'title' | 'path' | 'icon'>,
): Promise<SectionRow> {
  const isFirst = (await listSections(db, section.site)).length === 0;
  const position = await endOf(db, sectionOrder(section.site));
  return rows.insert(db, { ...section, position, is_default: Number(isFirst) });
}

export async function makeDefaultSection(db: Db, site: string, id: string): Promise<void> {
  await db
    .updateTable('site_section')
    .set((eb) => ({ is_default: eb.case().when('id', '=', id).then(eb.lit(1)).else(eb.lit(0)).end() }))
    .where('site', '=', site)
    .execute();
}
