import { sql } from 'kysely';
import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';
import { containing, titleKey } from './teams.ts';

export type SiteRow = Row<'site'>;

export interface SiteFilter {
  space?: string | undefined;
  title?: string | undefined;
  published?: boolean | undefined;
  type?: string[] | undefined;
}

interface Params {
  organization: string;
  space?: string;
  title?: string;
  published?: number;
  types?: string;
  afterTime?: string;
  afterId?: string;
  limit?: number;
}

type Variant = Record<'space' | 'title' | 'published' | 'type' | 'after', boolean>;

const matching = (variant: Variant, db: Db, p: Parameters<Parameters<typeof query<Params>>[0]>[1]) =>
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
    .$if(variant.type, (q) => q.where(sql<boolean>`type in (select value from json_each(${p.types}))`));

const list = queryFor<Variant, Params, SiteRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll()
    .$if(variant.after, (q) =>
      q.where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(p.afterTime as never, p.afterId as never))),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(p.limit),
);

const count = queryFor<Variant, Params, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select((eb) => eb.fn.countAll<number>().as('count')),
);

function asked(organization: string, { space, title, published, type }: SiteFilter, after?: readonly unknown[]) {
  const variant: Variant = {
    space: space !== undefined,
    title: title !== undefined,
    published: published !== undefined,
    type: type !== undefined && type.length > 0,
    after: after !== undefined,
  };
  const params: Params = { organization };
  if (space !== undefined) params.space = space;
  if (title !== undefined) params.title = containing(title);
  if (published !== undefined) params.published = Number(published);
  if (variant.type) params.types = JSON.stringify(type);
  if (after) Object.assign(params, { afterTime: after[0], afterId: after[1] });
  return { variant, params };
}

/** Newest first, older than `after`, a time and an id. */
export function listSites(
  db: Db,
  organization: string,
  filter: SiteFilter,
  after: readonly unknown[] | undefined,
  limit: number,
): Promise<SiteRow[]> {
  const { variant, params } = asked(organization, filter, after);
  return list(variant).all(db, { ...params, limit });
}

export async function countSites(db: Db, organization: string, filter: SiteFilter): Promise<number> {
  const { variant, params } = asked(organization, filter);
  return (await count(variant).first(db, params))!.count;
}

const one = query<{ id: string }, SiteRow>((db, p) => db.selectFrom('site').selectAll().where('id', '=', p.id));
export const getSite = async (db: Db, id: string): Promise<SiteRow> => (await one.first(db, { id }))!;

/** The organization's basenames that are `wanted` or begin with it and a dash. */
export async function basenamesLike(db: Db, organization: string, wanted: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('site')
    .select('basename')
    .where('organization', '=', organization)
    .where((eb) =>
      // By range, not by pattern: the index serves it, and no character of the name is special.
      eb.or([
        eb('basename', '=', wanted),
        eb.and([eb('basename', '>=', `${wanted}-`), eb('basename', '<', `${wanted}.`)]),
      ]),
    )
    .execute();
  return new Set(rows.map((row) => row.basename));
}

export interface NewSite {
  organization: string;
  type: string;
  title: string;
  basename: string;
  visibility: string;
  customization: string;
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
  /** Site spaces of the section, or of the root, that has most. */
  variants: number;
  sections: number;
}

const outlines = query<{ ids: string }, Outline & { site: string }>((db, p) => ({
  compile: () =>
    sql<Outline & { site: string }>`
      select wanted.value as site,
        coalesce(sum(held.spaces), 0) as "siteSpaces",
        coalesce(max(held.spaces), 0) as variants,
        (select count(*) from site_section where site = wanted.value) as sections
      from json_each(${p.ids}) as wanted
        left join (
          select ss.site, count(*) as spaces
          from site_space as ss join space on space.id = ss.space and space.deleted_at is null
          where ss.site in (select value from json_each(${p.ids}))
          group by ss.site, ss.section
        ) as held on held.site = wanted.value
      group by wanted.value`.compile(db),
}));

/** How much each of these sites holds; site spaces of deleted spaces do not count. */
export async function outlinesOf(db: Db, sites: string[]): Promise<Map<string, Outline>> {
  const rows = await outlines.all(db, { ids: JSON.stringify(sites) });
  return new Map(rows.map(({ site, ...outline }) => [site, outline]));
}
