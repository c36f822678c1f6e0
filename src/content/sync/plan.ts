import { decodeAddress } from '../../shared/decode.ts';
import { setFrontMatter } from '../markdown/front-matter.ts';
import { isMarkdown, isProgramFile, pathFault } from './file-names.ts';
import {
  addressesIn,
  type Folder,
  hashOf,
  type LocalFile,
  type LocalFolder,
  localPath,
  type LocalPage,
  type PageInfo,
  type PageMeta,
  type Problem,
  readInfo,
  treeOf,
} from './folder.ts';
import { isLayout, type Layout, layoutName, readLayout, writeLayout } from './layout.ts';
import { LinkIndex, parentPath, relativeAddress, type Target } from '../markdown/links.ts';
import { longestIncreasingSubsequence } from './longest-increasing-subsequence.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { firstFree } from '../markdown/slug.ts';
import { type SummaryEntry, writeSummary } from './summary.ts';

export interface RemotePage extends PageMeta {
  id: string;
  type: 'document' | 'group' | 'link' | 'computed';
  parent: string | null;
  title: string;
  slug?: string;
  /** Slugs from the root. */
  path?: string;
  /** The Markdown as stored; null for a page without a text. */
  text: string | null;
  href?: string;
}

export interface RemoteFile {
  id: string;
  name: string;
  /** SHA-256 of the bytes, hexadecimal. */
  hash: string;
}

export interface Remote {
  /** Depth first, siblings in their order. */
  pages: readonly RemotePage[];
  files: readonly RemoteFile[];
  /** The bytes of the file that `latestLayout` names. */
  layout?: Uint8Array;
}

// ---- push

/** A page by its id, or by its key in the folder while it has none. */
export type PageRef = { id: string } | { key: string };

export type PageFields = PageMeta & { title?: string; slug?: string };

export type Operation =
  | { kind: 'upload'; name: string; bytes: Uint8Array }
  | {
      kind: 'add';
      key: string;
      type: LocalPage['type'];
      path: string;
      parent: PageRef | null;
      /** Place among the siblings as they are when the operation's turn comes. */
      at: number;
      fields: PageFields;
      text: string | null;
    }
  | { kind: 'move'; id: string; path: string; from: string; parent: PageRef | null; at: number }
  | { kind: 'change'; id: string; path: string; fields: PageFields; text?: string }
  | { kind: 'delete'; id: string; path: string; title: string };

export interface Plan {
  /** In the order in which they are carried out: files, pages from the top, deletions. */
  operations: Operation[];
  /** How many pages stay as they are. */
  unchanged: number;
  /** What the service has no call for, told rather than left out in silence. */
  notes: string[];
}

/**
 * What makes the remote pages those of the folder. A page is the same by its path, else by its text, else by title and
 * slug, else by a title that only one page on each side has: so a file that was renamed, moved or edited stays the page
 * it was, as long as it is not all three at once.
 */
export function plan(local: LocalFolder, remote: Remote): Plan {
  const layout = readLayout(remote.layout);
  const uploads = matchFiles(local.files, remote.files, layout);
  const texts = new Map(local.pages.map((page) => [page.key, sentText(page, local, uploads)]));
  const matched = matchPages(local, remote, layout, texts);
  const writer = new Writer(remote, layout);
  const operations: Operation[] = [...uploads.operations];
  const notes: string[] = [];
  const placing = new Placing(remote.pages);
  let unchanged = 0;
  expectOrder(local, matched, placing);
  for (const page of local.pages) {
    const twin = matched.get(page.key);
    const parent = refOf(page.parent, matched);
    const text = texts.get(page.key)!;
    if (!twin && page.type === 'link') {
      notes.push(
        `"${page.title}" in ${local.summaryPath} is a link to elsewhere; add it in the app, it cannot be pushed.`,
      );
      continue;
    }
    const at = placing.place(twin?.id ?? page.key, parent && ('id' in parent ? parent.id : parent.key));
    if (!twin) {
      const fields = { title: page.title, slug: page.slug, ...metaOf(page) };
      operations.push({
        kind: 'add',
        key: page.key,
        type: page.type,
        path: page.path,
        parent,
        at: at!,
        fields,
        text: text.sent,
      });
      continue;
    }
    const operationsBefore = operations.length;
    if (at !== undefined) {
      operations.push({ kind: 'move', id: twin.id, path: page.path, from: twin.path ?? '', parent, at });
    }
    const fields = changedFields(page, twin);
    const isSame =
      (text.sent ?? '') === (twin.text ?? '') || (!text.showsNew && page.text === writer.textOf(twin, page.file));
    if (!isSame || Object.keys(fields).length > 0) {
      const sent = isSame ? {} : { text: text.sent ?? '' };
      operations.push({ kind: 'change', id: twin.id, path: page.path, fields, ...sent });
    }
    if (operations.length === operationsBefore) unchanged += 1;
  }
  for (const deletion of deletions(remote, local, matched, placing)) operations.push(deletion);
  const record = layoutFor(local, uploads.names, texts, layout);
  if (record)
    operations.splice(uploads.operations.length, 0, {
      kind: 'upload',
      name: layoutName(record.serial),
      bytes: writeLayout(record),
    });
  return { operations, unchanged, notes };
}

