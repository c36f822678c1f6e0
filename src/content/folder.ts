import { createHash } from 'node:crypto';
import { parse as parseYaml } from 'yaml';
import { readFrontMatter } from './front-matter.ts';
import { joinPath, parentPath } from './links.ts';
import { rewriteLinks, scalar, titleOf } from './markdown.ts';
import { slugify, uniqueSlug } from './slug.ts';
import { readSummary, type SummaryEntry } from './summary.ts';

/** Files by their path, with `/` between folders and none in front. */
export type Folder = ReadonlyMap<string, Uint8Array>;

export interface PageMeta {
  emoji?: string;
  icon?: string;
  description?: string;
  hidden?: boolean;
  noIndex?: boolean;
  noRobotsIndex?: boolean;
}

export interface LocalPage extends PageMeta {
  /** Names it within the folder: its file, else what it is. */
  key: string;
  type: 'document' | 'group' | 'link';
  parent: string | null;
  title: string;
  slug: string;
  /** Slugs from the root. */
  path: string;
  /** From the docs' root; null for a folder or label without a text. */
  file: string | null;
  /** The file's text as it is, front matter included; null without a file. */
  text: string | null;
  href?: string;
}

export interface LocalFile {
  /** From the docs' root. */
  path: string;
  bytes: Uint8Array;
  hash: string;
}

export interface Problem {
  file: string;
  message: string;
}

export interface LocalFolder {
  /** The folder that holds the docs, as the settings file says; "" for the whole. */
  root: string;
  /** Depth first, siblings in their order. */
  pages: LocalPage[];
  /** What the pages link to and show. */
  files: LocalFile[];
  /** SUMMARY.md as it is. */
  summary: string | null;
  summaryPath: string;
  /** The file of the first page. */
  readmePath: string;
  problems: Problem[];
}

const settingsFiles = ['.docsctl.yaml', '.docsctl.yml', '.gitbook.yaml', '.gitbook.yml'];

export interface FolderSettings {
  root: string;
  summary: string;
  readme: string;
}

/** Where the docs lie, from `.docsctl.yaml` or `.gitbook.yaml`: `root`, `structure.summary`, `structure.readme`. */
export function readSettings(folder: Folder): FolderSettings & { problems: Problem[] } {
  const settings = { root: '', summary: 'SUMMARY.md', readme: 'README.md', problems: [] as Problem[] };
  const file = settingsFiles.find((name) => folder.has(name));
  if (!file) return settings;
  try {
    const value: unknown = parseYaml(Buffer.from(folder.get(file)!).toString());
    const { root, structure } = (value ?? {}) as Record<string, unknown>;
    const { summary, readme } = (structure ?? {}) as Record<string, unknown>;
    const path = (given: unknown, usual: string) => {
      if (typeof given !== 'string') return usual;
      const segments = joinPath('', given.replaceAll('\\', '/'));
      if (segments) return segments.join('/');
      settings.problems.push({ file, message: `${given} leads out of the folder and is not used.` });
      return usual;
    };
    settings.root = path(root, settings.root);
    settings.summary = path(summary, settings.summary);
    settings.readme = path(readme, settings.readme);
  } catch {
    settings.problems.push({ file, message: 'The settings are not YAML and are not used.' });
  }
  return settings;
}

/** The pages that a folder of Markdown stands for, by its SUMMARY.md or else by its folders. */
export function readFolder(folder: Folder): LocalFolder {
  const { problems, ...settings } = readSettings(folder);
  const inside = insideRoot(folder, settings.root);
  const texts = new Map<string, string>();
  for (const [path, bytes] of inside) {
    if (!isMarkdown(path) || isPrivate(path)) continue;
    const text = decodeExactly(bytes);
    if (text === undefined) problems.push({ file: path, message: 'The file is not UTF-8 and is left out.' });
    else texts.set(path, text);
  }
  const summary = texts.get(settings.summary) ?? null;
  texts.delete(settings.summary);
  const infos = new Map([...texts].map(([path, text]) => [path, readInfo(text)]));
  for (const [file, { fault }] of infos) {
    if (fault) problems.push({ file, message: `The front matter is not YAML and is not read: ${fault}` });
  }
  const pages = treeOf({ infos, summary, settings, problems }).map((page) => ({
    ...page,
    text: page.file === null ? null : texts.get(page.file)!,
  }));
  return {
    root: settings.root,
    pages,
    files: filesOf(pages, inside),
    summary,
    summaryPath: settings.summary,
    readmePath: settings.readme,
    problems,
  };
}

