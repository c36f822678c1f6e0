import { highest, type RoleName } from '../../contract/access.ts';
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

interface Placed {
  id: string;
  parent: string | null;
  default_level: RoleName | null;
}

/**
 * The level on one space or collection: the highest of the role in the organization, the default levels of it and of
 * each collection above (not for guests), and the grants on it or above (open parts, section 7).
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

export type LevelOf = (kind: Kind, item: Placed) => RoleName | null;

/** The same for many: reads the organization's collections and the viewer's grants once. */
export async function levelsIn(db: Db, viewer: Viewer): Promise<LevelOf> {
  if (viewer.role === undefined) return () => null;
  if (viewer.role === 'admin') return () => 'admin';
  const isMember = viewer.role !== null;
  const grants = await store.grantsOf(db, viewer.organization, viewer.user);
  const granted = new Map(grants.map((grant) => [grant.space ?? grant.collection, grant.level]));
  const collections = new Map((await store.collectionLevels(db, viewer.organization)).map((row) => [row.id, row]));
  const computed = new Map<string, RoleName | null>();
  const onCollection = (id: string | null): RoleName | null => {
    const row = id === null ? undefined : collections.get(id);
    if (!row) return null;
    let level = computed.get(row.id);
    if (level === undefined) {
      level = highest(granted.get(row.id), isMember ? row.default_level : null, onCollection(row.parent));
      computed.set(row.id, level);
    }
    return level;
  };
  return (kind, item) =>
    kind === 'collection'
      ? highest(viewer.role, onCollection(item.id))
      : highest(viewer.role, granted.get(item.id), isMember ? item.default_level : null, onCollection(item.parent));
}

/** The rows that can be seen, each with its level. */
export const visibleRows = <R extends Placed>(levels: LevelOf, kind: Kind, rows: R[]): (R & { level: RoleName })[] =>
  rows.flatMap((row) => {
    const level = levels(kind, row);
    return level === null ? [] : [{ ...row, level }];
  });
