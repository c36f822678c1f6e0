import { sql } from 'kysely';
import { insertDocument, type NewDocument, type Text } from './documents.ts';
import { type FileWrite, writeFiles } from './files.ts';
import { query, queryFor } from './query.ts';
import { insertRevision, type NewRevision } from './revisions.ts';
import { indexPage, unindexPage } from './search.ts';
import {
  forever,
  isOverlaid,
  type Overlaid,
  paramsOf,
  type Snapshot,
  type SnapshotParams,
  snapshotRows,
} from './snapshots.ts';
import { jsonList } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';
import { allTogether, forEachTogether } from './together.ts';

export type PageRow = Row<'page_version'>;

/** A page without its space, its id and its revisions. */
export type PageState = Omit<PageRow, 'space' | 'line' | 'page' | 'from_seq' | 'to_seq' | 'deleted'>;

const all = queryFor<Overlaid, SnapshotParams, PageRow>(
  ({ overlaid }, _, p) => sql<PageRow>`${snapshotRows('page_version', overlaid, p)}`,
);

/** All pages, in no order. */
export const allPages = (db: Db, snapshot: Snapshot) => all(isOverlaid(snapshot)).all(db, paramsOf(snapshot));

const byParents = queryFor<Overlaid, SnapshotParams & { parents?: string }, PageRow>(({ overlaid }, db, p, has) => {
  if (!has('parents')) return sql<PageRow>`${snapshotRows('page_version', overlaid, p, sql`and v.parent is null`)}`;
  const condition = sql`and v.parent in ${jsonList(db, p.parents)}`;
  // Without the hint, SQLite reads all pages of the space.
  const index = db.dialect.indexedBy('page_version_under');
  return sql<PageRow>`${snapshotRows('page_version', overlaid, p, condition, sql`v.*`, index)}`;
});

/** The pages directly under these, in no order. */
const pagesUnder = (db: Db, snapshot: Snapshot, parents: string[]) =>
  byParents(isOverlaid(snapshot)).all(db, { ...paramsOf(snapshot), parents: JSON.stringify(parents) });

/** The pages directly under one, or on the top level, in their order. */
export async function siblingsUnder(db: Db, snapshot: Snapshot, parent: string | null): Promise<PageRow[]> {
  const rows =
    parent === null
      ? await byParents(isOverlaid(snapshot)).all(db, paramsOf(snapshot))
      : await pagesUnder(db, snapshot, [parent]);
  return rows.toSorted(compareSiblings);
}

/** Order among siblings. Two with the same position, which concurrent moves can lead to, are sorted by id. */
export function compareSiblings(a: Pick<PageRow, 'position' | 'page'>, b: Pick<PageRow, 'position' | 'page'>): number {
  return a.position < b.position || (a.position === b.position && a.page < b.page) ? -1 : 1;
}

const latestVersion = query<{ space: string; branch: string; page: string; seq: number }, PageRow>((db, p) =>
  db
    .selectFrom('page_version')
    .selectAll()
    .where('space', '=', p.space)
    .where('line', '=', p.branch)
    .where('page', '=', p.page)
    .where('from_seq', '<=', p.seq)
    .orderBy('from_seq', 'desc')
    .limit(1),
);

async function versionOn(
  db: Db,
  space: string,
  branch: string,
  page: string,
  seq: number,
): Promise<PageRow | undefined> {
  const row = await latestVersion.first(db, { space, branch, page, seq });
  return row && row.to_seq > seq ? row : undefined;
}

export async function findPage(db: Db, snapshot: Snapshot, page: string): Promise<PageRow | undefined> {
  const { space, branch, branchSeq, main } = snapshot;
  const changed = branch === '' ? undefined : await versionOn(db, space, branch, page, branchSeq);
  if (changed) return changed.deleted === 1 ? undefined : changed;
  return versionOn(db, space, '', page, main);
}

/** The page and those above it, from the top. */
export async function lineage(db: Db, snapshot: Snapshot, page: PageRow): Promise<PageRow[]> {
  const pages = [page];
  let { parent } = page;
  while (parent !== null) {
    const above = await findPage(db, snapshot, parent);
    if (!above) break;
    pages.unshift(above);
    parent = above.parent;
  }
  return pages;
}