function expectOrder(local: LocalFolder, matched: ReadonlyMap<string, RemotePage>, placing: Placing): void {
  const idOf = (key: string) => matched.get(key)?.id ?? key;
  for (const [parent, siblings] of Map.groupBy(local.pages, (page) => page.parent)) {
    placing.expect(
      parent === null ? null : idOf(parent),
      siblings.map(({ key }) => idOf(key)),
    );
  }
}

function refOf(key: string | null, matched: ReadonlyMap<string, RemotePage>): PageRef | null {
  if (key === null) return null;
  const twin = matched.get(key);
  return twin ? { id: twin.id } : { key };
}

const metaMembers = ['emoji', 'icon', 'description', 'hidden', 'noIndex', 'noRobotsIndex'] as const;

function metaOf(page: PageMeta): PageMeta {
  return Object.fromEntries(metaMembers.flatMap((member) => (page[member] ? [[member, page[member]]] : [])));
}

/** What differs, with "" and false for what the folder no longer says. */
function changedFields(page: LocalPage, twin: RemotePage): PageFields {
  const fields: Record<string, string | boolean> = {};
  if (page.title !== twin.title) fields['title'] = page.title;
  if (twin.slug !== undefined && page.slug !== twin.slug) fields['slug'] = page.slug;
  for (const member of metaMembers) {
    const isFlag = member === 'hidden' || member === 'noIndex' || member === 'noRobotsIndex';
    if ((page[member] || undefined) !== (twin[member] || undefined))
      fields[member] = page[member] ?? (isFlag ? false : '');
  }
  return fields;
}

function deletions(
  remote: Remote,
  local: LocalFolder,
  matched: ReadonlyMap<string, RemotePage>,
  placing: Placing,
): Operation[] {
  const kept = new Set([...matched.values()].map(({ id }) => id));
  // Markdown has no computed pages, and folders have no links: those are none of ours.
  const isOurs = (page: RemotePage) => page.type !== 'computed' && (page.type !== 'link' || local.summary !== null);
  const gone = new Set(remote.pages.filter((page) => !kept.has(page.id) && isOurs(page)).map(({ id }) => id));
  return remote.pages.flatMap((page): Operation[] => {
    const above = placing.parentOf(page.id);
    if (!gone.has(page.id) || (above !== null && gone.has(above))) return [];
    return [{ kind: 'delete', id: page.id, path: page.path ?? '', title: page.title }];
  });
}

/** The siblings as they stand while operations are carried out one after the other. */
class Placing {
  readonly #children = new Map<string | null, string[]>();
  readonly #parents = new Map<string, string | null>();
  /** The page that was placed last under each parent. */
  readonly #placed = new Map<string | null, string>();
  readonly #steady = new Map<string | null, Set<string>>();

  constructor(pages: readonly RemotePage[]) {
    for (const { id, parent } of pages) {
      this.#parents.set(id, parent);
      this.#childrenOf(parent).push(id);
    }
  }

