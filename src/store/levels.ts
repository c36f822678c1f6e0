import { type Expression, sql } from 'kysely';
import type { RoleName } from '../contract/access.ts';
import { filterQuery, query } from './query.ts';
import { jsonList, keyset, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';

interface CollectionLevel {
  default_level: RoleName | null;
  granted: RoleName | null;
}

/** For a collection and each one above it: the default level, and the level granted to the user. */
const levels = query<{ collection: string; user: string }, CollectionLevel>((db, p) =>
  db
    .withRecursive('tree', (cte) =>
      cte
        .selectFrom('collection')
        .select(['id', 'parent', 'default_level'])
        .where('id', '=', p.collection)
        .unionAll((all) =>
          all
            .selectFrom('collection as c')
            .innerJoin('tree', 'tree.parent', 'c.id')
            .select(['c.id', 'c.parent', 'c.default_level']),
        ),
    )
    .selectFrom('tree')
    .leftJoin('content_grant as g', (join) => join.onRef('g.collection', '=', 'tree.id').on('g.user', '=', p.user))
    .select(['tree.default_level', 'g.level as granted']),
);

export const lineOf = (db: Db, collection: string, user: string) => levels.all(db, { collection, user });

const onSpace = query<{ space: string; user: string }, { level: RoleName | null }>((db, p) =>
  db.selectFrom('content_grant').select('level').where('space', '=', p.space).where('user', '=', p.user),
);
export const grantOnSpace = async (db: Db, space: string, user: string) =>
  (await onSpace.first(db, { space, user }))?.level ?? null;

interface GrantedLevel {
  space: string | null;
  collection: string | null;
  level: RoleName | null;
}

const grants = query<{ user: string; spaces: string; collections: string }, GrantedLevel>((db, p) =>
  db
    .selectFrom('content_grant')
    .select(['space', 'collection', 'level'])
    .where('user', '=', p.user)
    .where('space', 'in', jsonList(db, p.spaces))
    .unionAll(
      db
        .selectFrom('content_grant')
        .select(['space', 'collection', 'level'])
        .where('user', '=', p.user)
        .where('collection', 'in', jsonList(db, p.collections)),
    ),
);

/** What was granted to a user on these spaces and collections, by their ids. */
export async function grantsOn(
  db: Db,
  user: string,
  spaces: string[],
  collections: string[],
): Promise<ReadonlyMap<string, RoleName | null>> {
  const params = { user, spaces: JSON.stringify(spaces), collections: JSON.stringify(collections) };
  const rows = await grants.all(db, params);
  return new Map(rows.map(({ space, collection, level }) => [space ?? collection ?? '', level]));
}

/** A grant that gives a level, on a space that is not deleted or on a collection. */
export interface GrantRow {
  user: string;
  /** ID of the space or collection. */
  place: string;
  space: string | null;
  collection: string | null;
  level: RoleName;
}

const placeOf = sql<string>`coalesce(g.space, g.collection)`;
const inOrganization = (organization: Expression<string>) =>
  sql`from content_grant g where g.organization = ${organization} and g.level is not null
    and (g.space is null or g.space in (select id from space where deleted_at is null))`;

const granted = filterQuery<PageParams & { organization: string }, GrantRow>((_, p, has) => {
  const beyond = has('afterId') ? sql` and ${keyset(['g.user', placeOf], 'asc', p)}` : sql``;
  return sql<GrantRow>`select g."user", ${placeOf} as place, g.space, g.collection, g.level
    ${inOrganization(p.organization)}${beyond} order by g."user", ${placeOf} limit ${p.limit}`;
});

const grantCount = query<{ organization: string }, { count: number }>(
  (_, p) => sql<{ count: number }>`select count(*) as "count" ${inOrganization(p.organization)}`,
);

/** The grants of an organization, sorted by user and place. */
export const listGrants = (db: Db, organization: string, after: PageKey | undefined, limit: number) =>
  granted.all(db, { organization, ...pageParams(after, limit) });

export const countGrants = async (db: Db, organization: string) => (await grantCount.one(db, { organization })).count;
