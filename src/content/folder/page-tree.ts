import { joinPath, parentPath } from '../markdown/links.ts';
import { firstFree, slugify, uniqueSlug } from '../markdown/slug.ts';
import type { FolderSettings } from './folder-settings.ts';
import type { LocalPage, Problem } from './folder.ts';
import { PathsByCase } from './local-links.ts';
import type { PageInfo } from './page-info.ts';
import { readSummary, type SummaryEntry } from './summary.ts';

/** A page without its text. */
export type PlacedPage = Omit<LocalPage, 'text'>;

interface Sources {
  infos: ReadonlyMap<string, PageInfo>;
  summary: string | null;
  settings: FolderSettings;
  problems?: Problem[];
  /** Receives files that SUMMARY.md lists but that do not exist, and then also those that it does not list. */
  unreadable?: Set<string>;
}

/** Arranges files as pages, depth first. */
export function treeOf(sources: Sources): PlacedPage[] {
  return new PageTree(sources).pages;
}

const unused =
  'This entry generates no pages here: move it below a page or heading without another one ("## API", for example).';

class PageTree {
  readonly pages: PlacedPage[] = [];
  readonly #infos: ReadonlyMap<string, PageInfo>;
  readonly #settings: FolderSettings;
  readonly #problems: Problem[];
  readonly #unreadable: Set<string>;
  /** The folder to which addresses are relative. */
  readonly #base: string;
  #byCase: PathsByCase | undefined;
  readonly #usedFiles = new Set<string>();
  /** What the entries without a page may refer to. */
  readonly #missing = new Set<string>();
  readonly #keys = new Set<string>();

  constructor({ infos, summary, settings, problems = [], unreadable = new Set() }: Sources) {
    this.#infos = infos;
    this.#settings = settings;
    this.#problems = problems;
    this.#unreadable = unreadable;
    this.#base = summary === null ? '' : parentPath(settings.summary);
    const entries =
      summary === null
        ? entriesOfFolder([...infos.keys()], settings.readme)
        : readSummary(summary, (line) => this.#report(line === undefined ? {} : { line }, 'summary-unused', unused));
    this.#place(entries, null, new Set());
    if (summary !== null) this.#reportUnused();
  }

  #place(siblings: readonly FolderEntry[], parent: PlacedPage | null, slugs: Set<string>, isUnplaced = false): void {
    for (const entry of siblings) {
      const hasFile = entry.kind === 'page' && !entry.isFolder;
      const file = hasFile ? this.#fileOf(entry) : null;
      // The subpages of a missing entry, or of a group inside a page, move up.
      if (file === undefined || (entry.kind === 'group' && parent !== null)) {
        this.#place(entry.children, parent, slugs, isUnplaced || file === undefined);
        continue;
      }
      const placed = this.#pageOf(entry, file, parent, slugs);
      const page = isUnplaced ? { ...placed, isUnplaced } : placed;
      slugs.add(page.slug);
      this.pages.push(page);
      this.#place(entry.children, page, new Set());
    }
  }

  #pageOf(entry: FolderEntry, file: string | null, parent: PlacedPage | null, slugs: ReadonlySet<string>): PlacedPage {
    const target = entry.target ?? '';
    const { problem: _, conflict: __, ...info } = (file === null ? undefined : this.#infos.get(file)) ?? {};
    const title = info.title ?? (entry.title || nameTitle(file ?? target));
    const name = file === null ? (entry.isFolder ? lastSegment(target) : title) : stemOf(file);
    const slug = uniqueSlug(slugify(name), slugs);
    return {
      ...info,
      key: this.#newKey(file ?? `${entry.isFolder ? target : `${entry.kind}:${title}`}/`),
      type: entry.kind === 'group' || entry.kind === 'link' ? entry.kind : 'document',
      parent: parent?.key ?? null,
      title,
      slug,
      path: parent ? `${parent.path}/${slug}` : slug,
      file,
      ...(entry.kind === 'link' && { href: target, ...lineOf(entry) }),
      ...(entry.generated !== undefined && { generated: entry.generated }),
    };
  }

  #newKey(key: string): string {
    const unique = firstFree(this.#keys, key, (count) => (count === 1 ? key : `${key}#${count}`));
    this.#keys.add(unique);
    return unique;
  }

