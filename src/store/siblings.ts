import { sql } from 'kysely';
import type { Direction } from './sql.ts';
import type { Db } from './store.ts';

/** Distance between neighbours, so that most moves change one row. */
export const gap = 1 << 20;

/** Tables whose rows have a `position` among their siblings. */
type Sortable = 'space' | 'collection' | 'site_section' | 'site_section_group' | 'site_space';

export interface Item {
  table: Sortable;
  id: string;
}

export interface ContentItem extends Item {
  table: 'space' | 'collection';
}

/** One order: the rows of these tables that have these values, sorted by `position` together. */
export type Order = readonly { table: Sortable; where: Readonly<Record<string, string | null>> }[];

/** The siblings directly after the new place (`before`) and directly before it (`after`); neither: the end. */
export interface Neighbours {
  before?: Item | undefined;
  after?: Item | undefined;
}

export type Placement =
  /** One position for each item, ascending. `stays`: the items are at that place already. */
  | { kind: 'placed'; positions: number[]; stays: boolean }
  /** This neighbour is not in the order, or is one of the items themselves. */
  | { kind: 'stranger'; which: 'before' | 'after' }
  /** The two neighbours are not next to each other. */
  | { kind: 'apart' };

interface Sibling extends Item {
  position: number;
  hidden: number;
}

/** Spaces and collections under one parent share one order. */
export const contentOrder = (organization: string, parent: string | null): Order => [
  { table: 'space', where: { organization, parent } },
  { table: 'collection', where: { organization, parent } },
];

// Siblings that callers cannot see keep their place; whether two are next to each other depends on the visible ones.
const hidden: Partial<Record<Sortable, ReturnType<typeof sql<number>>>> = {
  space: sql<number>`case when deleted_at is null then 0 else 1 end`,
  site_space: sql<number>`case when space in (select id from space where deleted_at is not null) then 1 else 0 end`,
};

function siblings(db: Db, order: Order) {
  const tables = order.map(({ table, where }) => {
    let rows = db
      .selectFrom(table)
      .select(['id', 'position', sql.lit(table).as('table'), (hidden[table] ?? sql<number>`0`).as('hidden')]);
    for (const [column, value] of Object.entries(where))
      rows = rows.where(sql.ref(column), value === null ? 'is' : '=', value);
    return rows;
  });
  const all = tables.reduce((union, rows) => union.unionAll(rows));
  return db.selectFrom(all.as('sibling')).selectAll();
}

/** Position after the last of an order. */
export async function endOf(db: Db, order: Order): Promise<number> {
  const last = await nextTo(db, order, undefined, 'desc');
  return (last?.position ?? 0) + gap;
}

/**
 * Finds positions for `items`, kept together and in their sequence, in an order that they may be in already. The items
 * are not written; if there is no room between the neighbours, the other siblings get new positions.
 */
export async function placeIn(
  db: Db,
  order: Order,
  items: readonly Item[],
  neighbours: Neighbours,
): Promise<Placement> {
  const itemIds = new Set(items.map(({ id }) => id));
  const place = await findNeighbours(db, order, neighbours);
  for (const which of ['before', 'after'] as const) {
    const neighbour = neighbours[which];
    if (neighbour && (itemIds.has(neighbour.id) || !place[which])) return { kind: 'stranger', which };
  }
  if (place.before && place.after) {
    const previous = await nextTo(db, order, place.before.position, 'desc', { except: itemIds, visible: true });
    if (previous?.id !== place.after.id) return { kind: 'apart' };
  }
  const stays = await isAlready(db, order, itemIds, place);
  const positions =
    (await freePositions(db, order, itemIds, place)) ?? (await renumber(db, order, itemIds, neighbours));
  return { kind: 'placed', positions, stays };
}

type Place = Record<'before' | 'after', Sibling | undefined>;

async function findNeighbours(db: Db, order: Order, { before, after }: Neighbours): Promise<Place> {
  return { before: await find(db, order, before), after: await find(db, order, after) };
}

async function find(db: Db, order: Order, item: Item | undefined): Promise<Sibling | undefined> {
  if (!item) return undefined;
  return siblings(db, order)
    .where('id', '=', item.id)
    .where(sql.ref('table'), '=', item.table)
    .where('hidden', '=', 0)
    .executeTakeFirst();
}

interface SiblingFilter {
  except?: ReadonlySet<string>;
  visible?: boolean;
}

/** The sibling next to a position: below it with `desc`, above it with `asc`; without a position, the outermost. */
async function nextTo(
  db: Db,
  order: Order,
  position: number | undefined,
  direction: Direction,
  { except = new Set(), visible = false }: SiblingFilter = {},
): Promise<Sibling | undefined> {
  const nearest: Sibling[] = [];
  // Each table separately, by its index: in a union, PostgreSQL would sort all rows.
  for (const part of order) {
    let rows = siblings(db, [part]);
    if (position !== undefined) rows = rows.where('position', direction === 'desc' ? '<' : '>', position);
    if (except.size > 0) rows = rows.where('id', 'not in', [...except]);
    if (visible) rows = rows.where('hidden', '=', 0);
    const row = await rows.orderBy('position', direction).limit(1).executeTakeFirst();
    if (row) nearest.push(row);
  }
  return nearest.toSorted((a, b) => (direction === 'asc' ? a.position - b.position : b.position - a.position))[0];
}

async function isAlready(db: Db, order: Order, items: ReadonlySet<string>, { before, after }: Place): Promise<boolean> {
  const sibling = before
    ? await nextTo(db, order, before.position, 'desc', { visible: true })
    : after
      ? await nextTo(db, order, after.position, 'asc', { visible: true })
      : await nextTo(db, order, undefined, 'desc', { visible: true });
  return sibling !== undefined && items.has(sibling.id);
}

/** Positions between the neighbours, or undefined if there is no room. */
async function freePositions(
  db: Db,
  order: Order,
  items: ReadonlySet<string>,
  { before, after }: Place,
): Promise<number[] | undefined> {
  const low = before
    ? await nextTo(db, order, before.position, 'desc', { except: items })
    : (after ?? (await nextTo(db, order, undefined, 'desc', { except: items })));
  const high = before ?? (after ? await nextTo(db, order, after.position, 'asc', { except: items }) : undefined);
  const room = items.size + 1;
  const start = low?.position ?? (high ? high.position - gap * room : 0);
  const step = high ? Math.floor((high.position - start) / room) : gap;
  return step < 1 ? undefined : Array.from(items, (_, index) => start + step * (index + 1));
}

/** Gives the whole order new positions at full distance, and returns those for the items. */
async function renumber(db: Db, order: Order, items: ReadonlySet<string>, neighbours: Neighbours): Promise<number[]> {
  const all = await siblings(db, order).orderBy('position').orderBy('id').execute();
  for (const [index, { table, id }] of all.entries()) {
    await db
      .updateTable(table)
      .set({ position: (index + 1) * gap })
      .where('id', '=', id)
      .execute();
  }
  const positions = await freePositions(db, order, items, await findNeighbours(db, order, neighbours));
  if (positions === undefined) throw new Error('There is no room between two siblings after they were renumbered.');
  return positions;
}
