import { highest, type RoleName } from '../../contract/access.ts';
import { collectionsAbove, type Placed as PlacedInTree } from '../../store/content-tree.ts';
import * as store from '../../store/levels.ts';
import type { Db } from '../../store/store.ts';

/** Somebody who sees content of an organization. */
export interface Viewer {
  organization: string;
  user: string;
  /** Role in the organization; null for a guest, undefined for somebody who is not in it. */
  role: RoleName | null | undefined;
}

type Kind = 'space' | 'collection';

type Placed = Pick<PlacedInTree, 'id' | 'parent' | 'default_level'>;

/**
 * The level on one space or collection: the highest of the role in the organization, the default levels of it and of
 * each collection above (not for guests), and the grants on it or above.
 *
 * @returns null when the viewer cannot see it
 */
export async function levelOn(db: Db, viewer: Viewer, kind: Kind, item: Placed): Promise<RoleName | null> {
  if (viewer.role === undefined) return null;
  if (viewer.role === 'admin') return 'admin';
  const isMember = viewer.role !== null;
  let level = highest(viewer.role, isMember ? item.default_level : null);
  if (kind === 'space') level = highest(level, await store.grantOnSpace(db, item.id, viewer.user));
  const lowestCollection = kind === 'collection' ? item.id : item.parent;
  if (lowestCollection !== null) {
    for (const collection of await store.lineOf(db, lowestCollection, viewer.user)) {
      level = highest(level, collection.granted, isMember ? collection.default_level : null);
    }
  }
  return level;
}

type WithLevel<P extends Placed> = P & { level: RoleName | null };

/** The same for many of one kind: each with its level. */
export async function withLevels<P extends Placed>(
  db: Db,
  viewer: Viewer,
  kind: Kind,
  items: readonly P[],
): Promise<WithLevel<P>[]> {
  const { role, user } = viewer;
  if (role === undefined) return items.map((item) => ({ ...item, level: null }));
  if (role === 'admin' || items.length === 0) return items.map((item) => ({ ...item, level: role ?? null }));
  const isSpace = kind === 'space';
  const collections = await collectionsAbove(
    db,
    items.map((item) => (isSpace ? item.parent : item.id)),
  );
  const granted = await store.grantsOn(db, user, isSpace ? items.map((item) => item.id) : [], [...collections.keys()]);
  const levels = new Map<string, RoleName | null>();
  const levelOf = (item: Placed): RoleName | null => {
    let level = levels.get(item.id);
    if (level !== undefined) return level;
    const parent = item.parent === null ? undefined : collections.get(item.parent);
    const defaultLevel = role === null ? null : item.default_level;
    level = highest(role, granted.get(item.id), defaultLevel, parent && levelOf(parent));
    levels.set(item.id, level);
    return level;
  };
  return items.map((item) => ({ ...item, level: levelOf(item) }));
}

/** Those that can be seen, each with its level. */
export async function visibleRows<P extends Placed>(
  db: Db,
  viewer: Viewer,
  kind: Kind,
  items: readonly P[],
): Promise<(P & { level: RoleName })[]> {
  const all = await withLevels(db, viewer, kind, items);
  return all.filter((item): item is P & { level: RoleName } => item.level !== null);
}
