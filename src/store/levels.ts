import type { RoleName } from '../contract/access.ts';
import { query } from './query.ts';
import type { Db } from './store.ts';

interface Line {
  default_level: RoleName | null;
  granted: RoleName | null;
}

/** A collection and those above it: what each gives by default, and what was granted to the user on it. */
const line = query<{ collection: string; user: string }, Line>((db, p) =>
  db
    .withRecursive('line', (with_) =>
      with_
        .selectFrom('collection')
        .select(['id', 'parent', 'default_level'])
        .where('id', '=', p.collection)
        .unionAll((all) =>
          all
            .selectFrom('collection as c')
            .innerJoin('line', 'line.parent', 'c.id')
            .select(['c.id', 'c.parent', 'c.default_level']),
        ),
    )
    .selectFrom('line')
    .leftJoin('content_grant as g', (join) => join.onRef('g.collection', '=', 'line.id').on('g.user', '=', p.user))
    .select(['line.default_level', 'g.level as granted']),
);

export const lineOf = (db: Db, collection: string, user: string) => line.all(db, { collection, user });

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