/** All pages below one, in no order. */
export async function descendants(db: Db, snapshot: Snapshot, page: string): Promise<PageRow[]> {
  const pages: PageRow[] = [];
  let level = [page];
  while (level.length > 0) {
    const rows = await pagesUnder(db, snapshot, level);
    pages.push(...rows);
    level = rows.map((row) => row.page);
  }
  return pages;
}

type SlugParams = SnapshotParams & { parent?: string | undefined; slug: string };

const bySlug = queryFor<Overlaid, SlugParams, PageRow>(({ overlaid }, _, p, has) => {
  const parent = has('parent') ? sql`v.parent = ${p.parent}` : sql`v.parent is null`;
  return sql<PageRow>`${snapshotRows('page_version', overlaid, p, sql`and ${parent} and v.slug = ${p.slug}`)}`;
});

/** The pages along a path of slugs, from the top; undefined when one of them does not exist. */
export async function findPath(db: Db, snapshot: Snapshot, slugs: string[]): Promise<PageRow[] | undefined> {
  const pages: PageRow[] = [];
  for (const slug of slugs) {
    const parent = pages.at(-1)?.page;
    const page = await bySlug(isOverlaid(snapshot)).first(db, { ...paramsOf(snapshot), slug, parent });
    if (!page) return undefined;
    pages.push(page);
  }
  return pages.length > 0 ? pages : undefined;
}

const touched = query<{ space: string; after: number; upTo: number }, { page: string }>(
  (_, p) =>
    sql<{ page: string }>`select page from page_version
        where space = ${p.space} and line = '' and from_seq > ${p.after} and from_seq <= ${p.upTo}
      union select page from page_version
        where space = ${p.space} and line = '' and to_seq > ${p.after} and to_seq <= ${p.upTo}`,
);

/** Pages of main content that one of the revisions after a number, up to another, changed. */
export const changedPages = async (db: Db, space: string, after: number, upTo: number): Promise<string[]> =>
  (await touched.all(db, { space, after, upTo })).map((row) => row.page);

const byChangeRequest = query<{ space: string; branch: string; branchSeq: number }, PageRow>(
  (_, p) =>
    sql<PageRow>`select * from page_version where space = ${p.space} and line = ${p.branch}
      and to_seq > ${p.branchSeq} and +from_seq <= ${p.branchSeq}`,
);

/** The pages that a change request changes, and with `deleted` those that it deletes. */
export const ownPages = (db: Db, { space, branch, branchSeq }: Snapshot) =>
  byChangeRequest.all(db, { space, branch, branchSeq });

/** What a revision does to one page. */
export interface PageWrite {
  page: string;
  /** The page from now on. Absent: it is deleted, or in a change request it is again as in main content. */
  state?: PageState | undefined;
  /** In a change request: main content has the page, and the change request deletes it. */
  tombstone?: true;
}

export interface Commit extends NewRevision {
  /** New texts of the pages. */
  documents?: NewDocument[];
  pages: PageWrite[];
  files: FileWrite[];
}

const endVersion = query<
  { space: string; branch: string; page: string; seq: number },
  { title: string; document: string | null }
>((db, p) =>
  db
    .updateTable('page_version')
    .set({ to_seq: p.seq })
    .where('space', '=', p.space)
    .where('line', '=', p.branch)
    .where('page', '=', p.page)
    .where('to_seq', '=', forever)
    .returning(['title', 'document']),
);

