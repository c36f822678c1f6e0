import { sql } from 'kysely';
import { filterQuery, type Marked, query } from './query.ts';
import { rowsById } from './rows.ts';
import { containing, countRows, jsonList, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';
import { titleKey } from './teams.ts';

export type SiteRow = Row<'site'>;

export interface SiteFilter {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: SiteRow['type'][] | undefined;
}

interface FilterParams {
  organization: string;
  space?: string | undefined;
  title?: string | undefined;
  published?: number | undefined;
  types?: string | undefined;
}

const matching = (db: Db, p: Marked<FilterParams>, has: (name: keyof FilterParams) => boolean) =>
  db
    .selectFrom('site')
    .where('organization', '=', p.organization)
    .$if(has('space'), (q) =>
      q.where('id', 'in', (eb) =>
        eb
          .selectFrom('site_space')
          .innerJoin('space', 'space.id', 'site_space.space')
          .select('site_space.site')
          .where('site_space.space', '=', p.space)
          .where('space.deleted_at', 'is', null),
      ),
    )
    .$if(has('title'), (q) => q.where(sql<boolean>`title_key like ${p.title} escape '\\'`))
    .$if(has('published'), (q) => q.where('published', '=', p.published))
    .$if(has('types'), (q) => q.where('type', 'in', jsonList<SiteRow['type']>(db, p.types)));

const list = filterQuery<FilterParams & PageParams, SiteRow>((db, p, has) =>
  matching(db, p, has)
    .selectAll()
    .$if(has('afterId'), (q) => q.where(keyset(['created_at', 'id'], 'desc', p)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const count = filterQuery<FilterParams, { count: number }>((db, p, has) => matching(db, p, has).select(countRows));

const paramsOf = (organization: string, { space, title, published, type = [] }: SiteFilter): FilterParams => ({
  organization,
  space,
  title: title === undefined ? undefined : containing(title),
  published: published === undefined ? undefined : Number(published),
  types: type.length === 0 ? undefined : JSON.stringify(type),
});

/** Sites after a key of `created_at` and `id`, newest first. */
export const listSites = (
  db: Db,
  organization: string,
  filter: SiteFilter,
  after: PageKey | undefined,
  limit: number,
): Promise<SiteRow[]> => list.all(db, { ...paramsOf(organization, filter), ...pageParams(after, limit) });

export const countSites = async (db: Db, organization: string, filter: SiteFilter): Promise<number> =>
  (await count.one(db, paramsOf(organization, filter))).count;

const rows = rowsById('site');
export const deleteSite = rows.delete;

/** The organization's basenames that are `basename` or begin with it and a dash. */
export async function basenamesLike(db: Db, organization: string, basename: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('site')
    .select('basename')
    .where('organization', '=', organization)
    .where((eb) =>
      // A range instead of a pattern: it can use the index, and no character of the name is special.
      eb.or([
        eb('basename', '=', basename),
        eb.and([eb('basename', '>=', `${basename}-`), eb('basename', '<', `${basename}.`)]),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.basename));
}

export type NewSite = Pick<
  SiteRow,
  'organization' | 'type' | 'title' | 'basename' | 'visibility' | 'customization' | 'created_at'
>;

export const insertSite = (db: Db, site: NewSite): Promise<SiteRow> =>
  rows.insert(db, { ...site, title_key: titleKey(site.title), published: 0 });

export const changeSite = (
  db: Db,
  id: string,
  change: Partial<Omit<SiteRow, 'id' | 'organization' | 'title_key'>>,
): Promise<SiteRow> =>
  rows.change(db, id, { ...change, ...(change.title === undefined ? {} : { title_key: titleKey(change.title) }) });

export interface Outline {
  siteSpaces: number;
  /** The largest number of site spaces in one section, or outside sections. */
  variants: number;
  sections: number;
}

const outlines = query<{ ids: string }, Outline & { site: string }>(
  (db, p) => sql<Outline & { site: string }>`
      select listed.value as site,
        coalesce(sum(parts.spaces), 0) as "siteSpaces",
        coalesce(max(parts.spaces), 0) as variants,
        (select count(*) from site_section where site = listed.value) as sections
      from ${db.dialect.jsonEach(p.ids)} as listed
        left join (
          select ss.site, count(*) as spaces
          from site_space as ss join space on space.id = ss.space and space.deleted_at is null
          where ss.site in ${jsonList(db, p.ids)}
          group by ss.site, ss.section
        ) as parts on parts.site = listed.value
      group by listed.value`,
);

/** How much each of these sites contains; site spaces of deleted spaces do not count. */
export async function outlinesOf(db: Db, sites: string[]): Promise<Map<string, Outline>> {
  const rows = await outlines.all(db, { ids: JSON.stringify(sites) });
  return new Map(rows.map(({ site, ...outline }) => [site, outline]));
}