  #fileOf(entry: FolderEntry): string | undefined {
    const { target = '', title } = entry;
    const path = joinPath(this.#base, target)?.join('/');
    const candidates = path === undefined ? [] : [path, `${path}.md`, `${path}/README.md`];
    const exact = candidates.find((candidate) => this.#infos.has(candidate));
    const file = exact ?? this.#otherCase(path);
    if (file !== undefined && !this.#usedFiles.has(file)) {
      this.#usedFiles.add(file);
      if (exact === undefined)
        this.#report(entry, 'same-name', `${target} is ${file} in the folder: upper and lower case differ.`);
      return file;
    }
    const [rule, message] =
      file === undefined
        ? (['summary-missing', `There is no page ${target}; "${title}" is skipped.`] as const)
        : (['summary-repeated', `${target} is listed more than once; only the first entry counts.`] as const);
    if (file === undefined) for (const candidate of candidates) this.#missing.add(candidate);
    this.#report(entry, rule, message);
    return undefined;
  }

  #report(entry: Pick<FolderEntry, 'line'>, rule: string, message: string): void {
    this.#problems.push({ file: this.#settings.summary, ...lineOf(entry), rule, message });
  }

  // Some systems ignore case.
  #otherCase(path: string | undefined): string | undefined {
    if (path === undefined) return undefined;
    this.#byCase ??= new PathsByCase(this.#infos.keys());
    return this.#byCase.find(path);
  }

  #reportUnused(): void {
    const message = `The page is not in ${this.#settings.summary} and is skipped.`;
    for (const file of this.#missing) this.#unreadable.add(file);
    for (const file of this.#infos.keys()) {
      if (this.#usedFiles.has(file) || this.#unreadable.has(file)) continue;
      this.#problems.push({ file, line: 1, rule: 'not-in-summary', message });
      // A misspelled entry may be about this file.
      if (this.#missing.size > 0) this.#unreadable.add(file);
    }
  }
}

interface FolderEntry extends SummaryEntry {
  children: FolderEntry[];
  /** Whether this is the page of a folder without a page file. `target` is then the path of the folder. */
  isFolder?: boolean;
}

interface Level {
  files: string[];
  folders: Map<string, Level>;
}

/** Sorts folders and files by name. README.md, or a file next to the folder with the same name, is the folder's page. */
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
  const readme = path === '' && level.files.includes(first) ? first : readmeOf(level);
  const named: { name: string; entry: FolderEntry }[] = [];
  const add = (name: string, target: string, isFolder: boolean, children: FolderEntry[]) =>
    named.push({ name, entry: { kind: 'page', title: '', target, isFolder, children } });
  const beside = new Map(level.files.filter((file) => file !== readme).map((file) => [stemOf(file), file]));
  for (const [name, inner] of level.folders) {
    const folder = path === '' ? name : `${path}/${name}`;
    const innerReadme = readmeOf(inner);
    const file = innerReadme ?? beside.get(name);
    if (!innerReadme && file) beside.delete(name);
    add(name, file ?? folder, file === undefined, entriesOfLevel(inner, folder, first));
  }
  for (const [name, file] of beside) add(name, file, false, []);
  const sorted = named.toSorted((a, b) => compareNames(a.name, b.name)).map(({ entry }) => entry);
  if (readme === undefined || path !== '') return sorted;
  return [{ kind: 'page', title: '', target: readme, children: [] }, ...sorted];
}

function readmeOf({ files }: Level): string | undefined {
  for (const name of ['readme', 'index']) {
    const readme = files.find((file) => ownStemOf(file).toLowerCase() === name);
    if (readme) return readme;
  }
  return undefined;
}

function compareNames(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b || (a === b && one < other) ? -1 : 1;
}

const ownStemOf = (file: string) => lastSegment(file).replace(/\.(?:md|markdown|mdx)$/i, '');

/** The name of a file without its extension, or of the folder for a README in a folder. */
function stemOf(file: string): string {
  const stem = ownStemOf(file);
  const folder = parentPath(file);
  return folder !== '' && /^(?:readme|index)$/i.test(stem) ? lastSegment(folder) : stem;
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Derives the title of a page from its file name. */
export function nameTitle(file: string): string {
  const words = stemOf(file).replaceAll(/[-_]+/g, ' ').trim();
  return words === '' ? 'Untitled' : words.charAt(0).toUpperCase() + words.slice(1);
}

const lineOf = ({ line }: Pick<FolderEntry, 'line'>): { line?: number } => (line === undefined ? {} : { line });
