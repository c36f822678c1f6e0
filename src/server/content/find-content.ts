import { allPages, findPage, type PageRow } from '../../store/content.ts';
import { findFile, type FileRow } from '../../store/files.ts';
import { findRevision } from '../../store/revisions.ts';
import { type Snapshot, snapshotOf } from '../../store/snapshots.ts';
import type { Row } from '../../store/tables.ts';
import type { Context, Objects } from '../engine/context.ts';
import { NotFound } from '../engine/errors.ts';
import { Outline } from './pages/outline.ts';

/** The content that a path names: that of a space, of a change request, or of an old revision. */
export interface Content extends Pick<Objects, 'org' | 'space'> {
  /** Absent for main content and for old revisions. */
  changeRequest?: Row<'change_request'>;
  snapshot: Snapshot;
  /** Its address in the application. */
  app: string;
  /** Its address in the API. */
  location: string;
}

/** The part of a context that finding content needs. */
export interface Where<O extends keyof Objects> {
  db: Context['db'];
  base: string;
  objects: Pick<Objects, O>;
}

/** Path parameters below the content. An endpoint has some of them. */
export interface ContentParams {
  revisionId?: string;
  pageId?: string;
  pagePath?: string;
  fileId?: string;
}

/** Finds the content that the path of an endpoint of any family names. */
export type ContentOf = (context: Where<keyof Objects> & { params: ContentParams }) => Promise<Content>;

export const appAddress = (base: string, space: Pick<Row<'space'>, 'organization' | 'id'>) =>
  `${base}/o/${space.organization}/s/${space.id}`;

export async function mainContent({ db, base, objects: { org, space } }: Where<'org' | 'space'>): Promise<Content> {
  return {
    org,
    space,
    snapshot: await snapshotOf(db, space.revision),
    app: appAddress(base, space),
    location: `${base}/v1/spaces/${space.id}/content`,
  };
}

type RequestContent = Content & { changeRequest: Row<'change_request'> };

export async function requestContent({
  db,
  base,
  objects: { org, space, changeRequest },
}: Where<'org' | 'space' | 'changeRequest'>): Promise<RequestContent> {
  return {
    org,
    space,
    changeRequest,
    snapshot: await snapshotOf(db, changeRequest.revision),
    app: `${appAddress(base, space)}/cr/${changeRequest.number}`,
    location: `${base}/v1/spaces/${space.id}/change-requests/${changeRequest.id}/content`,
  };
}

/** @throws NotFound for a revision of another space */
export async function revisionContent({
  db,
  base,
  objects: { org, space },
  params: { revisionId = '' },
}: Where<'org' | 'space'> & { params: ContentParams }): Promise<Content> {
  const revision = await findRevision(db, revisionId);
  if (revision?.space !== space.id) throw new NotFound('revision', revisionId);
  return {
    org,
    space,
    snapshot: await snapshotOf(db, revisionId),
    app: `${appAddress(base, space)}/r/${revisionId}`,
    location: `${base}/v1/spaces/${space.id}/revisions/${revisionId}`,
  };
}

/** The main content that a change request is based on. */
export const baseOf = (snapshot: Snapshot): Snapshot => ({ ...snapshot, branch: '', branchSeq: 0 });

type Reading = Pick<Context, 'db'> & { params: ContentParams };

/** @throws NotFound */
export async function getPage({ db, params: { pageId = '' } }: Reading, snapshot: Snapshot): Promise<PageRow> {
  const page = await findPage(db, snapshot, pageId);
  if (!page) throw new NotFound('page', pageId);
  return page;
}

/** @throws NotFound */
export async function getFile({ db, params: { fileId = '' } }: Reading, snapshot: Snapshot): Promise<FileRow> {
  const file = await findFile(db, snapshot, fileId);
  if (!file) throw new NotFound('file', fileId);
  return file;
}

export const outlineAt = async (db: Context['db'], snapshot: Snapshot) => new Outline(await allPages(db, snapshot));
