import { isReadme } from '../content/folder/file-names.ts';
import type { BasePage } from '../content/folder/base.ts';
import {
  type Folder,
  hashOf,
  type LocalFolder,
  type LocalPage,
  type OnFile,
  type Problem,
} from '../content/folder/folder.ts';
import { type Layout, readLayout } from '../content/folder/layout.ts';
import { addressesIn, isRelative, localPath } from '../content/folder/local-links.ts';
import { metaMembers, type PageInfo, readInfo } from '../content/folder/page-info.ts';
import { treeOf } from '../content/folder/page-tree.ts';
import { editSummary, readSummary, type SummaryEntry, writeSummary } from '../content/folder/summary.ts';
import { setFrontMatter } from '../content/markdown/front-matter.ts';
import { LinkIndex, parentPath, relativeAddress, type Target } from '../content/markdown/links.ts';
import { decodeAddress } from '../shared/decode.ts';
import { type MovedPages, movedPages } from './moved-pages.ts';
import { isFileAtRoot, isLinkTo, pageIdIn } from './page-links.ts';
import { filesFor, type Naming, pageFileProblem, pathsFor } from './page-files.ts';
import type { Remote, RemoteFile, RemotePage } from './read-remote.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** The pages of a space as a folder, with paths relative to the docs' root. The bytes of its files are not fetched yet. */
export interface WrittenFolder {
  /** The texts of pages. */
  pages: Map<string, Uint8Array>;
  /** IDs of pages by their files. */
  ids: Map<string, string>;
  /** Files that pages use. */
  files: Map<string, RemoteFile>;
  summary?: { path: string; text: string };
  /** Names in the service that must not be written. */
  problems: Problem[];
}

export interface WriteInput {
  remote: Remote;
  /** Pages that it already has keep their file names and, if the content is equal, their bytes. */
  local?: LocalFolder;
  pushedHashes?: Naming['pushedHashes'];
  names?: Naming['names'];
  /** By default, the layout in the space. */
  layout?: Layout;
  /** Whether links to pages that were moved in the space since the last push are corrected. */
  correctsLinks?: boolean;
}

/** @param onFile called with each file before its text is parsed */
export function writeFolder(input: WriteInput, onFile: OnFile = () => {}): WrittenFolder {
  const { remote, local, pushedHashes, names } = input;
  const problems: Problem[] = [];
  const layout = usableLayout(input.layout ?? readLayout(remote.layouts?.[0]), problems);
  const writer = new PageWriter(remote, layout, local, {
    problems,
    ...(pushedHashes && { pushedHashes }),
    ...(names && { names }),
    ...(input.correctsLinks && layout.base && { former: layout.base.pages }),
  });
  const pages = new Map<string, Uint8Array>();
  const ids = new Map<string, string>();
  const infos = new Map<string, PageInfo>();
  for (const page of remote.pages) {
    const file = writer.files.get(page.id);
    if (file === undefined) continue;
    onFile(file);
    const text = writer.textOf(page, file);
    pages.set(file, Buffer.from(text));
    ids.set(file, page.id);
    infos.set(file, readInfo(text));
  }
  const files = new Map<string, RemoteFile>();
  for (const file of remote.files) {
    const path = writer.paths.get(file.id);
    if (path !== undefined && !pages.has(path) && !files.has(path)) files.set(path, file);
  }
  const path = local?.summaryPath ?? layout.summary?.path ?? 'SUMMARY.md';
  onFile(path);
  const text = writer.summaryFor(infos, path, local?.summary ?? undefined);
  return { pages, ids, files, ...(text !== undefined && { summary: { path, text } }), problems };
}