const insertVersion = query<PageRow>((db, p) =>
  db.insertInto('page_version').values({
    space: p.space,
    line: p.line,
    page: p.page,
    from_seq: p.from_seq,
    to_seq: p.to_seq,
    deleted: p.deleted,
    parent: p.parent,
    position: p.position,
    type: p.type,
    title: p.title,
    slug: p.slug,
    emoji: p.emoji,
    icon: p.icon,
    description: p.description,
    document: p.document,
    hidden: p.hidden,
    no_index: p.no_index,
    no_robots_index: p.no_robots_index,
    extra: p.extra,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

/**
 * Adds a revision to main content or to a change request. Only pages and files that change are written.
 *
 * @returns its number
 */
export async function commit(db: Db, { id, documents = [], pages, files, ...revision }: Commit): Promise<number> {
  const { space, changeRequest, now } = revision;
  const branch = changeRequest ?? '';
  const [seq] = await allTogether([
    insertRevision(db, { ...revision, id }),
    forEachTogether(documents, (document) => insertDocument(db, document)),
  ]);
  const place = { space, branch, seq, now, texts: new Map(documents.map((document) => [document.id, document])) };
  await forEachTogether(pages, (write) => writePage(db, place, write));
  await writeFiles(db, { space, branch, seq }, files);
  return seq;
}

interface RevisionPlace {
  space: string;
  branch: string;
  seq: number;
  now: string;
  texts: Map<string, Text>;
}

async function writePage(
  db: Db,
  { space, branch, seq, now, texts }: RevisionPlace,
  { page, state, tombstone }: PageWrite,
) {
  const written = state ?? (tombstone ? emptyState(now) : undefined);
  const version = { space, line: branch, page, from_seq: seq, to_seq: forever, deleted: Number(!state) };
  const [before] = await allTogether([
    endVersion.first(db, { space, branch, page, seq }),
    written && insertVersion.run(db, { ...written, ...version }),
  ]);
  if (branch !== '') return;
  if (!state) await unindexPage(db, space, page);
  else if (!before || before.title !== state.title || before.document !== state.document) {
    const { title, document } = state;
    await indexPage(db, { space, page, title, document }, texts.get(document ?? ''));
  }
}

const emptyState = (now: string): PageState => ({
  parent: null,
  position: '',
  type: 'document',
  title: '',
  slug: '',
  emoji: null,
  icon: null,
  description: null,
  document: null,
  hidden: 0,
  no_index: 0,
  no_robots_index: 0,
  extra: null,
  created_at: now,
  updated_at: now,
});

/** The state of a row, to write it again. */
export function stateOf(row: PageRow): PageState {
  const { space: _s, line: _l, page: _p, from_seq: _f, to_seq: _t, deleted: _d, ...state } = row;
  return state;
}

const copyPages = query<{ from: string; to: string; seq: number }>(
  (_, p) =>
    sql`insert into page_version (space, line, page, from_seq, to_seq, deleted, parent, position, type, title, slug,
        emoji, icon, description, document, hidden, no_index, no_robots_index, extra, created_at, updated_at)
      select ${p.to}, '', page, ${p.seq}, ${forever}, 0, parent, position, type, title, slug, emoji, icon, description,
        document, hidden, no_index, no_robots_index, extra, created_at, updated_at
      from page_version where space = ${p.from} and line = '' and to_seq = ${forever}`,
);

const copyFiles = query<{ from: string; to: string; seq: number }>(
  (_, p) =>
    sql`insert into file_version (space, line, file, from_seq, to_seq, deleted, name, content_type, blob)
      select ${p.to}, '', file, ${p.seq}, ${forever}, 0, name, content_type, blob
      from file_version where space = ${p.from} and line = '' and to_seq = ${forever}`,
);

const latestSeq = query<{ space: string }, { seq: number }>((db, p) =>
  db
    .selectFrom('space as s')
    .innerJoin('revision as r', 'r.id', 's.revision')
    .select('r.seq')
    .where('s.id', '=', p.space),
);

/**
 * Copies main content to a new, still empty space. Pages and files keep their ids, so that links between them stay
 * valid; texts and bytes are shared.
 */
export async function duplicateContent(db: Db, from: string, to: string): Promise<void> {
  const { seq } = await latestSeq.one(db, { space: to });
  await copyPages.run(db, { from, to, seq });
  await copyFiles.run(db, { from, to, seq });
  const pages = await allPages(db, { space: to, revision: '', main: seq, branch: '', branchSeq: 0 });
  await forEachTogether(pages, ({ page, title, document }) => indexPage(db, { space: to, page, title, document }));
}
