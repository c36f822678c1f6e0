import { highest, type RoleName } from '../../contract/access.ts';
import * as store from '../../store/levels.ts';
import type { Db } from '../../store/store.ts';

/** Who asks, in the organization that owns the content. */
export interface Asking {
  organization: string;
  user: string;
  /** Role in the organization; null for a guest, undefined for somebody who is not in it. */
  role: RoleName | null | undefined;
}

interface Placed {
  id: string;
  parent: string | null;
  default_level: RoleName | null;
}

/**
 * The level on one space or collection: the highest of the organization role, for members but guests the default levels
 * of it and of each collection above, and the grants on it or above (open parts, section 7).
 *
 * @returns null when the caller may not see it
 */
export async function levelOn(
  db: Db,
  asking: Asking,
  kind: 'space' | 'collection',
  item: Placed,
): Promise<RoleName | null> {
  if (asking.role === undefined) return null;
  if (asking.role === 'admin') return 'admin';
  const member = asking.role !== null;
  let level = highest(asking.role, member ? item.default_level : null);
  if (kind === 'space') level = highest(level, await store.grantOnSpace(db, item.id, asking.user));
  const start = kind === 'collection' ? item.id : item.parent;
  if (start !== null) {
    for (const above of await store.lineOf(db, start, asking.user)) {
      level = highest(level, above.granted, member ? above.default_level : null);
    }
  }
  return level;
}

export type LevelOf = (kind: 'space' | 'collection', item: Placed) => RoleName | null;

/** The same for many: reads the organization's collections and the caller's grants once. */
export async function levelsIn(db: Db, asking: Asking): Promise<LevelOf> {
  if (asking.role === undefined) return () => null;
  if (asking.role === 'admin') return () => 'admin';
  const member = asking.role !== null;
  const grants = await store.grantsOf(db, asking.organization, asking.user);
  const granted = new Map(grants.map((grant) => [grant.space ?? grant.collection!, grant.level]));
  const collections = new Map((await store.collectionLevels(db, asking.organization)).map((row) => [row.id, row]));
  const known = new Map<string, RoleName | null>();
  const ofCollection = (id: string | null): RoleName | null => {
    const row = id === null ? undefined : collections.get(id);
    if (!row) return null;
    if (!known.has(row.id)) {
      known.set(row.id, highest(granted.get(row.id), member ? row.default_level : null, ofCollection(row.parent)));
    }
    return known.get(row.id)!;
  };
  return (kind, item) =>
    kind === 'collection'
      ? highest(asking.role, ofCollection(item.id))
      : highest(asking.role, granted.get(item.id), member ? item.default_level : null, ofCollection(item.parent));
}
