import { newId } from './ids.ts';
import { query } from './query.ts';
import { contentOrder, endOf, gap, type Item } from './siblings.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

const one = query<{ id: string }, Row<'collection'>>((db, p) =>
  db.selectFrom('collection').selectAll().where('id', '=', p.id),
);
export const getCollection = async (db: Db, id: string): Promise<Row<'collection'>> => (await one.first(db, { id }))!;

const wanted = query<{ ids: string }, Row<'collection'>>((db, p) =>
  db
    .selectFrom('collection')
    .selectAll()
    .where(
      'id',
      'in',
      (eb) => eb.selectFrom(eb.fn('json_each', [p.ids]).as('wanted') as never).select('value' as never) as never,
    ),
);

/** Collections in the order of `ids`. */
export async function collectionsById(db: Db, ids: string[]): Promise<Row<'collection'>[]> {
  if (ids.length === 0) return [];
  const rows = new Map((await wanted.all(db, { ids: JSON.stringify(ids) })).map((row) => [row.id, row]));
  return ids.flatMap((id) => rows.get(id) ?? []);
}

/** Makes a collection, last among its siblings. */
export async function createCollection(
  db: Db,
  { organization, parent, title, now }: { organization: string; parent: string | null; title: string; now: string },
): Promise<Row<'collection'>> {
  const id = newId();
  await db
    .insertInto('collection')
    .values({
      id,
      organization,
      parent,
      position: await endOf(db, contentOrder(organization, parent)),
      title,
      description: null,
      default_level: 'read',
      created_at: now,
    })
    .execute();
  return getCollection(db, id);
}

export async function changeCollection(
  db: Db,
  id: string,
  change: Partial<Pick<Row<'collection'>, 'title' | 'description' | 'default_level'>>,
) {
  if (Object.keys(change).length > 0) await db.updateTable('collection').set(change).where('id', '=', id).execute();
  return getCollection(db, id);
}

const below = query<{ id: string }, { id: string }>((db, p) =>
  db
    .withRecursive('line', (with_) =>
      with_
        .selectFrom('collection')
        .select('id')
        .where('id', '=', p.id)
        .union((all) => all.selectFrom('collection as c').innerJoin('line', 'line.id', 'c.parent').select('c.id')),
    )
    .selectFrom('line')
    .select('id'),
);
/** The collection itself and every one below it. */
const collectionsBelow = async (db: Db, id: string) => (await below.all(db, { id })).map((row) => row.id);

const above = query<{ id: string; ancestor: string }, { id: string }>((db, p) =>
  db
    .withRecursive('line', (with_) =>
      with_
        .selectFrom('collection')
        .select(['id', 'parent'])
        .where('id', '=', p.id)
        .union((all) =>
          all.selectFrom('collection as c').innerJoin('line', 'line.parent', 'c.id').select(['c.id', 'c.parent']),
        ),
    )
    .selectFrom('line')
    .select('line.id')
    .where('line.id', '=', p.ancestor),
);
/** Whether `id` is `ancestor` itself or lies anywhere below it. */
export const isWithin = async (db: Db, id: string, ancestor: string) =>
  (await above.first(db, { id, ancestor })) !== undefined;

/** Deletes a collection; what it holds goes to the end of its parent in the sequence it stood in, deleted spaces too. */
export async function dissolveCollection(db: Db, { id, organization, parent }: Row<'collection'>): Promise<void> {
  const held = (
    await Promise.all(
      (['space', 'collection'] as const).map(async (table) => {
        const rows = await db.selectFrom(table).select(['id', 'position']).where('parent', '=', id).execute();
        return rows.map((row) => ({ ...row, table }));
      }),
    )
  )
    .flat()
    .toSorted((a, b) => a.position - b.position);
  const end = await endOf(db, contentOrder(organization, parent));
  for (const [index, item] of held.entries()) await placeContent(db, item, { parent, position: end + index * gap });
  await db.deleteFrom('collection').where('id', '=', id).execute();
}

/** Puts a space or collection under a parent of its organization. */
export async function placeContent(
  db: Db,
  { table, id }: Item,
  place: { parent: string | null; position: number },
): Promise<void> {
  await db
    .updateTable(table as 'space' | 'collection')
    .set(place)
    .where('id', '=', id)
    .execute();
}

/** A space, or a collection with all below it: the ids of what a transfer takes along. */
export interface Holding {
  collections: string[];
  /** Deleted ones too. */
  spaces: string[];
}

export async function holdingOf(db: Db, { table, id }: Item): Promise<Holding> {
  if (table === 'space') return { collections: [], spaces: [id] };
  const collections = await collectionsBelow(db, id);
  const spaces = await db
    .selectFrom('space')
    .select('id')
    .where('parent', 'in', () => listed(db, collections))
    .execute();
  return { collections, spaces: spaces.map((row) => row.id) };
}

// As one JSON parameter: SQLite takes a limited number of them.
const listed = (db: Db, ids: string[]) =>
  db
    .selectFrom((eb) => eb.fn('json_each', [eb.val(JSON.stringify(ids))]).as('listed') as never)
    .select('value' as never) as never;

/** A site that shows one of these spaces. */
export async function siteShowing(db: Db, spaces: string[]): Promise<{ title: string } | undefined> {
  return db
    .selectFrom('site_space as ss')
    .innerJoin('site', 'site.id', 'ss.site')
    .select('site.title')
    .where('ss.space', 'in', () => listed(db, spaces))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Gives content to another organization, at the end of its top level. Values of custom fields, and grants of people who
 * are no members there, are dropped (open parts, section 7); link invites to it come along.
 */
export async function transferContent(db: Db, root: Item, held: Holding, organization: string): Promise<void> {
  const spaces = () => listed(db, held.spaces);
  const collections = () => listed(db, held.collections);
  const position = await endOf(db, contentOrder(organization, null));
  await db.updateTable('collection').set({ organization }).where('id', 'in', collections).execute();
  await db.updateTable('space').set({ organization }).where('id', 'in', spaces).execute();
  await placeContent(db, root, { parent: null, position });
  await db.deleteFrom('custom_field_value').where('space', 'in', spaces).execute();
  for (const table of ['content_grant', 'invite'] as const) {
    await db
      .updateTable(table)
      .set({ organization })
      .where((eb) => eb.or([eb('space', 'in', spaces), eb('collection', 'in', collections)]))
      .execute();
  }
  await db
    .deleteFrom('content_grant')
    .where((eb) => eb.or([eb('space', 'in', spaces), eb('collection', 'in', collections)]))
    .where('user', 'not in', (eb) => eb.selectFrom('member').select('user').where('organization', '=', organization))
    .execute();
}
