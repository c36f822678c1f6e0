import type { DocumentPage, Page } from '../../../contract/pages.ts';
import { descendants, lineage, type PageRow } from '../../../store/content.ts';
import { markdownOf } from '../../../store/documents.ts';
import type { FileRow } from '../../../store/files.ts';
import type { Snapshot } from '../../../store/snapshots.ts';
import type { Db } from '../../../store/store.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import type { revisions } from '../../../contract/revisions.ts';
import type { Context } from '../../engine/context.ts';
import { jsonValue } from '../../engine/json-text.ts';
import { Outline } from './outline.ts';
import { extraOf } from './page-extra.ts';

type File = AnswerOf<typeof revisions.file>;

export interface PageOptions {
  /** Address of the content in the application. */
  app: string;
  /** Whether to include git metadata. */
  metadata: boolean;
}

/** The address of a page in the application. */
export const pageAddress = (app: string, path: string) => `${app}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** What a new page shows. */
export const defaultLayout: DocumentPage['layout'] = {
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
};

/** @param pages those under it, already presented */
function presentPage(row: PageRow, path: string, pages: Page[], { app, metadata }: PageOptions): Page {
  const extra = extraOf(row);
  const common = {
    id: row.page,
    title: row.title,
    emoji: row.emoji ?? undefined,
    icon: row.icon ?? undefined,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  const flags = { hidden: row.hidden === 1, noIndex: row.no_index === 1, noRobotsIndex: row.no_robots_index === 1 };
  switch (row.type) {
    case 'link':
      if (!extra.target) throw new Error(`The link page ${row.page} has no target.`);
      return { ...common, type: 'link', target: extra.target, href: extra.href, hidden: flags.hidden };
    case 'computed':
      if (!extra.computed) throw new Error(`The computed page ${row.page} has no source.`);
      return { ...common, type: 'computed', computed: extra.computed };
    case 'group':
      return { ...common, ...flags, type: 'group', slug: row.slug, path, pages };
    case 'document':
      return {
        ...common,
        type: 'document',
        urls: { app: pageAddress(app, path) },
        slug: row.slug,
        path,
        description: row.description ?? undefined,
        documentId: row.document ?? undefined,
        pages,
        layout: { ...defaultLayout, ...extra.layout },
        cover: extra.cover,
        ...flags,
        git: metadata ? extra.git : undefined,
        computed: extra.computed,
        computedSeed: extra.computedSeed,
      };
  }
}

/** The pages under one, or all, as a tree. */
export function presentTree(outline: Outline, parent: string | null, options: PageOptions): Page[] {
  return outline
    .children(parent)
    .map((row) => presentPage(row, outline.pathOf(row.page), presentTree(outline, row.page, options), options));
}

interface OnePage {
  db: Db;
  snapshot: Snapshot;
  /** The page and those above it, from the top. */
  path: PageRow[];
  options: PageOptions;
  format?: 'document' | 'markdown' | undefined;
  texts: Context['texts'];
}

const slugPathOf = (pages: PageRow[]) => pages.map((page) => page.slug).join('/');

/** One page with those under it, and with its text if a format is given. The texts of the others are not read. */
export async function presentOnePage({ db, snapshot, path, options, format, texts }: OnePage): Promise<Page> {
  const row = path.at(-1);
  if (!row) throw new Error('The path of a page has no pages.');
  const slugPath = slugPathOf(path);
  const below = row.type === 'document' || row.type === 'group' ? await descendants(db, snapshot, row.page) : [];
  // The page is the root with its whole path as slug, so that the paths of pages below are complete.
  const outline = new Outline([...below, { ...row, parent: null, slug: slugPath }]);
  const page = presentPage(row, slugPath, presentTree(outline, row.page, options), options);
  if (format === undefined || page.type !== 'document') return page;
  const markdown = await markdownOf(db, row.document);
  if (format === 'markdown') return { ...page, markdown };
  const [tree = ''] = await texts.run('toTrees', [markdown], { what: 'The text of the page', key: row.document ?? '' });
  return { ...page, document: jsonValue(tree) };
}

/** A page without those under it, as references have it. */
export async function presentBarePage(db: Db, snapshot: Snapshot, row: PageRow, options: PageOptions): Promise<Page> {
  return presentPage(row, slugPathOf(await lineage(db, snapshot, row)), [], options);
}

export const presentFile = (base: string, row: FileRow): File => ({
  id: row.file,
  name: row.name,
  contentType: row.content_type,
  downloadURL: `${base}/files/${row.file}`,
  size: row.size,
  dimensions: row.width === null || row.height === null ? undefined : { width: row.width, height: row.height },
});
