import { joinPath, parentPath } from '../markdown/links.ts';
import { firstFree, slugify, uniqueSlug } from '../markdown/slug.ts';
import type { FolderSettings } from './folder-settings.ts';
import type { LocalPage, Problem } from './folder.ts';
import type { PageInfo } from './page-info.ts';
import { readSummary, type SummaryEntry } from './summary.ts';

type Placed = Omit<LocalPage, 'text'>;

interface Sources {
  infos: ReadonlyMap<string, PageInfo>;
  summary: string | null;
  settings: FolderSettings;
  problems?: Problem[];
}

/** The pages that these files make, depth first. */
export function treeOf({ infos, summary, settings, problems = [] }: Sources): Placed[] {
  const entries = summary === null ? entriesOfFolder([...infos.keys()], settings.readme) : readSummary(summary);
  const base = summary === null ? '' : parentPath(settings.summary);
  const pages: Placed[] = [];
  const used = new Set<string>();
  const keys = new Set<string>();
  const fresh = (key: string) => {
    const unique = uniqueSlugless(key, keys);
    keys.add(unique);
    return unique;
  };
  const walk = (siblings: readonly FolderEntry[], parent: Placed | null, taken: Set<string>): void => {
    for (const entry of siblings) {
      const file =
        entry.kind === 'page' ? (entry.folder ? null : fileFor(entry, base, infos, used, problems, settings)) : null;
      if (file === undefined || (entry.kind === 'group' && parent !== null)) {
        walk(entry.children, parent, taken);
        continue;
      }
      if (file !== null) used.add(file);
      const info: PageInfo = file === null ? {} : infos.get(file)!;
      const title = info.title ?? (entry.title || nameTitle(file ?? entry.target ?? ''));
      const slug = uniqueSlug(
        slugify(file === null ? (entry.folder ? lastSegment(entry.target!) : title) : stemOf(file)),
        taken,
      );
      taken.add(slug);
      const { fault: _, ...meta } = info;
      const page: Placed = {
        ...meta,
        key: fresh(file ?? `${entry.folder ? entry.target : `${entry.kind}:${title}`}/`),
        type: entry.kind === 'group' || entry.kind === 'link' ? entry.kind : 'document',
        parent: parent?.key ?? null,
        title,
        slug,
        path: parent ? `${parent.path}/${slug}` : slug,
        file,
        ...(entry.kind === 'link' && { href: entry.target! }),
      };
      pages.push(page);
      walk(entry.children, page, new Set());
    }
  };
  walk(entries, null, new Set());
  if (summary !== null) reportUnused(infos, used, settings.summary, problems);
  return pages;
}

interface FolderEntry extends SummaryEntry {
  children: FolderEntry[];
  /** A folder without a page's text; `target` is its path. */
  folder?: boolean;
}

function fileFor(
  { target, title }: FolderEntry,
  base: string,
  infos: ReadonlyMap<string, PageInfo>,
  used: ReadonlySet<string>,
  problems: Problem[],
  settings: FolderSettings,
): string | undefined {
  const path = joinPath(base, target!)?.join('/');
  const file =
    path === undefined ? undefined : [path, `${path}.md`, `${path}/README.md`].find((each) => infos.has(each));
  if (file === undefined) {
    problems.push({
      file: settings.summary,
      message: `"${title}" leads to ${target}, which is no page here; it is left out.`,
    });
  } else if (used.has(file)) {
    problems.push({ file: settings.summary, message: `${target} stands more than once; only the first counts.` });
    return undefined;
  }
  return file;
}

function reportUnused(
  infos: ReadonlyMap<string, PageInfo>,
  used: ReadonlySet<string>,
  summary: string,
  problems: Problem[],
): void {
  for (const file of infos.keys()) {
    if (!used.has(file)) problems.push({ file, message: `The page is not in ${summary} and is left out.` });
  }
}

function uniqueSlugless(key: string, taken: ReadonlySet<string>): string {
  return firstFree(taken, key, (count) => (count === 1 ? key : `${key}#${count}`));
}

interface Level {
  files: string[];
  folders: Map<string, Level>;
}

/** Folders and files by name; README.md, or a file of the folder's name beside it, is the folder's page. */
function entriesOfFolder(paths: readonly string[], readme: string): FolderEntry[] {
  const root: Level = { files: [], folders: new Map() };
  for (const path of paths) {
    let level = root;
    const segments = path.split('/');
    for (const segment of segments.slice(0, -1)) {
      const next: Level = level.folders.get(segment) ?? { files: [], folders: new Map() };
      level.folders.set(segment, next);
      level = next;
    }
    level.files.push(path);
  }
  return entriesOfLevel(root, '', readme);
}

function entriesOfLevel(level: Level, path: string, first: string): FolderEntry[] {
  const own = path === '' && level.files.includes(first) ? first : readmeOf(level);
  const named: { name: string; entry: FolderEntry }[] = [];
  const beside = new Map(level.files.filter((file) => file !== own).map((file) => [stemOf(file), file]));
  for (const [name, inner] of level.folders) {
    const folder = path === '' ? name : `${path}/${name}`;
    const readme = readmeOf(inner);
    const file = readme ?? beside.get(name);
    if (!readme && file) beside.delete(name);
    const children = entriesOfLevel(inner, folder, first);
    named.push({
      name,
      entry: { kind: 'page', title: '', target: file ?? folder, folder: file === undefined, children },
    });
  }
  for (const [name, file] of beside)
    named.push({ name, entry: { kind: 'page', title: '', target: file, children: [] } });
  const sorted = named.toSorted((a, b) => compareNames(a.name, b.name)).map(({ entry }) => entry);
  if (own === undefined || path !== '') return sorted;
  return [{ kind: 'page', title: '', target: own, children: [] }, ...sorted];
}

function readmeOf({ files }: Level): string | undefined {
  for (const name of ['readme', 'index']) {
    const found = files.find((file) => stemOf(file, true).toLowerCase() === name);
    if (found) return found;
  }
  return undefined;
}

function compareNames(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b || (a === b && one < other) ? -1 : 1;
}

/** The file's name without its extension; of a README in a folder the folder's, unless asked for the `bare` one. */
export function stemOf(file: string, bare = false): string {
  const stem = lastSegment(file).replace(/\.(?:md|markdown)$/i, '');
  const folder = parentPath(file);
  return !bare && folder !== '' && /^(?:readme|index)$/i.test(stem) ? lastSegment(folder) : stem;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The title of a page whose text names none. */
export function nameTitle(file: string): string {
  const words = stemOf(file).replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? 'Untitled' : words[0]!.toUpperCase() + words.slice(1);
}
