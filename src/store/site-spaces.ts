import { query } from './query.ts';
import { rowsById } from './rows.ts';
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

/** The site space of a deleted space with a path in the same place. */
export const findHiddenSiteSpace = (
  db: Db,
  { site, section, path }: Pick<SiteSpaceRow, 'site' | 'section' | 'path'>,
): Promise<SiteSpaceRow | undefined> =>
  db
    .selectFrom('site_space')
    .innerJoin('space', 'space.id', 'site_space.space')
    .selectAll('site_space')
    .where('site_space.site', '=', site)
    .where('site_space.section', section === null ? 'is' : '=', section)
    .where('site_space.path', '=', path)
    .where('space.deleted_at', 'is not', null)
    .executeTakeFirst();

const rows = rowsById('site_space');
export const { change: changeSiteSpace, delete: deleteSiteSpace } = rows;

/** Adds a space at the end; the first one of a section, or outside sections, is the default there. */
export async function insertSiteSpace(
  db: Db,
  siteSpace: Pick<SiteSpaceRow, 'site' | 'section' | 'space' | 'path'>,
): Promise<SiteSpaceRow> {
  const { site, section } = siteSpace;
  const isFirst = (await siteSpacePaths(db, site, section)).size === 0;
  const position = await endOf(db, siteSpaceOrder(site, section));
  return rows.insert(db, { ...siteSpace, position, is_default: Number(isFirst) });
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
