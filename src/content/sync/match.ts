import type { LocalFile, LocalFolder, LocalPage } from './folder.ts';
import type { Layout } from './layout.ts';
import type { Operation } from './plan.ts';
import type { SentText } from './push-text.ts';
import type { Remote, RemoteFile, RemotePage } from './remote.ts';

export function matchPages(
  local: LocalFolder,
  remote: Remote,
  layout: Layout,
  texts: ReadonlyMap<string, SentText>,
): Map<string, RemotePage> {
  const matched = new Map<string, RemotePage>();
  const free = new Set(remote.pages.filter(({ type }) => type !== 'computed'));
  const claim = (page: LocalPage, twin: RemotePage | undefined): void => {
    if (!twin || !free.delete(twin)) return;
    matched.set(page.key, twin);
  };
  const round = (
    nameLocal: (page: LocalPage) => string | undefined,
    nameRemote: (page: RemotePage) => string | undefined,
    onlyUnique = false,
  ) => {
    const candidates = Map.groupBy(free, nameRemote);
    const rivals = Map.groupBy(
      local.pages.filter(({ key }) => !matched.has(key)),
      nameLocal,
    );
    for (const [name, pages] of rivals) {
      const twins = name === undefined ? [] : (candidates.get(name) ?? []);
      if (onlyUnique && (pages.length > 1 || twins.length > 1)) continue;
      for (const page of pages)
        claim(
          page,
          twins.find((twin) => free.has(twin) && fits(page, twin)),
        );
    }
  };
  round(
    (page) => page.file ?? undefined,
    (twin) => (twin.path === undefined ? undefined : layout.pages[twin.path]),
  );
  round(
    (page) => (page.type === 'link' ? `${page.href} ${page.title}` : undefined),
    (twin) => (twin.type === 'link' ? `${twin.href} ${twin.title}` : undefined),
  );
  round(
    (page) => page.path,
    (twin) => twin.path,
  );
  round(
    (page) => texts.get(page.key)!.sent?.trim() || undefined,
    (twin) => twin.text?.trim() || undefined,
  );
  round(
    (page) => `${page.slug} ${page.title}`,
    (twin) => `${twin.slug} ${twin.title}`,
  );
  round(
    (page) => page.title,
    (twin) => twin.title,
    true,
  );
  return matched;
}

// Groups cannot be made through the API, so an empty page stands for one.
function fits(page: LocalPage, twin: RemotePage): boolean {
  if (page.type === 'link' || twin.type === 'link') return page.type === twin.type;
  if (twin.type === 'group') return page.text === null;
  return true;
}

export interface Uploads {
  /** From a file's path to its name in the content. */
  names: Map<string, string>;
  /** Names that the plan brings. */
  fresh: Set<string>;
  operations: Operation[];
}

export function matchFiles(files: readonly LocalFile[], remote: readonly RemoteFile[], layout: Layout): Uploads {
  const byHash = Map.groupBy(remote, ({ hash }) => hash);
  const taken = new Set(remote.map(({ name }) => name));
  const names = new Map<string, string>();
  const fresh = new Set<string>();
  const operations: Operation[] = [];
  for (const { path, hash, bytes } of files) {
    const same = byHash.get(hash) ?? [];
    const twin =
      same.find(({ name }) => name === path) ?? same.find(({ name }) => layout.files[name] === path) ?? same[0];
    // Files are never replaced: new bytes get a new name, and the pages that show them a new address.
    const name = twin?.name ?? (taken.has(path) ? versioned(path, hash) : path);
    names.set(path, name);
    if (twin) continue;
    taken.add(name);
    fresh.add(name);
    operations.push({ kind: 'upload', name, bytes });
  }
  return { names, fresh, operations };
}

function versioned(path: string, hash: string): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)}-${hash.slice(0, 8)}${path.slice(end)}`;
}
