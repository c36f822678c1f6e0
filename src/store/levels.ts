import type { RoleName } from '../contract/access.ts';
import { query } from './query.ts';
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

const grants = query<
  { organization: string; user: string },
  { space: string | null; collection: string | null; level: RoleName | null }
>((db, p) =>
  db
    .selectFrom('content_grant')
    .select(['space', 'collection', 'level'])
    .where('organization', '=', p.organization)
    .where('user', '=', p.user),
);
export const grantsOf = (db: Db, organization: string, user: string) => grants.all(db, { organization, user });

const collections = query<
  { organization: string },
  { id: string; parent: string | null; default_level: RoleName | null }
>((db, p) =>
  db.selectFrom('collection').select(['id', 'parent', 'default_level']).where('organization', '=', p.organization),
);
export const collectionLevels = (db: Db, organization: string) => collections.all(db, { organization });
