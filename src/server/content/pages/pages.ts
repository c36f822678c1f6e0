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
import { optional } from '../../organizations/orgs.ts';
import { Outline } from './outline.ts';

type File = AnswerOf<typeof revisions.file>;

/** How pages are told: where they are in the application, and whether git metadata is. */
export interface Manner {
  /** Address of the content in the application. */
  app: string;
  metadata: boolean;
}

/** Where a page is in the application. */
export const pageAddress = (app: string, path: string) => `${app}/${path.split('/').map(encodeURIComponent).join('/')}`;

/** What only some pages have, kept as JSON. */
type Extra = Partial<
  Pick<DocumentPage, 'layout' | 'cover' | 'git' | 'computed' | 'computedSeed'> & { target: unknown; href: string }
>;

export const extraOf = (row: Pick<PageRow, 'extra'>): Extra => (row.extra === null ? {} : JSON.parse(row.extra));

/** What a new page shows of itself (open parts, 1.4). */
const layout: DocumentPage['layout'] = {
  cover: true,
  coverSize: 'hero',
  title: true,
  description: true,
  tableOfContents: true,
  outline: true,
  pagination: true,
};

/** @param pages those under it, told already */
function presentPage(row: PageRow, path: string, pages: Page[], { app, metadata }: Manner): Page {
  const extra = extraOf(row);
  const any = {
    id: row.page,
    title: row.title,
    ...optional('emoji', row.emoji),
    ...optional('icon', row.icon),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  const flags = { hidden: row.hidden === 1, noIndex: row.no_index === 1, noRobotsIndex: row.no_robots_index === 1 };
  switch (row.type as Page['type']) {
    case 'link':
      return {
        ...any,
        type: 'link',
        target: extra.target as Extract<Page, { type: 'link' }>['target'],
        ...optional('href', extra.href),
        hidden: flags.hidden,
      };
    case 'computed':
      return { ...any, type: 'computed', computed: extra.computed! };
    case 'group':
      return { ...any, ...flags, type: 'group', slug: row.slug, path, pages };
    case 'document':
      return {
        ...any,
        type: 'document',
        urls: { app: pageAddress(app, path) },
        slug: row.slug,
        path,
        ...optional('description', row.description),
        ...optional('documentId', row.document),
        pages,
        layout: { ...layout, ...extra.layout },
        ...optional('cover', extra.cover),
        ...flags,
        ...(metadata ? optional('git', extra.git) : {}),
        ...optional('computed', extra.computed),
        ...optional('computedSeed', extra.computedSeed),
      };
  }
}

/** The pages under one, or all, as a tree. */
export function presentTree(outline: Outline, parent: string | null, manner: Manner): Page[] {
  return outline
    .children(parent)
    .map((row) => presentPage(row, outline.pathOf(row.page), presentTree(outline, row.page, manner), manner));
}

interface OnePage {
  db: Db;
  at: Snapshot;
  /** The page and those above it. */
  line: PageRow[];
  manner: Manner;
  format?: 'document' | 'markdown' | undefined;
  texts: Context['texts'];
}

/** One page with those under it, and with its text where a format is asked; the others are not read. */
export async function presentOnePage({ db, at, line, manner, format, texts }: OnePage): Promise<Page> {
  const row = line.at(-1)!;
  const path = line.map((each) => each.slug).join('/');
  const below = row.type === 'document' || row.type === 'group' ? await descendants(db, at, row.page) : [];
  // The page stands for the top, so that paths below it come out whole.
  const outline = new Outline([...below, { ...row, parent: null, slug: path }]);
  const page = presentPage(row, path, presentTree(outline, row.page, manner), manner);
  if (format === undefined || page.type !== 'document') return page;
  const markdown = await markdownOf(db, row.document);
  if (format === 'markdown') return { ...page, markdown };
  const [tree] = await texts.run('toTrees', [markdown], { what: 'The text of the page', key: row.document ?? '' });
  return { ...page, document: jsonValue(tree!) };
}

/** A page by itself, as references have it. */
export async function presentBarePage(db: Db, at: Snapshot, row: PageRow, manner: Manner): Promise<Page> {
  const line = await lineage(db, at, row);
  return presentPage(row, line.map((each) => each.slug).join('/'), [], manner);
}

export const presentFile = (base: string, row: FileRow): File => ({
  id: row.file,
  name: row.name,
  contentType: row.content_type,
  downloadURL: `${base}/files/${row.file}`,
  size: row.size,
  ...(row.width === null || row.height === null ? {} : { dimensions: { width: row.width, height: row.height } }),
});
