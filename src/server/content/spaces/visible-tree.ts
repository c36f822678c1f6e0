import {
  compareTreeKeys,
  grantedRoots,
  type InTree,
  type TreeKey,
  type TreeList,
  TreeWalk,
} from '../../../store/content-tree.ts';
import type { Db } from '../../../store/store.ts';
import type { Viewer } from '../../organizations/levels.ts';

/** The parts of a key of these lists: positions and ids, from the top level down. */
export const treeKeyTypes = [['number', 'string']] as const;

export interface VisibleTree {
  rows(after: TreeKey | undefined, limit: number): Promise<InTree[]>;
  count(): Promise<number>;
}

/**
 * The spaces or collections of an organization that somebody sees, in the order of the tree: members see all of them, and
 * guests what was granted to them, with all that is in it.
 *
 * @param total of the whole organization
 */
export function visibleTree(db: Db, viewer: Viewer, list: Omit<TreeList, 'organization'>, total: number): VisibleTree {
  const treeList = { ...list, organization: viewer.organization };
  if (viewer.role === undefined) return { rows: async () => [], count: async () => 0 };
  if (viewer.role === null) return grantedTree(db, viewer, treeList);
  return {
    async rows(after, limit) {
      const walk = new TreeWalk(db, treeList, limit);
      await walk.listBelow(null, [], after);
      return walk.items;
    },
    count: async () => total,
  };
}

function grantedTree(db: Db, viewer: Viewer, list: TreeList): VisibleTree {
  const readRoots = async () => {
    const roots = await grantedRoots(db, viewer.organization, viewer.user);
    return list.nested ? roots : roots.filter((root) => root.parent === null);
  };
  let roots: ReturnType<typeof readRoots> | undefined;
  return {
    async rows(after, limit) {
      const walk = new TreeWalk(db, list, limit);
      for (const root of await (roots ??= readRoots())) {
        if (walk.isFull) break;
        if (after === undefined || compareTreeKeys(root.key, after) > 0) await walk.add(root, root.key);
        else if (list.nested && isBelow(after, root.key)) {
          await walk.listBelow(root.id, root.key, after.slice(root.key.length));
        }
      }
      return walk.items;
    },
    async count() {
      let count = 0;
      for (const root of await (roots ??= readRoots())) {
        if (root.kind === list.listed) count += 1;
        if (list.nested) count += list.listed === 'space' ? root.spaces_below : root.collections_below;
      }
      return count;
    },
  };
}

/** Whether a key is that of an item or of something in it. */
const isBelow = (key: TreeKey, item: TreeKey) => item.every((part, index) => part === key[index]);
