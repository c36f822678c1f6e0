import { newId } from './ids.ts';
import { query } from './query.ts';
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

const byId = query<{ id: string }, SectionRow>((db, p) =>
  db.selectFrom('site_section').selectAll().where('id', '=', p.id),
);
const getSection = (db: Db, id: string): Promise<SectionRow> => byId.one(db, { id });

/** Adds a section at the end of the site; the first one is the default. */
export async function insertSection(
  db: Db,
  { site, title, path, icon }: Pick<SectionRow, 'site' | 'title' | 'path' | 'icon'>,
): Promise<SectionRow> {
  const id = newId();
  const first = (await listSections(db, site)).length === 0;
  await db
    .insertInto('site_section')
    .values({
      id,
      site,
      section_group: null,
      position: await endOf(db, sectionOrder(site)),
      title,
      description: null,
      path,
      condition: null,
      icon,
      is_default: Number(first),
    })
    .execute();
  return getSection(db, id);
}

export async function changeSection(
  db: Db,
  id: string,
  change: Partial<Omit<SectionRow, 'id' | 'site' | 'is_default'>>,
): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('site_section').set(change).where('id', '=', id).execute();
}

export async function deleteSection(db: Db, id: string): Promise<void> {
  await db.deleteFrom('site_section').where('id', '=', id).execute();
}

export async function makeDefaultSection(db: Db, site: string, id: string): Promise<void> {
  await db
    .updateTable('site_section')
    .set((eb) => ({ is_default: eb.case().when('id', '=', id).then(eb.lit(1)).else(eb.lit(0)).end() }))
    .where('site', '=', site)
    .execute();
}
