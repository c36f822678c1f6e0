import type { LocalFile, LocalFolder, LocalPage } from './folder.ts';
import type { Layout } from './layout.ts';
import type { Remote, RemoteFile, RemotePage } from './remote.ts';

/**
 * The remote page of each local page that has one, by the local page's key.
 *
 * @param sentText the text of a local page as it would be sent
 */
export function matchPages(
  local: LocalFolder,
  remote: Remote,
  layout: Layout,
  sentText: (page: LocalPage) => string | null | undefined,
): Map<string, RemotePage> {
  const matches = new Map<string, RemotePage>();
  const unmatched = new Set(remote.pages.filter(({ type }) => type !== 'computed'));
  const matchBy = (
    nameLocal: (page: LocalPage) => string | undefined,
    nameRemote: (page: RemotePage) => string | undefined,
    onlyUnique = false,
  ) => {
    const candidates = Map.groupBy(unmatched, nameRemote);
    const pagesByName = Map.groupBy(
      local.pages.filter(({ key }) => !matches.has(key)),
      nameLocal,
    );
    for (const [name, pages] of pagesByName) {
      const sameName = name === undefined ? [] : (candidates.get(name) ?? []);
      if (onlyUnique && (pages.length > 1 || sameName.length > 1)) continue;
      for (const page of pages) {
        const match = sameName.find((candidate) => unmatched.has(candidate) && canBecome(candidate, page));
        if (!match) continue;
        unmatched.delete(match);
        matches.set(page.key, match);
      }
    }
  };
  matchBy(
    (page) => page.file ?? undefined,
    ({ path }) => (path === undefined ? undefined : layout.pages.get(path)),
  );
  matchBy(linkName, linkName);
  matchBy(
    ({ path }) => path,
    ({ path }) => path,
  );
  matchBy(
    (page) => sentText(page)?.trim() || undefined,
    ({ text }) => text?.trim() || undefined,
  );
  matchBy(
    ({ slug, title }) => `${slug} ${title}`,
    ({ slug, title }) => `${slug} ${title}`,
  );
  matchBy(
    ({ title }) => title,
    ({ title }) => title,
    true,
  );
  return matches;
}

const linkName = ({ type, href, title }: LocalPage | RemotePage) => (type === 'link' ? `${href} ${title}` : undefined);

// The API cannot create groups, so an empty page is used instead.
function canBecome(remote: RemotePage, local: LocalPage): boolean {
  if (local.type === 'link' || remote.type === 'link') return local.type === remote.type;
  return remote.type !== 'group' || local.text === null;
}

export interface FileNames {
  /** From a file's path to its name in the content. */
  names: Map<string, string>;
  /** Files that the content does not have yet. */
  uploads: { name: string; bytes: Uint8Array }[];
}

export function matchFiles(files: readonly LocalFile[], remote: readonly RemoteFile[], layout: Layout): FileNames {
  const byHash = Map.groupBy(remote, ({ hash }) => hash);
  const taken = new Set(remote.map(({ name }) => name));
  const names = new Map<string, string>();
  const uploads: FileNames['uploads'] = [];
  for (const { path, hash, bytes } of files) {
    const same = byHash.get(hash) ?? [];
    const match =
      same.find(({ name }) => name === path) ?? same.find(({ name }) => layout.files.get(name) === path) ?? same[0];
    // Files are never replaced: new bytes get a new name, and the pages that show them get a new address.
    const name = match?.name ?? (taken.has(path) ? withHash(path, hash) : path);
    names.set(path, name);
    if (match) continue;
    taken.add(name);
    uploads.push({ name, bytes });
  }
  return { names, uploads };
}

function withHash(path: string, hash: string): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)}-${hash.slice(0, 8)}${path.slice(end)}`;
}
