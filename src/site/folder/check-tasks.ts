import type { PageRule } from '../../content/blocks/page-rules.ts';
import { EventTurns } from '../../shared/event-turns.ts';
import { YoungHeap } from '../../shared/young-heap.ts';
import { FolderPages } from './folder-pages.ts';
import type { FolderProblem } from './problem.ts';
import { rootAddresses } from './root-addresses.ts';
import { SiteFolder } from './site-folder.ts';
import type { FolderPage } from './space-folder.ts';

/** A rendered page as plain data. */
export interface ReadPage {
  problems: FolderProblem[];
  anchors: ReadonlySet<string>;
  headingLinks: HeadingLink[];
  /** Links to other hosts. */
  external: string[];
}

/** A link to a heading of another page, which is known by its key. */
interface HeadingLink {
  link: string;
  key: string;
  anchor: string;
}

/** Every `of`th page of a folder, from the page with this index. */
export interface Share {
  index: number;
  of: number;
}

export interface ShareRequest extends Share {
  path: string;
  optionalRules: readonly PageRule[];
}

/** Called with each file before its text is read; may throw to stop. */
export type OnFile = (file: string) => void;

/** Reads the table of contents of a folder. The steps are files. */
export function openFolder(path: string, onFile: OnFile): SiteFolder {
  const site = new SiteFolder(path);
  site.disk.onRead = onFile;
  pagesOf(site);
  site.disk.onRead = () => {};
  return site;
}

export const keyOf = ({ file, space, key }: FolderPage): string => file ?? `${space.directory} ${key}`;

/** The pages of a folder that are files. */
export const pagesOf = (site: SiteFolder): FolderPage[] =>
  site.spaces.flatMap((space) => site.folderOf(space).pages.filter(({ file }) => file !== null));

/** Pages of which only the problems, links and anchors are needed. */
export const checkedPages = (site: SiteFolder, optionalRules: readonly PageRule[]): FolderPages =>
  new FolderPages(site, rootAddresses(site), { optionalRules, hasColors: false });

interface ReadOptions {
  optionalRules: readonly PageRule[];
  share: Share;
  onFile: OnFile;
}

/** Renders the pages of a share, and keeps none of them. @returns them by their keys */
export async function readPages(
  site: SiteFolder,
  { optionalRules, share, onFile }: ReadOptions,
): Promise<Map<string, ReadPage>> {
  const turns = new EventTurns();
  const heap = new YoungHeap();
  const pages = checkedPages(site, optionalRules);
  const read = new Map<string, ReadPage>();
  for (const [index, page] of pagesOf(site).entries()) {
    if (index % share.of !== share.index) continue;
    await turns.take();
    heap.check();
    onFile(page.file ?? '');
    read.set(keyOf(page), await readPage(pages, page));
  }
  heap.release();
  return read;
}

/** Renders one page without keeping it. */
export async function readPage(pages: FolderPages, page: FolderPage): Promise<ReadPage> {
  const { problems, anchors, headingLinks, links } = await pages.once(page);
  return {
    problems,
    anchors: new Set(anchors),
    headingLinks: headingLinks.map(({ page: target, ...link }) => ({ ...link, key: keyOf(target) })),
    external: links.filter((url) => /^https?:\/\//i.test(url)),
  };
}
