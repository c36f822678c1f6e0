import { query } from './query.ts';
import { rowsById } from './rows.ts';
import { type ContentItem, contentOrder, endOf, gap } from './siblings.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

const rows = rowsById('collection');
export const { get: getCollection, change: changeCollection, list: collectionsById } = rows;

/** Creates a collection, last among its siblings. */
export async function createCollection(
  db: Db,
  { organization, parent, title, now }: { organization: string; parent: string | null; title: string; now: string },
): Promise<Row<'collection'>> {
  const position = await endOf(db, contentOrder(organization, parent));
  return rows.insert(db, { organization, parent, position, title, default_level: 'read', created_at: now });
}

const descendants = query<{ id: string }, { id: string }>((db, p) =>
  db
    .withRecursive('tree', (cte) =>
      cte
        .selectFrom('collection')
        .select('id')
        .where('id', '=', p.id)
        .union((all) => all.selectFrom('collection as c').innerJoin('tree', 'tree.id', 'c.parent').select('c.id')),
    )
    .selectFrom('tree')
    .select('id'),
);
/** The collection itself and every one below it. */
const collectionsBelow = async (db: Db, id: string) => (await descendants.all(db, { id })).map((row) => row.id);

const ancestors = query<{ id: string; ancestor: string }, { id: string }>((db, p) =>
  db
    .withRecursive('tree', (cte) =>
      cte
        .selectFrom('collection')
        .select(['id', 'parent'])
        .where('id', '=', p.id)
        .union((all) =>
          all.selectFrom('collection as c').innerJoin('tree', 'tree.parent', 'c.id').select(['c.id', 'c.parent']),
        ),
    )
    .selectFrom('tree')
    .select('tree.id')
    .where('tree.id', '=', p.ancestor),
);
/** Whether `id` is `ancestor` itself or lies anywhere below it. */
export const isWithin = async (db: Db, id: string, ancestor: string) =>
  (await ancestors.first(db, { id, ancestor })) !== undefined;

/** Deletes a collection. Its contents, including deleted spaces, move to the end of its parent in their order. */
export async function dissolveCollection(db: Db, { id, organization, parent }: Row<'collection'>): Promise<void> {
  const items = (
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
  for (const [index, { table, id }] of items.entries()) {
    await placeContent(db, { table, id }, { parent, position: end + index * gap });
  }
  await rows.delete(db, id);
}

/** Places a space or collection under a parent of its organization. */
export async function placeContent(
  db: Db,
  { table, id }: ContentItem,
  place: { parent: string | null; position: number },
): Promise<void> {
  await db.updateTable(table).set(place).where('id', '=', id).execute();
}

/** The IDs that a transfer includes: a space, or a collection with everything below it. */
export interface Holding {
  collections: string[];
  /** Deleted ones too. */
  spaces: string[];
}

export async function holdingOf(db: Db, { table, id }: ContentItem): Promise<Holding> {
  if (table === 'space') return { collections: [], spaces: [id] };
  const collections = await collectionsBelow(db, id);
  const spaces = await db
    .selectFrom('space')
    .select('id')
    .where('parent', 'in', jsonList(db, JSON.stringify(collections)))
    .execute();
  return { collections, spaces: spaces.map((row) => row.id) };
}

/** A site that includes one of these spaces. */
export async function siteShowing(db: Db, spaces: string[]): Promise<{ id: string; title: string } | undefined> {
  return db
    .selectFrom('site_space as ss')
    .innerJoin('site', 'site.id', 'ss.site')
    .select(['site.id', 'site.title'])
    .where('ss.space', 'in', jsonList(db, JSON.stringify(spaces)))
    .limit(1)
    .executeTakeFirst();
}

/**
 * Moves content to another organization, to the end of its top level. Values of custom fields, and grants of people who
 * are not members there, are deleted; link invites to it are kept.
 */
export async function transferContent(
  db: Db,
  root: ContentItem,
  holding: Holding,
  organization: string,
): Promise<void> {
  const spaces = jsonList(db, JSON.stringify(holding.spaces));
  const collections = jsonList(db, JSON.stringify(holding.collections));
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
