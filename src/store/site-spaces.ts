import { newId } from './ids.ts';
import { query } from './query.ts';
import { endOf, type Order } from './siblings.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type SiteSpaceRow = Row<'site_space'>;

/** The site spaces of a section, or those outside sections, in their order. */
export const siteSpaceOrder = (site: string, section: string | null): Order => [
  { table: 'site_space', where: { site, section } },
];

const visible = query<{ site: string }, SiteSpaceRow>((db, p) =>
  db
    .selectFrom('site_space')
    .innerJoin('space', 'space.id', 'site_space.space')
    .selectAll('site_space')
    .where('site_space.site', '=', p.site)
    .where('space.deleted_at', 'is', null)
    .orderBy('site_space.position')
    .orderBy('site_space.id'),
);
/** All site spaces except those of deleted spaces, by position. */
export const listSiteSpaces = (db: Db, site: string) => visible.all(db, { site });

const byId = query<{ site: string; id: string }, SiteSpaceRow>((db, p) =>
  db
    .selectFrom('site_space')
    .innerJoin('space', 'space.id', 'site_space.space')
    .selectAll('site_space')
    .where('site_space.id', '=', p.id)
    .where('site_space.site', '=', p.site)
    .where('space.deleted_at', 'is', null),
);
/** A site space of this site, unless its space is deleted. */
export const findSiteSpace = (db: Db, site: string, id: string) => byId.first(db, { site, id });

/** Paths in use in a section, or outside sections; those of deleted spaces too, because a deleted space can be restored. */
export async function siteSpacePaths(db: Db, site: string, section: string | null): Promise<Set<string>> {
  const rows = await db
    .selectFrom('site_space')
    .select('path')
    .where('site', '=', site)
    .where('section', section === null ? 'is' : '=', section)
    .execute();
  return new Set(rows.map((row) => row.path));
}

/** Adds a space at the end; the first one of a section, or outside sections, is the default there. */
export async function insertSiteSpace(
  db: Db,
  { site, section, space, path }: Pick<SiteSpaceRow, 'site' | 'section' | 'space' | 'path'>,
): Promise<SiteSpaceRow> {
  const id = newId();
  const other = await db
    .selectFrom('site_space')
    .select('id')
    .where('site', '=', site)
    .where('section', section === null ? 'is' : '=', section)
    .limit(1)
    .executeTakeFirst();
  const position = await endOf(db, siteSpaceOrder(site, section));
  await db
    .insertInto('site_space')
    .values({ id, site, section, space, path, position, condition: null, is_default: other ? 0 : 1 })
    .execute();
  return getSiteSpace(db, id);
}

const anyById = query<{ id: string }, SiteSpaceRow>((db, p) =>
  db.selectFrom('site_space').selectAll().where('id', '=', p.id),
);
const getSiteSpace = (db: Db, id: string): Promise<SiteSpaceRow> => anyById.one(db, { id });

export async function changeSiteSpace(
  db: Db,
  id: string,
  change: Partial<Pick<SiteSpaceRow, 'path' | 'condition' | 'position'>>,
): Promise<void> {
  if (Object.keys(change).length > 0) await db.updateTable('site_space').set(change).where('id', '=', id).execute();
}

export async function deleteSiteSpace(db: Db, id: string): Promise<void> {
  await db.deleteFrom('site_space').where('id', '=', id).execute();
}

export async function makeDefaultSiteSpace(db: Db, { id, site, section }: SiteSpaceRow): Promise<void> {
  await db
    .updateTable('site_space')
    .set((eb) => ({ is_default: eb.case().when('id', '=', id).then(eb.lit(1)).else(eb.lit(0)).end() }))
    .where('site', '=', site)
    .where('section', section === null ? 'is' : '=', section)
    .execute();
}

/** Moves all site spaces outside sections into one section; order, paths and default stay the same. */
export async function gatherSiteSpaces(db: Db, site: string, section: string): Promise<void> {
  await db.updateTable('site_space').set({ section }).where('site', '=', site).where('section', 'is', null).execute();
}
