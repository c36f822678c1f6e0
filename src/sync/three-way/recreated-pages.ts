import type { Base, BasePage } from '../../content/folder/base.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import type { Remote, RemotePage } from '../read-remote.ts';

interface RecreatedInput {
  local: LocalFolder;
  remote: Remote;
  renames: ReadonlyMap<string, string> | undefined;
  /** The record of the last push. */
  last: Base | undefined;
}

/**
 * The IDs that pages of the base have now, by their former ones, if they were deleted in the space and created again with the same
 * file or address, such as by a clone that reverted the deletion. Without the pages whose files the folder has deleted.
 */
export function recreatedPages(
  base: Base | undefined,
  { local, remote, renames, last }: RecreatedInput,
): Map<string, string> {
  const ids = new Map<string, string>();
  const inSpace = new Set(remote.pages.map(({ id }) => id));
  const deleted = base?.pages.filter(({ id }) => !inSpace.has(id)) ?? [];
  if (deleted.length === 0) return ids;
  const inBase = new Set(base?.pages.map(({ id }) => id));
  const added = remote.pages.filter(({ id, type }) => type === 'document' && !inBase.has(id));
  const files = new Map(last?.pages.map(({ id, file }) => [id, file]));
  const own = [...local.pages.flatMap(({ file }) => file ?? []), ...local.unreadable];
  const present = new Set(own.map((file) => renames?.get(file) ?? file));
  const taken = new Set<string>();
  const match = (
    keyOf: (page: RemotePage) => string | undefined,
    keyOfEntry: (entry: BasePage) => string | undefined,
  ) => {
    const pages = Map.groupBy(
      added.filter(({ id }) => !taken.has(id)),
      keyOf,
    );
    for (const entry of deleted) {
      if (ids.has(entry.id) || entry.file === undefined || !present.has(entry.file)) continue;
      const key = keyOfEntry(entry);
      const page = key === undefined ? undefined : pages.get(key)?.shift();
      if (!page) continue;
      ids.set(entry.id, page.id);
      taken.add(page.id);
    }
  };
  match(
    ({ id }) => files.get(id),
    ({ file }) => file,
  );
  match(
    ({ id, path }) => (files.has(id) ? undefined : path),
    ({ path }) => path,
  );
  return ids;
}

/** The base with other IDs of pages, by their former ones. */
export function withCurrentIds(base: Base, ids: ReadonlyMap<string, string>): Base {
  if (ids.size === 0) return base;
  const idOf = (id: string) => ids.get(id) ?? id;
  const pages = base.pages.map((page) => ({
    ...page,
    id: idOf(page.id),
    parent: page.parent === null ? null : idOf(page.parent),
  }));
  return { ...base, pages };
}