function insideRoot(folder: Folder, root: string): Map<string, Uint8Array> {
  const inside = new Map<string, Uint8Array>();
  for (const path of [...folder.keys()].toSorted()) {
    if (root === '') inside.set(path, folder.get(path)!);
    else if (path.startsWith(`${root}/`)) inside.set(path.slice(root.length + 1), folder.get(path)!);
  }
  return inside;
}

function isMarkdown(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path);
}

// Hidden folders hold tools' files, and packages bring Markdown of their own.
function isPrivate(path: string): boolean {
  return path.split('/').some((segment) => segment.startsWith('.') || segment === 'node_modules');
}

/** The text whose UTF-8 the bytes are, byte order mark included; undefined when they are none. */
export function decodeExactly(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

// ---- what a page's text says of the page

export interface PageInfo extends PageMeta {
  title?: string;
  fault?: string;
}

export function readInfo(text: string): PageInfo {
  const { data, fault } = readFrontMatter(text);
  const info: PageInfo = {};
  const title = titleOf(text);
  if (title !== undefined) info.title = title;
  for (const member of ['emoji', 'icon', 'description'] as const) {
    const value = scalar(data[member]);
    if (value !== undefined) info[member] = value;
  }
  for (const member of ['hidden', 'noIndex', 'noRobotsIndex'] as const) if (data[member] === true) info[member] = true;
  if (fault) info.fault = fault;
  return info;
}

// ---- the tree

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
  for (let count = 1; ; count += 1) {
    const candidate = count === 1 ? key : `${key}#${count}`;
    if (!taken.has(candidate)) return candidate;
  }
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

// ---- files that the pages need

function filesOf(pages: readonly LocalPage[], inside: ReadonlyMap<string, Uint8Array>): LocalFile[] {
  const wanted = new Set<string>();
  const pageFiles = new Set(pages.map(({ file }) => file));
  for (const { file, text } of pages) {
    if (file === null) continue;
    for (const url of addressesIn(text!)) {
      const path = localPath(file, url);
      if (path !== undefined && !pageFiles.has(path) && inside.has(path)) wanted.add(path);
    }
  }
  return [...wanted].toSorted().map((path) => ({ path, bytes: inside.get(path)!, hash: hashOf(inside.get(path)!) }));
}

/** The path that a relative address in a file leads to, decoded; undefined when it is none or leaves the root. */
export function localPath(file: string, url: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return undefined;
  const address = url.replace(/[?#].*$/s, '');
  if (address === '') return undefined;
  return joinPath(parentPath(file), decode(address))?.join('/');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Parsing takes milliseconds a page, a push looks at thousands: what could be an address is found by patterns first. They
// find more than there is (in code, say), never less.
const patterns = [
  /\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)/g,
  /^[ \t>]*\[[^\]]+\]:\s*<?([^\s>]+)/gm,
  /\b(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
];
const needsParsing =
  /\]\(\s*<[^>\n]*\s|\\|&[#\w]+;|\]:[ \t]*(?:\r\n|\n|\r)|\]:\s*<[^>\n]*\s|\b(?:href|src)\s*=\s*["'][^"'\n]*\s/i;

/** Every address that links and images of a text may have; some that only look like one. */
export function addressesIn(text: string): Set<string> {
  const found = new Set<string>();
  if (needsParsing.test(text)) {
    rewriteLinks(text, (url) => {
      found.add(url);
      return url;
    });
    return found;
  }
  for (const pattern of patterns) for (const [, url] of text.matchAll(pattern)) found.add(url!);
  return found;
}