/** The layout, without SUMMARY.md if its path must not be written. */
function usableLayout(layout: Layout, problems: Problem[]): Layout {
  const { summary, ...rest } = layout;
  const problem = summary && pageFileProblem(summary.path);
  if (!summary || problem === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${problem}; SUMMARY.md is not written there.` });
  return rest;
}

/** All files of a folder with their bytes. @param contents returns the bytes of a remote file */
export function folderOf({ pages, files, summary }: WrittenFolder, contents: (file: RemoteFile) => Uint8Array): Folder {
  const folder = new Map(pages);
  for (const [path, file] of files) folder.set(path, contents(file));
  if (summary) folder.set(summary.path, Buffer.from(summary.text));
  return folder;
}

/** The files of the docs in a folder. */
export function filesIn({ pages, files, summary, summaryPath }: LocalFolder): Map<string, Uint8Array> {
  const present = new Map<string, Uint8Array>();
  for (const { file, text, isUnreadable } of pages)
    if (file !== null && !isUnreadable) present.set(file, Buffer.from(text ?? ''));
  for (const { path, bytes, original } of files) present.set(path, original ?? bytes);
  if (summary !== null) present.set(summaryPath, Buffer.from(summary));
  return present;
}

export const equals = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;

/** The changes that a pull makes to an existing folder. */
export function filesChanged(local: LocalFolder, folder: Folder): { write: Map<string, Uint8Array>; remove: string[] } {
  const present = filesIn(local);
  const isChanged = ([path, bytes]: [string, Uint8Array]) => {
    const own = present.get(path);
    return own === undefined || !equals(own, bytes);
  };
  return {
    write: new Map([...folder].filter(isChanged)),
    remove: [...present.keys()].filter((path) => !folder.has(path)),
  };
}

interface WriterOptions extends Naming {
  /** The pages at the last push. Links to those that were moved since are corrected. */
  former?: readonly BasePage[];
}

/** Turns remote pages into files: names them, and rewrites addresses and front matter so that they mean the same there. */
export class PageWriter {
  /** The file of each page, by ID. */
  readonly files: ReadonlyMap<string, string>;
  /** The path of each other file, by ID. */
  readonly paths: ReadonlyMap<string, string>;
  readonly #remote: Remote;
  readonly #local: LocalFolder | undefined;
  readonly #layout: Layout;
  readonly #index: LinkIndex;
  /** Former paths of files that were replaced. */
  readonly #oldPaths: ReadonlyMap<string, string>;
  readonly #moves: MovedPages | undefined;
  readonly #renames: Naming['names'];
  /** The pages at the last push, by ID. */
  readonly #former: ReadonlyMap<string, BasePage>;

  constructor(remote: Remote, layout: Layout, local?: LocalFolder, naming: WriterOptions = {}) {
    this.#remote = remote;
    this.#local = local;
    this.#layout = layout;
    const linked = remote.pages.flatMap(({ id, path }) => (path === undefined ? [] : [{ id, path }]));
    this.#index = new LinkIndex(linked, remote.files);
    this.#moves = naming.former && movedPages(naming.former, remote, this.#index);
    this.#renames = naming.former && naming.names;
    this.#former = new Map((naming.former ?? layout.base?.pages ?? []).map((entry) => [entry.id, entry]));
    const { pushedHashes = new Map<string, string>() } = naming;
    const { problems: _, ...quiet } = naming;
    // The text in a file depends on the names of other files.
    this.files = filesFor(remote, layout, local, quiet, (__, file) => pushedHashes.has(file));
    this.#oldPaths = new Map(
      remote.files.flatMap(({ id, name }): [string, string][] => {
        const path = layout.old.get(name);
        return path === undefined ? [] : [[id, path]];
      }),
    );
    const pages = new Map(remote.pages.map((page) => [page.id, page]));
    this.paths = pathsFor(remote.files, layout, new Set(this.files.values()), quiet);
    const pushed = new Set(
      [...this.files].flatMap(([id, file]) => {
        const page = pages.get(id);
        if (!page || pageFileProblem(file) === undefined) return [];
        return pushedHashes.get(file) === hashOf(this.textOf(page, file)) ? [`${id} ${file}`] : [];
      }),
    );
    this.files = filesFor(remote, layout, local, naming, ({ id }, file) => pushed.has(`${id} ${file}`));
    this.paths = pathsFor(remote.files, layout, new Set(this.files.values()), naming);
  }

  /** The text of a page, as it is written to this file. */
  textOf(page: RemotePage, file: string | null | undefined): string {
    if (file === null || file === undefined) return page.text ?? '';
    const text = this.#withLocalLinks(page, page.text ?? '', file);
    const info = readInfo(text);
    const changes: Record<string, unknown> = {};
    // Without a title in the text, the title comes from SUMMARY.md or from the file name.
    if (info.title !== undefined && info.title !== page.title) changes['title'] = page.title;
    for (const member of metaMembers) {
      if ((info[member] || undefined) !== (page[member] || undefined)) changes[member] = page[member] || undefined;
    }
    return Object.keys(changes).length > 0 ? setFrontMatter(text, changes) : text;
  }

  #withLocalLinks(page: RemotePage, text: string, file: string): string {
    const urls = [...addressesIn(text)];
    const isNew = this.#local?.pages.every((each) => each.file !== file) ?? true;
    const renamedTarget = (url: string) => (isNew ? this.#renamedTarget(url, page) : undefined);
    const targets = new Map(urls.flatMap((url) => this.#moves?.targetOf(url, page) ?? renamedTarget(url) ?? []));
    // Other relative addresses stay unchanged, because files are arranged in the same way as their pages.
    if (targets.size === 0 && !urls.some((url) => url.startsWith('/'))) return text;
    const formerPath = this.#formerPath(page);
    const links = this.#layout.links.get(formerPath ?? page.path ?? '') ?? [];
    const recorded = Map.groupBy(links.toReversed(), ([sent]) => sent);
    return rewriteLinks(text, (url, kind, _, __, tag) => {
      const target = targets.get(url);
      if (!target && !url.startsWith('/')) return url;
      const written = recorded.get(url)?.pop()?.[1];
      const leadsTo = target ?? this.#index.resolve(url, page.id);
      const deleted = leadsTo.kind === 'missing' ? this.#deletedPage(url) : undefined;
      const path = deleted?.file ?? this.#pathOf(leadsTo);
      const formerFile = leadsTo.kind === 'page' ? this.#former.get(leadsTo.page)?.file : undefined;
      const isRenamed = formerFile !== undefined && formerFile !== path;
      const isMoved = target !== undefined || formerPath !== undefined || isRenamed;
      const leads = (address: string) => path !== undefined && leadsLocally(address, file, path);
      if (written !== undefined && (!isMoved || path === undefined || leads(written))) return { raw: written };
      const isSentAtRoot = leadsTo.kind === 'file' && isFileAtRoot(url) && isLinkTo('file', kind, tag);
      if (path === undefined || (leads(url) && !isSentAtRoot)) return url;
      return relativeAddress(parentPath(file), path) + (/[?#].*$/s.exec(url)?.[0] ?? '');
    });
  }

  /** The path that a page had at the last push; undefined if it still has it. */
  #formerPath({ id, path }: RemotePage): string | undefined {
    const before = this.#former.get(id)?.path;
    return before === path ? undefined : before;
  }

  /** The page of the last push that a link by ID leads to. */
  #deletedPage(url: string): BasePage | undefined {
    return this.#former.get(pageIdIn(url.replace(/#.*$/s, '')) ?? '');
  }

  /** The page that a link of a new page leads to, if the folder has renamed its file. */
  #renamedTarget(url: string, page: RemotePage): [[string, Target]] | undefined {
    if (!this.#renames || !isRelative(url)) return undefined;
    const target = this.#index.resolve(url, page.id);
    return target.kind === 'page' && this.#renames.has(target.page) ? [[url, target]] : undefined;
  }

  #pathOf(target: Target): string | undefined {
    if (target.kind === 'page') return this.files.get(target.page);
    return target.kind === 'file' ? (this.paths.get(target.file) ?? this.#oldPaths.get(target.file)) : undefined;
  }

  /** The text of SUMMARY.md; undefined if the folders alone result in these pages in this order. */
  summaryFor(infos: ReadonlyMap<string, PageInfo>, path: string, present: string | undefined): string | undefined {
    const settings = { root: '', summary: path, readme: this.#local?.readmePath ?? 'README.md' };
    const links = new Set(this.#remote.pages.map(({ href, title }) => `${href} ${title}`));
    // Links cannot be pushed, so those that are missing in the space stay in SUMMARY.md.
    const inSpace = (pages: readonly Omit<LocalPage, 'text'>[]) =>
      pages
        .filter(({ type, href, title }) => type !== 'link' || links.has(`${href} ${title}`))
        .map((page) => ({ ...page, id: page.key }));
    const pages = this.#remote.pages
      .filter(({ type }) => type !== 'computed')
      .map((page) => ({ ...page, file: this.files.get(page.id) ?? null }));
    const expected = outlineOf(pages);
    const isRight = (summary: string | null) => outlineOf(inSpace(treeOf({ infos, summary, settings }))) === expected;
    const recorded = present ?? this.#layout.summary?.text;
    if (recorded === undefined ? isRight(null) : isRight(recorded)) return recorded;
    const entries = entriesOf(pages, parentPath(path));
    if (recorded === undefined) return writeSummary(entries);
    const before =
      present === undefined
        ? withLinks(readSummary(recorded), links)
        : this.#local && entriesOf(inSpace(this.#local.pages), parentPath(path));
    const edited = before && editSummary(recorded, before, entries);
    return edited !== undefined && isRight(edited) ? edited : writeSummary(entries);
  }
}

export type ListedPage = Pick<RemotePage, 'id' | 'parent' | 'type' | 'title' | 'href'> & Pick<LocalPage, 'file'>;

/** The depths, types, titles and files of pages, as text. */
function outlineOf(pages: readonly ListedPage[]): string {
  const depths = new Map<string | null, number>([[null, -1]]);
  return JSON.stringify(
    pages.map(({ id, parent, type, title, file }) => {
      const depth = (depths.get(parent) ?? 0) + 1;
      depths.set(id, depth);
      return [depth, type === 'link' ? 'link' : 'page', title, file];
    }),
  );
}

/** @param base the folder of SUMMARY.md */
function entriesOf(pages: readonly ListedPage[], base: string): SummaryEntry[] {
  const byParent = Map.groupBy(pages, ({ parent }) => parent);
  const below = (parent: string | null): SummaryEntry[] =>
    (byParent.get(parent) ?? []).map(({ id, type, title, href, file }): SummaryEntry => {
      const children = below(id);
      if (type === 'link') return { kind: 'link', title, target: href ?? '', children };
      if (!file) return { kind: parent === null ? 'group' : 'label', title, children };
      return { kind: 'page', title, target: targetFrom(base, file), children };
    });
  return below(null);
}

/** The target of a page in SUMMARY.md. @param base the folder of SUMMARY.md */
export const targetFrom = (base: string, file: string): string =>
  base === '' ? file : decodeAddress(relativeAddress(base, file));

/** The entries without links that are not in the space. */
function withLinks(entries: readonly SummaryEntry[], links: ReadonlySet<string>): SummaryEntry[] {
  return entries
    .filter(({ kind, target, title }) => kind !== 'link' || links.has(`${target} ${title}`))
    .map((entry) => ({ ...entry, children: withLinks(entry.children, links) }));
}

function leadsLocally(url: string, file: string, path: string): boolean {
  const target = localPath(file, url);
  if (target === undefined) return false;
  const isFolderPage = isReadme(path) && parentPath(path) === target;
  return path === target || path === `${target}.md` || isFolderPage;
}
