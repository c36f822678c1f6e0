import type { AnswerOf } from '../../contract/endpoint.ts';
import type { revisions } from '../../contract/revisions.ts';
import { allPages, findPage, findPath, lineage, type PageRow } from '../../store/content.ts';
import { allFiles, countFiles, findFile, type FileRow, listFiles } from '../../store/files.ts';
import { getChangeRequest } from '../../store/change-requests.ts';
import { findRevision } from '../../store/revisions.ts';
import { type Snapshot, snapshotOf } from '../../store/snapshots.ts';
import type { Row } from '../../store/tables.ts';
import { presentChangeRequests } from './change-requests/change-requests.ts';
import type { Context, Objects, Scope } from '../engine/context.ts';
import { NotFound } from '../engine/errors.ts';
import type { Handler } from '../engine/implement.ts';
import { optional } from '../organizations/orgs.ts';
import { Outline } from './pages/outline.ts';
import { type Manner, presentFile, presentOnePage, presentTree } from './pages/pages.ts';
import { paged } from '../engine/paging.ts';
import { publicationState } from '../sites/publications.ts';

type Revision = AnswerOf<typeof revisions.view>;

/** The content that a path names: that of a space, of a change request, or of an old revision. */
export interface Content extends Pick<Objects, 'org' | 'space'> {
  /** Absent for main content and for old revisions. */
  changeRequest?: Row<'change_request'>;
  at: Snapshot;
  /** Where it is in the application. */
  app: string;
  /** Where it is in the API. */
  location: string;
}

/** Where a handler is, as far as content needs to know it. */
export interface Where<O extends keyof Objects> {
  db: Context['db'];
  base: string;
  at: Pick<Objects, O>;
}

/** Finds the content that the path of an endpoint of any family names. */
export type ContentOf = (context: Where<keyof Objects> & Pick<Context, 'params'>) => Promise<Content>;

export const appOf = (base: string, space: Pick<Row<'space'>, 'organization' | 'id'>) =>
  `${base}/o/${space.organization}/s/${space.id}`;

export async function mainContent({ db, base, at: { org, space } }: Where<'org' | 'space'>): Promise<Content> {
  return {
    org,
    space,
    at: await snapshotOf(db, space.revision),
    app: appOf(base, space),
    location: `${base}/v1/spaces/${space.id}/content`,
  };
}

export async function requestContent({
  db,
  base,
  at: { org, space, changeRequest },
}: Where<'org' | 'space' | 'changeRequest'>): Promise<Content> {
  return {
    org,
    space,
    changeRequest,
    at: await snapshotOf(db, changeRequest.revision),
    app: `${appOf(base, space)}/cr/${changeRequest.number}`,
    location: `${base}/v1/spaces/${space.id}/change-requests/${changeRequest.id}/content`,
  };
}

/** @throws NotFound for a revision of another space */
export async function revisionContent({
  db,
  base,
  at: { org, space },
  params,
}: Where<'org' | 'space'> & Pick<Context, 'params'>): Promise<Content> {
  const id = (params as Record<string, string>).revisionId!;
  const revision = await findRevision(db, id);
  if (revision?.space !== space.id) throw new NotFound('revision', id);
  return {
    org,
    space,
    at: await snapshotOf(db, id),
    app: `${appOf(base, space)}/r/${id}`,
    location: `${base}/v1/spaces/${space.id}/revisions/${id}`,
  };
}

/** @throws NotFound */
export async function getPage({ db, params }: Pick<Context, 'db' | 'params'>, at: Snapshot): Promise<PageRow> {
  const id = (params as Record<string, string>).pageId!;
  const page = await findPage(db, at, id);
  if (!page) throw new NotFound('page', id);
  return page;
}

/** @throws NotFound */
export async function getFile({ db, params }: Pick<Context, 'db' | 'params'>, at: Snapshot): Promise<FileRow> {
  const id = (params as Record<string, string>).fileId!;
  const file = await findFile(db, at, id);
  if (!file) throw new NotFound('file', id);
  return file;
}

/** A revision without its pages and files: the whole of it is as large as the space. */
export async function presentBareRevision(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  { space, at, app }: Content,
  metadata: boolean,
): Promise<Revision> {
  const row = (await findRevision(db, at.revision))!;
  const from = row.merged_from === null ? undefined : await getChangeRequest(db, row.merged_from);
  return {
    object: 'revision',
    id: row.id,
    parents: JSON.parse(row.parents),
    pages: [],
    files: [],
    reusableContents: [],
    createdAt: row.created_at,
    ...(metadata && row.git !== null ? { git: JSON.parse(row.git) } : {}),
    urls: {
      app: app.includes('/r/') ? app : `${app}/r/${row.id}`,
      ...(await publicationState({ db, base }, [space.id]))(space.id).urls,
    },
    type: row.type as Revision['type'],
    ...optional('mergedFrom', from && (await presentChangeRequests({ db, base }, space, [from]))[0]),
  };
}

const mannerOf = ({ app }: Content, { metadata }: { metadata: boolean }): Manner => ({ app, metadata });

export const outlineAt = async (db: Context['db'], at: Snapshot) => new Outline(await allPages(db, at));

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
      pages: presentTree(await outlineAt(db, content.at), null, mannerOf(content, query)),
      files: (await allFiles(db, content.at)).map((row) => presentFile(base, row)),
    };
  },

  async pages(context) {
    const content = await contentOf(context);
    const outline = await outlineAt(context.db, content.at);
    return { pages: presentTree(outline, null, mannerOf(content, context.query)) };
  },

  async files(context) {
    const { db, base, page } = context;
    const { at } = await contentOf(context);
    return paged(page, {
      rows: (after, limit) => listFiles(db, at, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.name, row.file],
      count: () => countFiles(db, at),
      present: (rows) => rows.map((row) => presentFile(base, row)),
    });
  },

  async file(context) {
    const { at } = await contentOf(context);
    return presentFile(context.base, await getFile(context, at));
  },

  async page(context) {
    const { db, query, texts } = context;
    const content = await contentOf(context);
    const { at } = content;
    const line = await lineage(db, at, await getPage(context, at));
    return presentOnePage({ db, at, line, manner: mannerOf(content, query), format: query.format, texts });
  },

  async pageByPath(context) {
    const { db, query, texts } = context;
    const content = await contentOf(context);
    const { at } = content;
    const path = (context.params as Record<string, string>).pagePath!;
    const line = await findPath(
      db,
      at,
      path.split('/').filter((slug) => slug !== ''),
    );
    if (!line) throw new NotFound('page at the path', path);
    return presentOnePage({ db, at, line, manner: mannerOf(content, query), format: query.format, texts });
  },
});
