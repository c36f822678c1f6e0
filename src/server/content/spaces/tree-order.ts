import type { Placed } from '../../../store/spaces.ts';
import { compareKeys, type Key } from '../../engine/paging.ts';

/** Spaces or collections in the order of the tree: those in a collection are at its place. */
export function inTreeOrder(items: Placed[], collections: Placed[]): (Placed & { key: Key })[] {
  const collectionsById = new Map(collections.map((collection) => [collection.id, collection]));
  const keys = new Map<string, Key>();
  const keyOf = (item: Placed): Key => {
    const existing = keys.get(item.id);
    if (existing) return existing;
    const parent = item.parent === null ? undefined : collectionsById.get(item.parent);
    const key = [...(parent ? keyOf(parent) : []), item.position, item.id];
    keys.set(item.id, key);
    return key;
  };
  return items.map((item) => ({ ...item, key: keyOf(item) })).toSorted((a, b) => compareKeys(a.key, b.key));
}
