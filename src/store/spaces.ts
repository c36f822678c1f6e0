import { type Expression, sql } from 'kysely';
import { duplicateContent } from './content.ts';
import type { Placed } from './content-tree.ts';
import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import { insertRevision } from './revisions.ts';
import { rowsById } from './rows.ts';
import { contentOrder, endOf, placeIn } from './siblings.ts';
import { type Direction, type PageKey, type PageParams, pageParams } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

const placed = ['id', 'parent', 'position', 'default_level'] as const;

const deleted = query<{ organization: string; since: string }, Placed>((db, p) =>
  db.selectFrom('space').select(placed).where('organization', '=', p.organization).where('deleted_at', '>', p.since),
);
/** Spaces deleted since then. */
export const deletedSpaces = (db: Db, organization: string, since: string) => deleted.all(db, { organization, since });

interface InCollection {
  organization: string;
  parent: string;
  afterPosition: number;
  afterId: string;
  limit: number;
}

const inCollection = query<InCollection, Placed>((db, p) =>
  db
    .selectFrom('space')
    .select(placed)
    .where('organization', '=', p.organization)
    .where('parent', '=', p.parent)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(position, id) > (${p.afterPosition}, ${p.afterId})`)
    .orderBy('position')
    .orderBy('id')
    .limit(p.limit),
);
/** Spaces directly in a collection, in their order. */
export const spacesIn = (
  db: Db,
  { organization, id }: Pick<Row<'collection'>, 'organization' | 'id'>,
  [afterPosition, afterId]: readonly [position: number, id: string] = [-Number.MAX_VALUE, ''],
  limit: number,
) => inCollection.all(db, { organization, parent: id, afterPosition, afterId, limit });

interface CreatedVariant {
  direction: Direction;
  isGuest: boolean;
}

const byCreated = queryFor<CreatedVariant, PageParams & { organization: string; user: string }, Row<'space'>>(
  ({ direction, isGuest }, _, p, has) => {
    const seen = isGuest ? sql`and id in (${grantedSpaceIds(p)})` : sql``;
    // In both directions, spaces with the same time are sorted by ID.
    const beyond = sql.raw(direction === 'asc' ? '>' : '<');
    const after = has('afterId')
      ? sql`and created_at ${beyond}= ${p.afterValue}
          and (created_at ${beyond} ${p.afterValue} or id > ${p.afterId})`
      : sql``;
    return sql<Row<'space'>>`select * from space where organization = ${p.organization} and deleted_at is null
      ${seen} ${after} order by created_at ${sql.raw(direction)}, id limit ${p.limit}`;
  },
);

/** Spaces of an organization by creation time; for a guest, the granted ones. */
export const spacesByCreated = (
  db: Db,
  { organization, user, isGuest }: { organization: string; user: string; isGuest: boolean },
  direction: Direction,
  after: PageKey | undefined,
  limit: number,
) => byCreated({ direction, isGuest }).all(db, { organization, user, ...pageParams(after, limit) });

/** The IDs of the spaces granted to a user, directly or through a collection, including deleted ones. */
const grantedSpaceIds = (p: { organization: Expression<string>; user: Expression<string> }) =>
  sql`with recursive held(id) as (
      select collection from content_grant where organization = ${p.organization} and "user" = ${p.user}
        and collection is not null and level is not null
      union select c.id from held h join collection c on c.parent = h.id)
    select s.id from held h join space s on s.parent = h.id
    union select space from content_grant where organization = ${p.organization} and "user" = ${p.user}
      and space is not null and level is not null`;

const rows = rowsById('space');
export const { get: getSpace, change: changeSpace, list: spacesById } = rows;

export interface NewSpace {
  organization: string;
  parent: string | null;
  title: string;
  emoji: string;
  editMode: Row<'space'>['edit_mode'];
  author: string;
  now: string;
}

/** Creates a space with one empty revision, last among its siblings. */
export async function createSpace(
  db: Db,
  { organization, parent, title, emoji, editMode, author, now }: NewSpace,
): Promise<Row<'space'>> {
  const [id, revision] = [newId(), newId()];
  const space = await rows.insert(db, {
    id,
    organization,
    parent,
    position: await endOf(db, contentOrder(organization, parent)),
    title,
    emoji,
    edit_mode: editMode,
    default_level: 'read',
    created_at: now,
    updated_at: now,
    revision,
  });
  await insertRevision(db, {
    id: revision,
    space: id,
    changeRequest: null,
    base: null,
    type: 'edits',
    parents: [],
    author,
    now,
  });
  return space;
}

const copyTitle = (title: string) => [...`${title} (copy)`].slice(0, 50).join('');

/**
 * Copies a space directly after itself, with its content and the values of its custom fields, but without comments,
 * change requests and grants.
 *
 * @returns the id of the copy
 */
export async function duplicateSpace(
  db: Db,
  original: Row<'space'>,
  { author, now }: { author: string; now: string },
): Promise<string> {
  const { organization, parent } = original;
  const { id } = await createSpace(db, {
    organization,
    parent,
    title: copyTitle(original.title),
    emoji: original.emoji,
    editMode: original.edit_mode,
    author,
    now,
  });
  const place = await placeIn(db, contentOrder(organization, parent), [{ table: 'space', id }], {
    after: { table: 'space', id: original.id },
  });
  const [position] = place.kind === 'placed' ? place.positions : [];
  if (position === undefined) throw new Error(`Space ${original.id} is not among the spaces of its parent.`);
  await rows.change(db, id, { position, default_level: original.default_level });
  await db
    .insertInto('custom_field_value')
    .columns(['space', 'field', 'value'])
    .expression((eb) =>
      eb
        .selectFrom('custom_field_value')
        .select([eb.val(id).as('space'), 'field', 'value'])
        .where('space', '=', original.id),
    )
    .execute();
  await duplicateContent(db, original.id, id);
  return id;
}
