import { getFrom } from '../shared/get-from.ts';
import { firstFree } from '../content/markdown/slug.ts';
import type { LocalFile, LocalPage } from '../content/folder/folder.ts';
import type { Layout } from '../content/folder/layout.ts';
import type { RemoteFile, RemotePage } from './read-remote.ts';

/** A page of the space or of the base, which may match a page of the folder. */
type Candidate = Pick<RemotePage, 'id' | 'type' | 'title'> &
  Partial<Pick<RemotePage, 'slug' | 'path' | 'href'>> & { file?: string };

interface MatchInput<Page extends Candidate> {
  pages: readonly LocalPage[];
  candidates: readonly Page[];
  layout: Layout;
  /** The texts to match pages by; undefined for a page without a text, or whose text is unknown. */
  localText: (page: LocalPage) => string | undefined;
  candidateText: (page: Page) => string | undefined;
  /** Former paths of renamed files, by the new ones. */
  renames?: ReadonlyMap<string, string> | undefined;
  /** Match only pages with the same file, address or text. */
  isStrict?: boolean;
  /** Whether the candidates are former pages of this folder: a file that is moved keeps its name. */
  isFormer?: boolean;
}

/** The matching candidate for each page of the folder, by its key. */
export function matchPages<Page extends Candidate>({
  pages: localPages,
  candidates: all,
  layout,
  localText,
  candidateText,
  renames = new Map(),
  isStrict = false,
  isFormer = false,
}: MatchInput<Page>): Map<string, Page> {
  const matches = new Map<string, Page>();
  const unmatched = new Set(all.filter(({ type }) => type !== 'computed'));
  const matchBy = (
    nameLocal: (page: LocalPage) => string | undefined,
    nameCandidate: (page: Page) => string | undefined,
    onlyUnique = false,
  ) => {
    const candidates = Map.groupBy(unmatched, nameCandidate);
    const pagesByName = Map.groupBy(
      localPages.filter(({ key }) => !matches.has(key)),
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
  const fileOf = ({ file, path }: Page) => file ?? (path === undefined ? undefined : layout.pages.get(path));
  matchBy(({ file }) => file ?? undefined, fileOf);
  matchBy(({ file }) => (file === null ? undefined : renames.get(file)), fileOf);
  matchBy(linkName, linkName);
  matchBy(pathOf, pathOf);
  matchBy(localText, candidateText);
  if (isStrict) return matches;
  matchBy(slugAndTitle, slugAndTitle);
  matchBy(titleOf, titleOf, true);
  if (isFormer) matchBy(slugOf, slugOf, true);
  return matches;
}

const linkName = ({ type, href, title }: LocalPage | Candidate) => (type === 'link' ? `${href} ${title}` : undefined);
const pathOf = ({ path }: LocalPage | Candidate) => path;
const slugAndTitle = ({ slug, title }: LocalPage | Candidate) => `${slug} ${title}`;
const slugOf = ({ slug }: LocalPage | Candidate) => slug;
const titleOf = ({ title }: LocalPage | Candidate) => title;

// The API cannot create groups, so an empty page is used instead.
function canBecome(candidate: Candidate, local: LocalPage): boolean {
  if (local.type === 'link' || candidate.type === 'link') return local.type === candidate.type;
  return candidate.type !== 'group' || local.text === null;
}

export interface FileNames {
  /** The names of files in the space, by path. */
  names: Map<string, string>;
  /** Files that are not in the space yet. */
  uploads: { name: string; bytes: Uint8Array; hash: string }[];
}

export function matchFiles(files: readonly LocalFile[], remote: readonly RemoteFile[], layout: Layout): FileNames {
  const byHash = Map.groupBy(remote, ({ hash }) => hash);
  const taken = new Set(remote.map(({ name }) => name));
  const names = new Map<string, string>();
  const used = new Set<string>();
  const matchBy = (isMatch: (file: RemoteFile, path: string) => boolean) => {
    for (const { path, hash } of files) {
      if (names.has(path)) continue;
      const match = byHash.get(hash)?.find((file) => !used.has(file.name) && isMatch(file, path));
      if (!match) continue;
      used.add(match.name);
      names.set(path, match.name);
    }
  };
  matchBy(({ name }, path) => name === path);
  matchBy(({ name }, path) => (layout.files.get(name) ?? layout.old.get(name)) === path);
  // Renamed files. A copy is a new file, because each file of the space has one path in the folder.
  matchBy(() => true);
  const uploads: FileNames['uploads'] = [];
  for (const { path, hash, bytes } of files) {
    if (names.has(path)) continue;
    // Files are never replaced: new bytes get a new name, and the pages that show them a new address.
    const name = firstFree(taken, path, (count) => (count === 1 ? path : withHash(path, hash, count - 1)));
    names.set(path, name);
    taken.add(name);
    uploads.push({ name, bytes, hash });
  }
  // In the order of the folder.
  return { names: new Map(files.flatMap(({ path }) => [[path, getFrom(names, path)]])), uploads };
}

function withHash(path: string, hash: string, count: number): string {
  const dot = path.lastIndexOf('.');
  const end = dot > path.lastIndexOf('/') + 1 ? dot : path.length;
  return `${path.slice(0, end)}-${hash.slice(0, 8)}${count === 1 ? '' : `-${count}`}${path.slice(end)}`;
}
