import { sql } from 'kysely';
import { newId } from './ids.ts';
import { type Marked, query, queryFor } from './query.ts';
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

type FilterVariant = Record<'space' | 'title' | 'published' | 'type', boolean>;

const matching = (variant: FilterVariant, db: Db, p: Marked<FilterParams>) =>
  db
    .selectFrom('site')
    .where('organization', '=', p.organization)
    .$if(variant.space, (q) =>
      q.where('id', 'in', (eb) =>
        eb
          .selectFrom('site_space')
          .innerJoin('space', 'space.id', 'site_space.space')
          .select('site_space.site')
          .where('site_space.space', '=', p.space)
          .where('space.deleted_at', 'is', null),
      ),
    )
    .$if(variant.title, (q) => q.where(sql<boolean>`title_key like ${p.title} escape '\\'`))
    .$if(variant.published, (q) => q.where('published', '=', p.published))
    .$if(variant.type, (q) => q.where('type', 'in', jsonList<SiteRow['type']>(db, p.types)));

const list = queryFor<FilterVariant & { after: boolean }, FilterParams & PageParams, SiteRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll()
    .$if(variant.after, (q) => q.where(keyset(['created_at', 'id'], 'desc', p)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const count = queryFor<FilterVariant, FilterParams, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select(countRows),
);

function filterOf(organization: string, { space, title, published, type = [] }: SiteFilter) {
  const variant: FilterVariant = {
    space: space !== undefined,
    title: title !== undefined,
    published: published !== undefined,
    type: type.length > 0,
  };
  const params: FilterParams = {
    organization,
    space,
    title: title === undefined ? undefined : containing(title),
    published: published === undefined ? undefined : Number(published),
    types: JSON.stringify(type),
  };
  return { variant, params };
}

/** Sites after a key of `created_at` and `id`, newest first. */
export function listSites(
  db: Db,
  organization: string,
  filter: SiteFilter,
  after: PageKey | undefined,
  limit: number,
): Promise<SiteRow[]> {
  const { variant, params } = filterOf(organization, filter);
  return list({ ...variant, after: after !== undefined }).all(db, { ...params, ...pageParams(after, limit) });
}

export async function countSites(db: Db, organization: string, filter: SiteFilter): Promise<number> {
  const { variant, params } = filterOf(organization, filter);
  return (await count(variant).one(db, params)).count;
}

const byId = query<{ id: string }, SiteRow>((db, p) => db.selectFrom('site').selectAll().where('id', '=', p.id));
const getSite = (db: Db, id: string): Promise<SiteRow> => byId.one(db, { id });

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

export interface NewSite {
  organization: string;
  type: SiteRow['type'];
  title: string;
  basename: string;
  visibility: SiteRow['visibility'];
  customization: SiteRow['customization'];
  now: string;
}

export async function insertSite(db: Db, { now, title, ...site }: NewSite): Promise<SiteRow> {
  const id = newId();
  await db
    .insertInto('site')
    .values({
      ...site,
      id,
      title,
      title_key: titleKey(title),
      hostname: null,
      proxy: null,
      published: 0,
      ads: null,
      adaptive_schema: null,
      adaptive_schema_updated_at: null,
      created_at: now,
    })
    .execute();
  return getSite(db, id);
}

export async function changeSite(
  db: Db,
  id: string,
  { title, ...change }: Partial<Omit<SiteRow, 'id' | 'organization' | 'title_key'>>,
): Promise<SiteRow> {
  const set = { ...change, ...(title === undefined ? {} : { title, title_key: titleKey(title) }) };
  if (Object.keys(set).length > 0) await db.updateTable('site').set(set).where('id', '=', id).execute();
  return getSite(db, id);
}

export async function deleteSite(db: Db, id: string): Promise<void> {
  await db.deleteFrom('site').where('id', '=', id).execute();
}

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
