import type { AnswerOf } from '../../contract/endpoint.ts';
import type { revisions } from '../../contract/revisions.ts';
import { getChangeRequest } from '../../store/change-requests.ts';
import { findPath, lineage } from '../../store/content.ts';
import { allFiles, countFiles, listFiles } from '../../store/files.ts';
import { parseJson } from '../../store/json.ts';
import { findRevision } from '../../store/revisions.ts';
import type { Scope } from '../engine/context.ts';
import { NotFound } from '../engine/errors.ts';
import type { Handler } from '../engine/implement.ts';
import { paged } from '../engine/paging.ts';
import { publicationState } from '../sites/publications.ts';
import { presentChangeRequest } from './change-requests/present-change-requests.ts';
import { type Content, type ContentOf, type ContentParams, getFile, getPage, outlineAt } from './find-content.ts';
import { type PageOptions, presentFile, presentOnePage, presentTree } from './pages/pages.ts';

type Revision = AnswerOf<typeof revisions.view>;

/** A revision without its pages and files: with them it is as large as the space. */
export async function presentBareRevision(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  { space, snapshot, app }: Content,
  metadata: boolean,
): Promise<Revision> {
  const row = await findRevision(db, snapshot.revision);
  if (!row) throw new NotFound('revision', snapshot.revision);
  const mergedFrom = row.merged_from === null ? undefined : await getChangeRequest(db, row.merged_from);
  return {
    object: 'revision',
    id: row.id,
    parents: parseJson(row.parents),
    pages: [],
    files: [],
    reusableContents: [],
    createdAt: row.created_at,
    git: metadata && row.git !== null ? parseJson(row.git) : undefined,
    urls: {
      app: app.includes('/r/') ? app : `${app}/r/${row.id}`,
      ...(await publicationState({ db, base }, [space.id]))(space.id).urls,
    },
    type: row.type,
    mergedFrom: mergedFrom && (await presentChangeRequest({ db, base }, space, mergedFrom)),
  };
}

const optionsOf = ({ app }: Content, { metadata }: { metadata: boolean }): PageOptions => ({ app, metadata });

interface Reads {
  view: Handler<typeof revisions.view>;
  pages: Handler<typeof revisions.pages>;
  files: Handler<typeof revisions.files>;
  file: Handler<typeof revisions.file>;
  page: Handler<typeof revisions.page>;
  pageByPath: Handler<typeof revisions.pageByPath>;
}

/** Handlers of the reads that every content has. */
export const reads = (contentOf: ContentOf): Reads => ({
  async view(context) {
    const { db, base, query } = context;
    const content = await contentOf(context);
    return {
      ...(await presentBareRevision({ db, base }, content, query.metadata)),
      pages: presentTree(await outlineAt(db, content.snapshot), null, optionsOf(content, query)),
      files: (await allFiles(db, content.snapshot)).map((row) => presentFile(base, row)),
    };
  },

  async pages(context) {
    const content = await contentOf(context);
    const outline = await outlineAt(context.db, content.snapshot);
    return { pages: presentTree(outline, null, optionsOf(content, context.query)) };
  },

  async files(context) {
    const { db, base, page } = context;
    const { snapshot } = await contentOf(context);
    return paged(page, {
      rows: (after, limit) => listFiles(db, snapshot, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.name, row.file],
      count: () => countFiles(db, snapshot),
      present: (rows) => rows.map((row) => presentFile(base, row)),
    });
  },

  async file(context) {
    const { snapshot } = await contentOf(context);
    return presentFile(context.base, await getFile(context, snapshot));
  },

  async page(context) {
    const { db, query, texts } = context;
    const content = await contentOf(context);
    const { snapshot } = content;
    const path = await lineage(db, snapshot, await getPage(context, snapshot));
    return presentOnePage({ db, snapshot, path, options: optionsOf(content, query), format: query.format, texts });
  },

  async pageByPath(context) {
    const { db, query, texts } = context;
    const { pagePath = '' }: ContentParams = context.params;
    const content = await contentOf(context);
    const { snapshot } = content;
    const slugs = pagePath.split('/').filter((slug) => slug !== '');
    const path = await findPath(db, snapshot, slugs);
    if (!path) throw new NotFound('page at the path', pagePath);
    return presentOnePage({ db, snapshot, path, options: optionsOf(content, query), format: query.format, texts });
  },
});