  /** Tells the siblings' wanted order beforehand, so that as few as possible move. */
  expect(parent: string | null, wanted: readonly string[]): void {
    const places = new Map(this.#childrenOf(parent).map((id, index) => [id, index]));
    const here = wanted.filter((id) => places.has(id));
    this.#steady.set(parent, new Set(longestIncreasingSubsequence(here, (id) => places.get(id)!)));
  }

  /** Puts a page behind those placed before it under the same parent; undefined when it stands there already. */
  place(id: string, parent: string | null): number | undefined {
    const last = this.#placed.get(parent);
    this.#placed.set(parent, id);
    const siblings = this.#childrenOf(parent);
    if (this.#parents.get(id) === parent && this.#steady.get(parent)?.has(id)) return undefined;
    const old = this.#parents.get(id);
    if (old !== undefined) this.#childrenOf(old).splice(this.#childrenOf(old).indexOf(id), 1);
    const at = last === undefined ? 0 : siblings.indexOf(last) + 1;
    siblings.splice(at, 0, id);
    this.#parents.set(id, parent);
    return at;
  }

  parentOf(id: string): string | null {
    return this.#parents.get(id) ?? null;
  }

  #childrenOf(parent: string | null): string[] {
    const children = this.#children.get(parent) ?? [];
    this.#children.set(parent, children);
    return children;
  }
}

// ---- which is which

function matchPages(
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

interface Uploads {
  /** From a file's path to its name in the content. */
  names: Map<string, string>;
  /** Names that the plan brings. */
  fresh: Set<string>;
  operations: Operation[];
}

function matchFiles(files: readonly LocalFile[], remote: readonly RemoteFile[], layout: Layout): Uploads {
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

// ---- texts on their way out

interface SentText {
  sent: string | null;
  /** Addresses that were sent otherwise than written, or that a pull would write otherwise. */
  links: [sent: string, written: string][];
  /** An address was changed because it leads to a file that is not there yet. */
  showsNew: boolean;
}

const indexes = new WeakMap<LocalFolder, LinkIndex>();

/**
 * The page's text with those addresses changed that would lead elsewhere, as pages have no file names: most often none,
 * and then the text goes as it is.
 */
function sentText(page: LocalPage, local: LocalFolder, { names, fresh }: Uploads): SentText {
  const { text, file } = page;
  if (text === null || file === null) return { sent: text, links: [], showsNew: false };
  const pages = pagesByFile(local);
  let index = indexes.get(local);
  if (!index) {
    const known = local.pages.map(({ key, path }) => ({ id: key, path }));
    index = new LinkIndex(
      known,
      [...names.values()].map((name) => ({ id: `file:${name}`, name })),
    );
    indexes.set(local, index);
  }
  const wanted = (url: string): Target | undefined => {
    const path = localPath(file, url);
    if (path === undefined) return undefined;
    const name = names.get(path);
    if (name !== undefined) return { kind: 'file', file: `file:${name}` };
    const target = pages.get(path) ?? pages.get(`${path}.md`) ?? pages.get(`${path}/`);
    return target && { kind: 'page', page: target.key };
  };
  const change = (url: string): string => {
    const target = wanted(url);
    if (!target || leadsTo(index.resolve(url, page.key), target)) return url;
    const rest = /[?#].*$/s.exec(url)?.[0] ?? '';
    const address =
      target.kind === 'file'
        ? `/${relativeAddress('', target.file.slice('file:'.length))}`
        : `/pages/${pages.get((target as { page: string }).page)?.path ?? pathOf(local, target)}${rest}`;
    return leadsTo(index.resolve(address, page.key), target) ? address : url;
  };
  // A pull writes `/pages/...` and the like as paths between files, unless told that the file has them as they are.
  const isOwn = (url: string) =>
    url.startsWith('/') && !wanted(url) && ['page', 'file'].includes(index.resolve(url, page.key).kind);
  const candidates = [...addressesIn(text)];
  if (candidates.every((url) => change(url) === url && !isOwn(url))) return { sent: text, links: [], showsNew: false };
  const links: SentText['links'] = [];
  let showsNew = false;
  const sent = rewriteLinks(text, (url, _, raw) => {
    const address = change(url);
    if (address !== url || isOwn(url)) links.push([address, raw]);
    const target = address === url ? undefined : wanted(url);
    if (target?.kind === 'file' && fresh.has(target.file.slice('file:'.length))) showsNew = true;
    return address;
  });
  return { sent, links, showsNew };
}

function pathOf(local: LocalFolder, target: Target): string {
  return local.pages.find(({ key }) => target.kind === 'page' && key === target.page)!.path;
}

function leadsTo(one: Target, other: Target): boolean {
  return (
    one.kind === other.kind &&
    ((one.kind === 'page' && other.kind === 'page' && one.page === other.page) ||
      (one.kind === 'file' && other.kind === 'file' && one.file === other.file))
  );
}

const filesToPages = new WeakMap<LocalFolder, Map<string, LocalPage>>();

/** Pages by their files, and by `folder/` too where they are a folder's. */
function pagesByFile(local: LocalFolder): Map<string, LocalPage> {
  const known = filesToPages.get(local);
  if (known) return known;
  const pages = new Map<string, LocalPage>();
  for (const page of local.pages) {
    pages.set(page.key, page);
    if (page.file === null) {
      if (page.key.endsWith('/')) pages.set(page.key.slice(0, -1), page);
      continue;
    }
    pages.set(page.file, page);
    const folder = parentPath(page.file);
    const isReadme = /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(page.file);
    if (isReadme && !pages.has(`${folder}/`)) pages.set(`${folder}/`, page).set(folder, page);
  }
  filesToPages.set(local, pages);
  return pages;
}

function layoutFor(
  local: LocalFolder,
  names: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, SentText>,
  before: Layout,
): Layout | undefined {
  const derived = derivedFiles(local.pages.map((page) => ({ ...page, id: page.key })));
  const layout: Layout = { version: 1, serial: before.serial, pages: {}, files: {}, links: {} };
  const parents = new Set(local.pages.map(({ parent }) => parent));
  // The service knows no difference between an empty text and none; folders and labels without a text have no file.
  const couldHaveNone = ({ key, text }: LocalPage) => text === '' && (parents.has(key) || local.summary !== null);
  if (local.summary !== null) layout.summary = { path: local.summaryPath, text: local.summary };
  for (const page of local.pages) {
    if (page.file !== null && (derived.get(page.key) !== page.file || couldHaveNone(page)))
      layout.pages[page.path] = page.file;
    const { links } = texts.get(page.key)!;
    if (links.length > 0) layout.links[page.path] = links;
  }
  for (const [path, name] of names) if (derivedPath(name) !== path) layout.files[name] = path;
  if (JSON.stringify(layout) === JSON.stringify({ ...before, version: 1 })) return undefined;
  const isEmpty =
    !layout.summary && [layout.pages, layout.files, layout.links].every((part) => Object.keys(part).length === 0);
  if (isEmpty && before.serial === 0) return undefined;
  return { ...layout, serial: before.serial + 1 };
}

// ---- pull

/** The remote file's bytes are asked for only where the folder does not have them. */
export type RemoteContents = (file: RemoteFile) => Uint8Array;

/**
 * The folder that stands for the remote pages, paths counted from the docs' root. With `local`, what is there keeps its
 * files' names and, where it says the same, its bytes.
 */
export function writeFolder(
  remote: Remote,
  contents: RemoteContents,
  local?: LocalFolder,
  naming: Naming = {},
): Map<string, Uint8Array> {
  const layout = usableLayout(readLayout(remote.layout), naming);
  const writer = new Writer(remote, layout, local, naming);
  const folder = new Map<string, Uint8Array>();
  const infos = new Map<string, PageInfo>();
  for (const page of remote.pages) {
    const file = writer.fileOf(page.id);
    if (file === undefined) continue;
    const text = writer.textOf(page, file);
    folder.set(file, Buffer.from(text));
    infos.set(file, readInfo(text));
  }
  for (const file of remote.files) {
    const path = writer.pathOfFile(file.id);
    if (path !== undefined && !folder.has(path)) folder.set(path, contents(file));
  }
  const summaryPath = local?.summaryPath ?? layout.summary?.path ?? 'SUMMARY.md';
  const summary = writer.summaryFor(infos, summaryPath, local?.summary ?? undefined);
  if (summary !== undefined) folder.set(summaryPath, Buffer.from(summary));
  return folder;
}

export interface Naming {
  /** Gets the names that the service gives and that must not be written: what has one gets another. */
  problems?: Problem[];
  /** Hashes of texts that the user's own push sent, by path: they may have names that programs look for. */
  own?: ReadonlyMap<string, string>;
}

/** The layout without a SUMMARY.md whose path must not be written. */
function usableLayout(layout: Layout, { problems = [] }: Naming): Layout {
  const { summary, ...rest } = layout;
  const fault = summary && pageFault(summary.path);
  if (!summary || fault === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${fault}; it is not taken for SUMMARY.md.` });
  return rest;
}

/** What a pull changes in the folder that is there, paths from the docs' root. */
export function planPull(local: LocalFolder, folder: Folder): { write: Map<string, Uint8Array>; remove: string[] } {
  const there = new Map<string, string>();
  for (const { file, text } of local.pages) if (file !== null) there.set(file, hashOf(text!));
  for (const { path, hash } of local.files) there.set(path, hash);
  if (local.summary !== null) there.set(local.summaryPath, hashOf(local.summary));
  const write = new Map([...folder].filter(([path, bytes]) => there.get(path) !== hashOf(bytes)));
  return { write, remove: [...there.keys()].filter((path) => !folder.has(path)) };
}

/** Gives remote pages their files, and their texts the addresses and front matter that say the same there. */
class Writer {
  readonly #remote: Remote;
  readonly #children: Map<string | null, RemotePage[]>;
  readonly #layout: Layout;
  readonly #index: LinkIndex;
  readonly #files: Map<string, string>;
  readonly #paths: Map<string, string>;
  readonly #readme: string;

  constructor(remote: Remote, layout: Layout, local?: LocalFolder, naming: Naming = {}) {
    this.#remote = remote;
    this.#children = Map.groupBy(remote.pages, ({ parent }) => parent);
    this.#layout = layout;
    this.#readme = local?.readmePath ?? 'README.md';
    const pages = remote.pages.filter(({ path }) => path !== undefined);
    this.#index = new LinkIndex(
      pages.map(({ id, path }) => ({ id, path: path! })),
      remote.files,
    );
    this.#files = filesFor(remote, layout, local, naming);
    this.#paths = pathsFor(remote.files, layout, new Set(this.#files.values()), naming);
  }

  fileOf(id: string): string | undefined {
    return this.#files.get(id);
  }

  pathOfFile(id: string): string | undefined {
    return this.#paths.get(id);
  }

  /** What the page's file says, if it were this one. */
  textOf(page: RemotePage, file: string | null | undefined): string {
    if (file === null || file === undefined) return page.text ?? '';
    const text = this.#withLocalLinks(page, page.text ?? '', file);
    const info = readInfo(text);
    const changes: Record<string, unknown> = {};
    // A title that only SUMMARY.md or the file's name says is theirs to say.
    if (info.title !== undefined && info.title !== page.title) changes['title'] = page.title;
    for (const member of metaMembers) {
      if ((info[member] || undefined) !== (page[member] || undefined)) changes[member] = page[member] || undefined;
    }
    return Object.keys(changes).length > 0 ? setFrontMatter(text, changes) : text;
  }

  #withLocalLinks(page: RemotePage, text: string, file: string): string {
    // Relative addresses stay as they are: pages lie to each other as their files do.
    if (![...addressesIn(text)].some((url) => url.startsWith('/'))) return text;
    const recorded = Map.groupBy((this.#layout.links[page.path ?? ''] ?? []).toReversed(), ([sent]) => sent);
    return rewriteLinks(text, (url) => {
      if (!url.startsWith('/')) return url;
      const written = recorded.get(url)?.pop()?.[1];
      if (written !== undefined) return { raw: written };
      const path = this.#pathOf(this.#index.resolve(url, page.id));
      if (path === undefined || leadsLocally(url, file, path)) return url;
      return relativeAddress(parentPath(file), path) + (/[?#].*$/s.exec(url)?.[0] ?? '');
    });
  }

  #pathOf(target: Target): string | undefined {
    if (target.kind === 'page') return this.#files.get(target.page);
    return target.kind === 'file' ? this.#paths.get(target.file) : undefined;
  }

  /** SUMMARY.md, where the folders alone would not give these pages in this order. */
  summaryFor(infos: ReadonlyMap<string, PageInfo>, path: string, present: string | undefined): string | undefined {
    const settings = { root: '', summary: path, readme: this.#readme };
    const wanted = this.#outline();
    const links = new Set(this.#remote.pages.map(({ href, title }) => `${href} ${title}`));
    const isRight = (summary: string | null) => {
      // A link to elsewhere cannot be pushed; that the space does not have it is no reason to take it out.
      const pages = treeOf({ infos, summary, settings }).filter(
        ({ type, href, title }) => type !== 'link' || links.has(`${href} ${title}`),
      );
      const depths = depthsOf(pages.map(({ key, parent }) => ({ id: key, parent })));
      return (
        JSON.stringify(
          pages.map(({ key, type, title, file }) => [depths.get(key), type === 'link' ? 'link' : 'page', title, file]),
        ) === wanted
      );
    };
    const recorded = present ?? this.#layout.summary?.text;
    if (recorded !== undefined && isRight(recorded)) return recorded;
    if (recorded === undefined && isRight(null)) return undefined;
    return writeSummary(this.#entries(null, parentPath(path)));
  }

  #outline(): string {
    const pages = this.#remote.pages.filter(({ type }) => type !== 'computed');
    const depths = depthsOf(pages);
    return JSON.stringify(
      pages.map(({ id, type, title }) => [
        depths.get(id),
        type === 'link' ? 'link' : 'page',
        title,
        this.#files.get(id) ?? null,
      ]),
    );
  }

  #entries(parent: string | null, base: string): SummaryEntry[] {
    return (this.#children.get(parent) ?? [])
      .filter((page) => page.type !== 'computed')
      .map((page): SummaryEntry => {
        const children = this.#entries(page.id, base);
        const file = this.#files.get(page.id);
        if (page.type === 'link') return { kind: 'link', title: page.title, target: page.href ?? '', children };
        if (file !== undefined) return { kind: 'page', title: page.title, target: relativePath(base, file), children };
        return { kind: parent === null ? 'group' : 'label', title: page.title, children };
      });
  }
}

function leadsLocally(url: string, file: string, path: string): boolean {
  const there = localPath(file, url);
  if (there === undefined) return false;
  const isFolders = /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(path) && parentPath(path) === there;
  return path === there || path === `${there}.md` || isFolders;
}

function relativePath(base: string, file: string): string {
  return base === '' ? file : decodeAddress(relativeAddress(base, file));
}

function depthsOf(pages: readonly { id: string; parent: string | null }[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parent } of pages) depths.set(id, parent === null ? 0 : (depths.get(parent) ?? 0) + 1);
  return depths;
}

/** Why a page's text must not be written to a file of this name, in words that follow it. */
function pageFault(file: string): string | undefined {
  const fault = pathFault(file);
  if (fault !== undefined) return fault;
  if (!isMarkdown(file)) return 'is not that of a Markdown file';
  return isProgramFile(file) ? 'is one that programs look for' : undefined;
}

/** A file for each page that has a text, or needs one to be there. */
function filesFor(
  remote: Remote,
  layout: Layout,
  local: LocalFolder | undefined,
  { problems = [], own = new Map() }: Naming,
): Map<string, string> {
  const parents = new Set(remote.pages.map(({ parent }) => parent));
  const hasFile = ({ id, text, path }: RemotePage) =>
    text !== null || layout.pages[path ?? ''] !== undefined || !(parents.has(id) || layout.summary);
  const documents = remote.pages.filter((page) => page.type === 'document' && hasFile(page));
  const kept = local ? keptFiles(remote, layout, local) : new Map<string, string>();
  const derived = derivedFiles(remote.pages, kept);
  const files = new Map<string, string>();
  const taken = new Paths();
  const claims = documents.map(({ id, path, text }, at) => {
    const recorded = path === undefined ? [] : [layout.pages[path]].filter((file) => file !== undefined);
    const usual = derived.get(id)!;
    // `agents/README.md` is the same page as `agents.md`.
    const others = [usual, usual.replace(/\.md$/, '/README.md'), `page-${at + 1}.md`];
    const isUsable = (file: string) =>
      pageFault(file) === undefined || (pathFault(file) === undefined && own.get(file) === hashOf(text ?? ''));
    const refused = [recorded[0] ?? usual].find((file) => !isUsable(file));
    return { id, refused, choices: [kept.get(id), recorded.find(isUsable), others.find(isUsable)] };
  });
  // Who has a name already goes before who would take it.
  for (const rank of [0, 1, 2]) {
    for (const { id, choices, refused } of claims) {
      const file = choices[rank];
      if (files.has(id) || file === undefined) continue;
      if (rank < 2 && taken.has(file)) continue;
      const free = taken.take(file);
      files.set(id, free);
      if (rank > 0 && refused !== undefined) {
        const message = `The name ${pageFault(refused)}; the page is written to ${free} instead.`;
        problems.push({ file: refused, message });
      }
    }
  }
  return files;
}

/** The local files that stay: of pages that are still where the file says. */
function keptFiles(remote: Remote, layout: Layout, local: LocalFolder): Map<string, string> {
  const texts = new Map(local.pages.map((page) => [page.key, { sent: page.text, links: [], showsNew: false }]));
  const pages = new Map(local.pages.map((page) => [page.key, page]));
  const kept = new Map<string, string>();
  for (const [key, twin] of matchPages(local, remote, layout, texts)) {
    const page = pages.get(key)!;
    const isInPlace = local.summary === null ? page.path === twin.path : page.slug === twin.slug;
    if (page.file !== null && isInPlace) kept.set(twin.id, page.file);
  }
  return kept;
}

/** File names that follow from the pages' addresses: `a/b.md`, and `a/b/README.md` for a page with subpages. */
function derivedFiles(
  pages: readonly { id: string; parent: string | null; slug?: string }[],
  known: ReadonlyMap<string, string> = new Map(),
): Map<string, string> {
  const parents = new Set(pages.map(({ parent }) => parent));
  const folders = new Map<string | null, string>([[null, '']]);
  const files = new Map<string, string>();
  for (const { id, parent, slug } of pages) {
    const above = folders.get(parent) ?? '';
    const own = (above === '' ? '' : `${above}/`) + (slug ?? 'page');
    const file = known.get(id);
    const isReadme = file !== undefined && /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(file);
    folders.set(id, file === undefined ? own : isReadme ? parentPath(file) : file.replace(/\.[a-z]+$/i, ''));
    if (parent === null && slug === 'readme' && !parents.has(id)) files.set(id, 'README.md');
    else files.set(id, parents.has(id) ? `${own}/README.md` : `${own}.md`);
  }
  return files;
}

function derivedPath(name: string): string {
  return name.includes('/') ? name : `assets/${name}`;
}

function pathsFor(
  files: readonly RemoteFile[],
  layout: Layout,
  taken: ReadonlySet<string>,
  { problems = [] }: Naming,
): Map<string, string> {
  const paths = new Map<string, string>();
  const used = new Paths(taken);
  const add = (id: string, path: string) => {
    const free = used.take(path);
    paths.set(id, free);
    return free;
  };
  const claimed = new Set(Object.values(layout.files));
  const shown = files.filter(({ name }) => !isLayout(name));
  const recorded = (name: string) => layout.files[name] ?? '';
  for (const { id, name } of shown) if (pathFault(recorded(name)) === undefined) add(id, recorded(name));
  for (const { id, name } of shown) {
    const wanted = recorded(name) || derivedPath(name);
    const fault = pathFault(wanted);
    // Older bytes of a file that was pushed again are history, not content.
    if (paths.has(id) || (fault === undefined && claimed.has(wanted))) continue;
    if (fault === undefined) add(id, wanted);
    else {
      const instead = [derivedPath(name), `assets/${id}`].find((path) => pathFault(path) === undefined);
      const outcome = instead === undefined ? 'it is left out' : `it is written to ${add(id, instead)} instead`;
      problems.push({ file: wanted, message: `The name ${fault}; ${outcome}.` });
    }
  }
  return paths;
}

/** Paths of files; most systems ignore their case. */
class Paths {
  readonly #taken = new Set<string>();

  constructor(taken: Iterable<string> = []) {
    for (const path of taken) this.#taken.add(path.toLowerCase());
  }

  has(path: string): boolean {
    return this.#taken.has(path.toLowerCase());
  }

  /** Takes the path, or where it is taken one like it. */
  take(path: string): string {
    const dot = path.lastIndexOf('.');
    const nameOf = (count: number) => (count === 1 ? path : `${path.slice(0, dot)}-${count}${path.slice(dot)}`);
    const free = firstFree(this, path, nameOf);
    this.#taken.add(free.toLowerCase());
    return free;
  }
}
