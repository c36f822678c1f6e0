import { type Item, type Neighbours, type Order, placeIn } from '../../../store/siblings.ts';
import type { Db } from '../../../store/store.ts';
import { Invalid } from '../../engine/errors.ts';

/**
 * The positions of items after a move: one for each item, and whether they have that place already.
 *
 * @throws Invalid for a neighbour that is not in the order, and for two that are not next to each other
 */
export async function positionsAt(
  db: Db,
  order: Order,
  items: readonly Item[],
  neighbours: Neighbours = {},
): Promise<{ positions: number[]; stays: boolean }> {
  const placement = await placeIn(db, order, items, neighbours);
  if (placement.kind === 'placed') return placement;
  if (placement.kind === 'apart') throw neighboursApart();
  const { which } = placement;
  const id = neighbours[which]?.id ?? '';
  throw invalidNeighbour(
    which,
    id,
    items.some((item) => item.id === id),
  );
}

/** The same for one item. */
export async function positionAt(
  db: Db,
  order: Order,
  item: Item,
  neighbours?: Neighbours,
): Promise<{ position: number; stays: boolean }> {
  const { positions, stays } = await positionsAt(db, order, [item], neighbours);
  const [position] = positions;
  if (position === undefined) throw new Error(`There is no position for ${item.table} ${item.id}.`);
  return { position, stays };
}

export const neighboursApart = () =>
  new Invalid('/position', 'has neighbours that are not next to each other; give only one of them', 'conflict');

/** @param isMoved the neighbour is itself one of the moved items */
export const invalidNeighbour = (side: 'before' | 'after', id: string, isMoved: boolean) =>
  new Invalid(
    `/position/${side}`,
    isMoved
      ? `is ${JSON.stringify(id)}, which is moved itself; name a sibling of its new place`
      : `is ${JSON.stringify(id)}, which is not under the target parent; name an item that is`,
  );
