import { sql } from 'kysely';
import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

/** A place where a space is published: the site with the parts of its address. */
export interface Publication {
  space: string;
  site: string;
  visibility: Row<'site'>['visibility'];
  hostname: string | null;
  proxy: string | null;
  basename: string;
  organization: string;
  organization_hostname: string | null;
  /** Null outside sections and in the default section. */
  section_path: string | null;
  /** Null for the default site space. */
  path: string | null;
  /** 1 if the key belongs to an active share link of the site. */
  opened: number;
}

// If the space of a default site space is deleted, the first visible site space is the default instead.
const places = query<{ spaces: string; key: string }, Publication>(
  (db, p) =>
    sql<Publication>`select * from (
      select ss.space, site.id as site, site.visibility, site.hostname, site.proxy, site.basename,
        org.id as organization, org.hostname as organization_hostname,
        case when section.id = (
          select s.id from site_section as s where s.site = site.id order by s.is_default desc, s.position, s.id limit 1
        ) then null else section.path end as section_path,
        case when ss.id = (
          select x.id from site_space as x join space as s on s.id = x.space and s.deleted_at is null
          where x.site = site.id and x.section is not distinct from ss.section order by x.is_default desc, x.position, x.id limit 1
        ) then null else ss.path end as path,
        exists (select 1 from share_link where key = ${p.key} and site = site.id and active = 1) as opened,
        case site.visibility when 'public' then 0 when 'unlisted' then 1 when 'share-link' then 2 else 3 end as width,
        site.created_at, section.position as section_position, ss.is_default, ss.position
      from ${db.dialect.jsonEach(p.spaces)} as listed
        join site_space as ss on ss.space = listed.value
        join site on site.id = ss.site and site.published = 1
        join space on space.id = ss.space and space.deleted_at is null
        join organization as org on org.id = site.organization
        left join site_section as section on section.id = ss.section
      ) as place order by width, opened desc, created_at, site, section_path is not null, section_position,
        is_default desc, position`,
);

/** The preferred publication of each space: in the site with the widest visibility, at its first place there. */
export async function publicationsOf(db: Db, spaces: string[], shareKey = ''): Promise<Map<string, Publication>> {
  const best = new Map<string, Publication>();
  if (spaces.length === 0) return best;
  for (const row of await places.all(db, { spaces: JSON.stringify(spaces), key: shareKey })) {
    if (!best.has(row.space)) best.set(row.space, row);
  }
  return best;
}

const published = query<{ organization: string; basename: string }, Row<'site'>>((db, p) =>
  db
    .selectFrom('site')
    .innerJoin('organization', 'organization.id', 'site.organization')
    .selectAll('site')
    .where((eb) =>
      eb.or([eb('organization.hostname', '=', p.organization), eb('organization.id', '=', p.organization)]),
    )
    .where('site.basename', '=', p.basename)
    .where('site.published', '=', 1),
);
/** @param organization its hostname or id */
export const findPublishedSite = (db: Db, organization: string, basename: string) =>
  published.first(db, { organization, basename });
