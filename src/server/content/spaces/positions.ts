import { placeIn, type Item, type Order } from '../../../store/siblings.ts';
import type { Db } from '../../../store/store.ts';
import { Invalid } from '../../engine/errors.ts';

/** `position` of a move with its pointers read. */
export interface Pointed {
  before?: Item | undefined;
  after?: Item | undefined;
}

/**
 * Where a move lands (open parts, 3.3): one position for each item, and whether they stand there already.
 *
 * @throws Invalid for a neighbour that is not in the order, and for two that do not agree
 */
export async function landing(
  db: Db,
  order: Order,
  items: readonly Item[],
  position: Pointed = {},
): Promise<{ positions: number[]; stays: boolean }> {
  const place = await placeIn(db, order, items, position);
  if (place.kind === 'placed') return place;
  if (place.kind === 'apart') {
    throw new Invalid(
      '/position',
      'names neighbours that do not stand side by side; give one of them only',
      'conflict',
    );
  }
  const id = position[place.which]!.id;
  throw new Invalid(
    `/position/${place.which}`,
    items.some((item) => item.id === id)
      ? 'names what is moved; name a neighbour of it'
      : 'names nothing that stands where this moves to',
  );
}
