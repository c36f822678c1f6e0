import { createHash } from 'node:crypto';
import { isHidden, isInToolFolder, isMarkdown } from './file-names.ts';
import { type FolderSettings, readSettings } from './folder-settings.ts';
import { decodeAddress } from '../../shared/decode.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { joinPath, parentPath } from '../markdown/links.ts';
import { rewriteLinks, scalar, titleOf } from '../markdown/markdown.ts';
import { firstFree, slugify, uniqueSlug } from '../markdown/slug.ts';
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
  line?: number;
  message: string;
}

/** A link of a page to a path that none of the folder's files has; or what looks like one. */
export interface UnresolvedLink {
  file: string;
  url: string;
  path: string;
}

export interface LocalFolder {
  /** The folder that holds the docs, as the settings file says; "" for the whole. */
  root: string;
  /** Depth first, siblings in their order. */
  pages: LocalPage[];
  /** What the pages link to and show. */
  files: LocalFile[];
  unresolved: UnresolvedLink[];
  /** SUMMARY.md as it is. */
  summary: string | null;
  summaryPath: string;
  /** The file of the first page. */
  readmePath: string;
  problems: Problem[];
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
    if (fault) problems.push({ file, message: `The front matter is not read: ${fault}` });
  }
  const pages = treeOf({ infos, summary, settings, problems }).map((page) => ({
    ...page,
    text: page.file === null ? null : texts.get(page.file)!,
  }));
  return {
    root: settings.root,
    pages,
    ...filesOf(pages, inside, problems),
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

// ---- files that the pages need

/** The files that pages link to. What they link to and must not take along goes to the problems. */
function filesOf(
  pages: readonly LocalPage[],
  inside: ReadonlyMap<string, Uint8Array>,
  problems: Problem[],
): Pick<LocalFolder, 'files' | 'unresolved'> {
  const wanted = new Set<string>();
  const unresolved: UnresolvedLink[] = [];
  const pageFiles = new Set(pages.map(({ file }) => file));
  for (const { file, text } of pages) {
    if (file === null || text === null) continue;
    const faults = new Map<string, string>();
    for (const url of addressesIn(text)) {
      const address = relativeAddressOf(url);
      if (address === undefined) continue;
      const path = joinPath(parentPath(file), address)?.join('/');
      if (path === undefined) faults.set(url, 'leads out of the folder');
      else if (pageFiles.has(path)) continue;
      else if (isHidden(path) && (inside.has(path) || isInToolFolder(path))) faults.set(url, 'is a hidden file');
      else if (inside.has(path)) wanted.add(path);
      else unresolved.push({ file, url, path });
    }
    for (const [url, line] of linesOf(text, [...faults.keys()]))
      problems.push({ file, line, message: `${url} ${faults.get(url)} and is left out.` });
  }
  const files = [...wanted]
    .toSorted()
    .map((path) => ({ path, bytes: inside.get(path)!, hash: hashOf(inside.get(path)!) }));
  return { files, unresolved };
}

/** The lines of these addresses in a text; none for what only looks like a link, in code say. */
export function linesOf(text: string, urls: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const wanted = new Set(urls);
  if (wanted.size === 0) return lines;
  const places: [url: string, at: number][] = [];
  rewriteLinks(text, (url, _, __, at) => {
    if (wanted.delete(url)) places.push([url, at]);
    return url;
  });
  for (const [url, at] of addressesInTags(text)) if (wanted.delete(url)) places.push([url, at]);
  let line = 1;
  let counted = 0;
  for (const [url, at] of places.toSorted(([, one], [, other]) => one - other)) {
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    lines.set(url, line);
  }
  return lines;
}

/** What stands in quotes in tags such as `{% file src="..." %}`, which are no Markdown. */
function* addressesInTags(text: string): Generator<[url: string, at: number]> {
  for (let open = text.indexOf('{%'); open !== -1; open = text.indexOf('{%', open + 2)) {
    const close = text.indexOf('%}', open);
    if (close === -1) return;
    const tag = text.slice(open, close);
    for (const { 1: url, index } of tag.matchAll(/["']([^"'\n]*)["']/g)) yield [url!, open + index];
    open = close;
  }
}

/** The path that a relative address in a file leads to, decoded; undefined when it is none or leaves the root. */
export function localPath(file: string, url: string): string | undefined {
  const address = relativeAddressOf(url);
  return address === undefined ? undefined : joinPath(parentPath(file), address)?.join('/');
}

/** The address without query and anchor, decoded; undefined when it is not relative to the page or the root. */
function relativeAddressOf(url: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return undefined;
  const address = url.replace(/[?#].*$/s, '');
  return address === '' ? undefined : decodeAddress(address);
}

// Parsing takes milliseconds a page, a push looks at thousands: what could be an address is found by patterns first. They
// find more than there is (in code, say), never less.
const patterns = [
  /\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)/g,
  /^[ \t>]*\[[^[\]]+\]:\s*<?([^\s>]+)/gm,
  /\b(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
];
const unclear = [
  /\\/,
  /&[#\w]+;/,
  /\]:[ \t]*[\r\n]/,
  /\](?:\(|:)\s*<[^\s<>]*\s/,
  /\b(?:href|src)\s*=\s*["'][^\s"']*\s/i,
];

/** Every address that links and images of a text may have; some that only look like one. */
export function addressesIn(text: string): Set<string> {
  const found = new Set<string>();
  if (unclear.some((pattern) => pattern.test(text))) {
    rewriteLinks(text, (url) => {
      found.add(url);
      return url;
    });
    return found;
  }
  for (const pattern of patterns) for (const [, url] of text.matchAll(pattern)) found.add(url!);
  return found;
}
