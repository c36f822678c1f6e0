import { decodeAddress } from '../shared/decode.ts';
import { setFrontMatter } from '../content/markdown/front-matter.ts';
import { LinkIndex, parentPath, relativeAddress, type Target } from '../content/markdown/links.ts';
import { rewriteLinks } from '../content/markdown/markdown.ts';
import { editSummary } from '../content/folder/edit-summary.ts';
import { isReadme } from '../content/folder/file-names.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import type { Layout } from '../content/folder/layout.ts';
import { addressesIn, localPath } from '../content/folder/local-links.ts';
import { filesFor, type Naming, pathsFor } from './page-files.ts';
import { metaMembers, type PageInfo, readInfo } from '../content/folder/page-info.ts';
import { treeOf } from '../content/folder/page-tree.ts';
import type { Remote, RemotePage } from './remote.ts';
import { readSummary, type SummaryEntry, writeSummary } from '../content/folder/summary.ts';

/**
 * Writes remote pages as files: with a name for each, and with addresses and front matter that have the same meaning
 * there.
 */
export class PageWriter {
  readonly #remote: Remote;
  readonly #local: LocalFolder | undefined;
  readonly #layout: Layout;
  readonly #index: LinkIndex;
  readonly #files: Map<string, string>;
  readonly #paths: Map<string, string>;
  /** Of files that another one has replaced. */
  readonly #oldPaths: ReadonlyMap<string, string>;
  readonly #readme: string;

  constructor(remote: Remote, layout: Layout, local?: LocalFolder, naming: Naming = {}) {
    this.#remote = remote;
    this.#local = local;
    this.#layout = layout;
    this.#readme = local?.readmePath ?? 'README.md';
    const linked = remote.pages.flatMap(({ id, path }) => (path === undefined ? [] : [{ id, path }]));
    this.#index = new LinkIndex(linked, remote.files);
    this.#files = filesFor(remote, layout, local, naming);
    this.#oldPaths = new Map(
      remote.files.flatMap(({ id, name }): [string, string][] => {
        const path = layout.old.get(name);
        return path === undefined ? [] : [[id, path]];
      }),
    );
    this.#paths = pathsFor(remote.files, layout, new Set(this.#files.values()), naming);
  }

  fileOf(id: string): string | undefined {
    return this.#files.get(id);
  }

  pathOfFile(id: string): string | undefined {
    return this.#paths.get(id);
  }

  /** The text of a page as the text of this file. */
  textOf(page: RemotePage, file: string | null | undefined): string {
    if (file === null || file === undefined) return page.text ?? '';
    const text = this.#withLocalLinks(page, page.text ?? '', file);
    const info = readInfo(text);
    const changes: Record<string, unknown> = {};
    // A title that is not in the text comes from SUMMARY.md or from the file's name.
    if (info.title !== undefined && info.title !== page.title) changes['title'] = page.title;
    for (const member of metaMembers) {
      if ((info[member] || undefined) !== (page[member] || undefined)) changes[member] = page[member] || undefined;
    }
    return Object.keys(changes).length > 0 ? setFrontMatter(text, changes) : text;
  }

  #withLocalLinks(page: RemotePage, text: string, file: string): string {
    // Relative addresses stay unchanged: files have the same places relative to each other as their pages.
    if (![...addressesIn(text)].some((url) => url.startsWith('/'))) return text;
    const recorded = Map.groupBy((this.#layout.links.get(page.path ?? '') ?? []).toReversed(), ([sent]) => sent);
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
    return target.kind === 'file' ? (this.#paths.get(target.file) ?? this.#oldPaths.get(target.file)) : undefined;
  }

  /** The text of SUMMARY.md; undefined where the folders alone give these pages in this order. */
  summaryFor(infos: ReadonlyMap<string, PageInfo>, path: string, present: string | undefined): string | undefined {
    const settings = { root: '', summary: path, readme: this.#readme };
    const expected = this.#outline();
    const links = new Set(this.#remote.pages.map(({ href, title }) => `${href} ${title}`));
    const isRight = (summary: string | null) => {
      // A link cannot be pushed: it stays in SUMMARY.md although the space does not have it.
      const pages = treeOf({ infos, summary, settings }).filter(
        ({ type, href, title }) => type !== 'link' || links.has(`${href} ${title}`),
      );
      const depths = depthsOf(pages.map(({ key, parent }) => ({ id: key, parent })));
      return (
        JSON.stringify(
          pages.map(({ key, type, title, file }) => [depths.get(key), type === 'link' ? 'link' : 'page', title, file]),
        ) === expected
      );
    };
    const recorded = present ?? this.#layout.summary?.text;
    if (recorded !== undefined && isRight(recorded)) return recorded;
    if (recorded === undefined && isRight(null)) return undefined;
    const entries = this.#entries(parentPath(path));
    const before = this.#listed(present, links, path);
    const edited = before && recorded !== undefined ? editSummary(recorded, before, entries) : undefined;
    return edited !== undefined && isRight(edited) ? edited : writeSummary(entries);
  }

  /** The entries that the present SUMMARY.md has, or the one of the last push. */
  #listed(present: string | undefined, links: ReadonlySet<string>, path: string): SummaryEntry[] | undefined {
    const { summary } = this.#layout;
    if (present === undefined) return summary && withLinks(readSummary(summary.text), links);
    if (!this.#local) return undefined;
    const pages = this.#local.pages.filter(({ type, href, title }) => type !== 'link' || links.has(`${href} ${title}`));
    return entriesOf(
      pages.map((page) => ({ ...page, id: page.key })),
      parentPath(path),
    );
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

  #entries(base: string): SummaryEntry[] {
    const pages = this.#remote.pages.filter(({ type }) => type !== 'computed');
    return entriesOf(
      pages.map((page) => ({ ...page, file: this.#files.get(page.id) })),
      base,
    );
  }
}

interface ListedPage extends Pick<RemotePage, 'id' | 'parent' | 'type' | 'title' | 'href'> {
  file: string | null | undefined;
}

/** @param base the folder of SUMMARY.md */
function entriesOf(pages: readonly ListedPage[], base: string): SummaryEntry[] {
  const byParent = Map.groupBy(pages, ({ parent }) => parent);
  const below = (parent: string | null): SummaryEntry[] =>
    (byParent.get(parent) ?? []).map(({ id, type, title, href, file }): SummaryEntry => {
      const children = below(id);
      if (type === 'link') return { kind: 'link', title, target: href ?? '', children };
      if (file) return { kind: 'page', title, target: relativePath(base, file), children };
      return { kind: parent === null ? 'group' : 'label', title, children };
    });
  return below(null);
}

/** The entries without links that are not among these. */
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

function relativePath(base: string, file: string): string {
  return base === '' ? file : decodeAddress(relativeAddress(base, file));
}

function depthsOf(pages: readonly { id: string; parent: string | null }[]): Map<string, number> {
  const depths = new Map<string, number>();
  for (const { id, parent } of pages) depths.set(id, parent === null ? 0 : (depths.get(parent) ?? 0) + 1);
  return depths;
}
