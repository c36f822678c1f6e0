import { sql } from 'kysely';
import type { Db } from './store.ts';

/** Distance between neighbours, so that most moves touch one row. */
export const gap = 1 << 20;

/** Tables whose rows have a `position` among their siblings. */
export type Sortable = 'space' | 'collection' | 'site_section' | 'site_section_group' | 'site_space';

export interface Item {
  table: Sortable;
  id: string;
}

/** One order: the rows of these tables with these values stand in it together, sorted by `position`. */
export type Order = readonly { table: Sortable; where: Readonly<Record<string, string | null>> }[];

/** What stands directly after (`before`) and directly before (`after`) the place that is meant; neither: the end. */
export interface Neighbours {
  before?: Item | undefined;
  after?: Item | undefined;
}

export type Placement =
  /** One position for each item, ascending. `stays`: that is where the items are already. */
  | { kind: 'placed'; positions: number[]; stays: boolean }
  /** This neighbour is not in the order, or is one of the items themselves. */
  | { kind: 'stranger'; which: 'before' | 'after' }
  /** The two neighbours do not stand side by side. */
  | { kind: 'apart' };

interface Sibling extends Item {
  position: number;
  hidden: number;
}

/** Spaces and collections under one parent share one order (open parts, 3.3). */
export const contentOrder = (organization: string, parent: string | null): Order => [
  { table: 'space', where: { organization, parent } },
  { table: 'collection', where: { organization, parent } },
];

// What callers do not see keeps its place, but neighbours are told apart by what they do see.
const hidden: Partial<Record<Sortable, ReturnType<typeof sql<number>>>> = {
  space: sql<number>`deleted_at is not null`,
  site_space: sql<number>`space in (select id from space where deleted_at is not null)`,
};

function siblings(db: Db, order: Order) {
  const [first, ...rest] = order.map(({ table, where }) => {
    let rows = db
      .selectFrom(table)
      .select(['id', 'position', sql.lit(table).as('table'), (hidden[table] ?? sql<number>`0`).as('hidden')]);
    for (const [column, value] of Object.entries(where)) rows = rows.where(sql.ref(column), 'is', value);
    return rows;
  });
  return db.selectFrom(rest.reduce((all, rows) => all.unionAll(rows), first!).as('sibling')).selectAll();
}

/** Position after the last of an order. */
export async function endOf(db: Db, order: Order): Promise<number> {
  const last = await siblings(db, order).orderBy('position', 'desc').limit(1).executeTakeFirst();
  return (last?.position ?? 0) + gap;
}

/**
 * Where `items`, kept together and in their sequence, go in an order that they may be in already. Nothing of theirs is
 * written; where neighbours stand too close, the whole order is numbered anew.
 */
export async function placeIn(db: Db, order: Order, items: readonly Item[], at: Neighbours): Promise<Placement> {
  const own = new Set(items.map(({ id }) => id));
  const found = { before: await find(db, order, at.before), after: await find(db, order, at.after) };
  for (const which of ['before', 'after'] as const) {
    const wanted = at[which];
    if (wanted && (own.has(wanted.id) || !found[which])) return { kind: 'stranger', which };
  }
  if (found.before && found.after) {
    const previous = await nextTo(db, order, found.before.position, 'desc', { but: own, shown: true });
    if (previous?.id !== found.after.id) return { kind: 'apart' };
  }
  const stays = await isAlready(db, order, own, found);
  const positions = (await free(db, order, own, found)) ?? (await renumbered(db, order, items, at));
  return { kind: 'placed', positions, stays };
}

async function find(db: Db, order: Order, item: Item | undefined): Promise<Sibling | undefined> {
  if (!item) return undefined;
  return siblings(db, order)
    .where('id', '=', item.id)
    .where(sql.ref('table'), '=', item.table)
    .where('hidden', '=', 0)
    .executeTakeFirst();
}

interface Sought {
  but?: ReadonlySet<string>;
  shown?: boolean;
}

/** The sibling next to a position: below it with `desc`, above it with `asc`; without a position, the outermost. */
async function nextTo(
  db: Db,
  order: Order,
  position: number | undefined,
  direction: 'asc' | 'desc',
  { but, shown = false }: Sought = {},
): Promise<Sibling | undefined> {
  return siblings(db, order)
    .$if(position !== undefined, (q) => q.where('position', direction === 'desc' ? '<' : '>', position!))
    .$if(but !== undefined && but.size > 0, (q) => q.where('id', 'not in', [...but!]))
    .$if(shown, (q) => q.where('hidden', '=', 0))
    .orderBy('position', direction)
    .limit(1)
    .executeTakeFirst();
}

type Found = { before: Sibling | undefined; after: Sibling | undefined };

async function isAlready(db: Db, order: Order, own: ReadonlySet<string>, { before, after }: Found): Promise<boolean> {
  const there = before
    ? await nextTo(db, order, before.position, 'desc', { shown: true })
    : after
      ? await nextTo(db, order, after.position, 'asc', { shown: true })
      : await nextTo(db, order, undefined, 'desc', { shown: true });
  return there !== undefined && own.has(there.id);
}

/** Positions between the neighbours, or undefined where there is no room. */
async function free(
  db: Db,
  order: Order,
  own: ReadonlySet<string>,
  { before, after }: Found,
): Promise<number[] | undefined> {
  const low = before
    ? await nextTo(db, order, before.position, 'desc', { but: own })
    : (after ?? (await nextTo(db, order, undefined, 'desc', { but: own })));
  const high = before ?? (after ? await nextTo(db, order, after.position, 'asc', { but: own }) : undefined);
  const room = own.size + 1;
  const start = low?.position ?? (high ? high.position - gap * room : 0);
  const step = high ? Math.floor((high.position - start) / room) : gap;
  return step < 1 ? undefined : Array.from(own, (_, at) => start + step * (at + 1));
}

async function renumbered(db: Db, order: Order, items: readonly Item[], at: Neighbours): Promise<number[]> {
  const all = await siblings(db, order).orderBy('position').orderBy('id').execute();
  for (const [index, { table, id }] of all.entries()) {
    await db
      .updateTable(table)
      .set({ position: (index + 1) * gap })
      .where('id', '=', id)
      .execute();
  }
  const own = new Set(items.map(({ id }) => id));
  const found = { before: await find(db, order, at.before), after: await find(db, order, at.after) };
  return (await free(db, order, own, found))!;
}
