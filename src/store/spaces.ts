import { duplicateContent } from './content.ts';
import { newId } from './ids.ts';
import { query } from './query.ts';
import { insertRevision } from './revisions.ts';
import { contentOrder, endOf, placeIn } from './siblings.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

/** What the order and the levels of a space or collection depend on. */
export interface Placed {
  id: string;
  parent: string | null;
  position: number;
  default_level: Row<'space'>['default_level'];
}

const placed = query<{ organization: string }, Placed>((db, p) =>
  db
    .selectFrom('space')
    .select(['id', 'parent', 'position', 'default_level'])
    .where('organization', '=', p.organization)
    .where('deleted_at', 'is', null),
);
export const placedSpaces = (db: Db, organization: string) => placed.all(db, { organization });

const deleted = query<{ organization: string; since: string }, Placed>((db, p) =>
  db
    .selectFrom('space')
    .select(['id', 'parent', 'position', 'default_level'])
    .where('organization', '=', p.organization)
    .where('deleted_at', '>', p.since),
);
/** Spaces deleted since then. */
export const deletedSpaces = (db: Db, organization: string, since: string) => deleted.all(db, { organization, since });

const collections = query<{ organization: string }, Placed>((db, p) =>
  db
    .selectFrom('collection')
    .select(['id', 'parent', 'position', 'default_level'])
    .where('organization', '=', p.organization),
);
export const placedCollections = (db: Db, organization: string) => collections.all(db, { organization });

const byParent = query<{ parent: string }, Placed>((db, p) =>
  db
    .selectFrom('space')
    .select(['id', 'parent', 'position', 'default_level'])
    .where('parent', '=', p.parent)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
);
/** Spaces directly in a collection, in their order. */
export const spacesIn = (db: Db, parent: string) => byParent.all(db, { parent });

const byIds = query<{ ids: string }, Row<'space'>>((db, p) =>
  db.selectFrom('space').selectAll().where('id', 'in', jsonList(p.ids)),
);

/** Spaces in the order of `ids`. */
export async function spacesById(db: Db, ids: string[]): Promise<Row<'space'>[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await byIds.all(db, { ids: JSON.stringify(ids) })).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

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
  const id = newId();
  const revision = newId();
  await db
    .insertInto('space')
    .values({
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
      deleted_at: null,
      revision,
      git_sync: null,
      visitor_auth: null,
    })
    .execute();
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
  return getSpace(db, id);
}

const byId = query<{ id: string }, Row<'space'>>((db, p) => db.selectFrom('space').selectAll().where('id', '=', p.id));
export const getSpace = (db: Db, id: string): Promise<Row<'space'>> => byId.one(db, { id });

export async function changeSpace(
  db: Db,
  id: string,
  change: Partial<
    Pick<Row<'space'>, 'title' | 'emoji' | 'edit_mode' | 'default_level' | 'deleted_at' | 'revision' | 'updated_at'>
  >,
) {
  if (Object.keys(change).length > 0) await db.updateTable('space').set(change).where('id', '=', id).execute();
  return getSpace(db, id);
}

const copyTitle = (title: string) => [...`${title} (copy)`].slice(0, 50).join('');

/**
 * Copies a space directly after itself, with its content and the values of its custom fields, but without comments,
 * change requests and grants (open parts, section 7).
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
  await db.updateTable('space').set({ position, default_level: original.default_level }).where('id', '=', id).execute();
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
