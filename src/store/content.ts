import { sql } from 'kysely';
import { type FileWrite, writeFiles } from './files.ts';
import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import { insertRevision, type NewRevision } from './revisions.ts';
import { indexPage, unindexPage } from './search.ts';
import { type At, forever, isOverlaid, type Overlaid, params, shownAt, type Snapshot } from './snapshots.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type PageRow = Row<'page_version'>;

/** What a page is, apart from where and since when. */
export type PageState = Omit<PageRow, 'space' | 'line' | 'page' | 'from_seq' | 'to_seq' | 'deleted'>;

const every = queryFor<Overlaid, At, PageRow>(({ overlaid }, db, p) => ({
  compile: () => sql<PageRow>`${shownAt<At>('page_version', overlaid, p)}`.compile(db),
}));

/** All pages, in no order. */
export const allPages = (db: Db, at: Snapshot) => every(isOverlaid(at)).all(db, params(at));

const under = queryFor<Overlaid, At & { parents: string }, PageRow>(({ overlaid }, db, p) => ({
  compile: () =>
    // Left to choose, SQLite goes through all pages of the space.
    sql<PageRow>`${shownAt<At>(
      'page_version',
      overlaid,
      p,
      sql`and v.parent in (select value from json_each(${p.parents}))`,
      sql`v.*`,
      sql`indexed by page_version_under`,
    )}`.compile(db),
}));

const onTop = queryFor<Overlaid, At, PageRow>(({ overlaid }, db, p) => ({
  compile: () => sql<PageRow>`${shownAt<At>('page_version', overlaid, p, sql`and v.parent is null`)}`.compile(db),
}));

/** The pages directly under these, in no order. */
const pagesUnder = (db: Db, at: Snapshot, parents: string[]) =>
  under(isOverlaid(at)).all(db, { ...params(at), parents: JSON.stringify(parents) });

/** The pages directly under one, or on the top level, in their order. */
export async function siblingsUnder(db: Db, at: Snapshot, parent: string | null): Promise<PageRow[]> {
  const rows = parent === null ? await onTop(isOverlaid(at)).all(db, params(at)) : await pagesUnder(db, at, [parent]);
  return rows.toSorted(compareSiblings);
}

/** Order among siblings: two that were put in the same place by different hands stand by their ids. */
export function compareSiblings(a: Pick<PageRow, 'position' | 'page'>, b: Pick<PageRow, 'position' | 'page'>): number {
  return a.position < b.position || (a.position === b.position && a.page < b.page) ? -1 : 1;
}

const version = query<{ space: string; line: string; page: string; seq: number }, PageRow>((db, p) =>
  db
    .selectFrom('page_version')
    .selectAll()
    .where('space', '=', p.space)
    .where('line', '=', p.line)
    .where('page', '=', p.page)
    .where('from_seq', '<=', p.seq)
    .orderBy('from_seq', 'desc')
    .limit(1),
);

async function versionOn(db: Db, space: string, line: string, page: string, seq: number): Promise<PageRow | undefined> {
  const row = await version.first(db, { space, line, page, seq });
  return row && row.to_seq > seq ? row : undefined;
}

export async function findPage(db: Db, at: Snapshot, page: string): Promise<PageRow | undefined> {
  const own = at.line === '' ? undefined : await versionOn(db, at.space, at.line, page, at.own);
  if (own) return own.deleted === 1 ? undefined : own;
  return versionOn(db, at.space, '', page, at.main);
}

/** The page and those above it, from the top. */
export async function lineage(db: Db, at: Snapshot, page: PageRow): Promise<PageRow[]> {
  const line = [page];
  for (let parent = page.parent; parent !== null;) {
    const above = await findPage(db, at, parent);
    if (!above) break;
    line.unshift(above);
    parent = above.parent;
  }
  return line;
}

/** All pages below one, in no order. */
export async function descendants(db: Db, at: Snapshot, page: string): Promise<PageRow[]> {
  const found: PageRow[] = [];
  for (let level = [page]; level.length > 0;) {
    const rows = await pagesUnder(db, at, level);
    found.push(...rows);
    level = rows.map((row) => row.page);
  }
  return found;
}

const bySlug = queryFor<Overlaid & { top: boolean }, At & { parent?: string; slug: string }, PageRow>(
  ({ overlaid, top }, db, p) => ({
    compile: () =>
      sql<PageRow>`${shownAt<At>(
        'page_version',
        overlaid,
        p,
        top ? sql`and v.parent is null and v.slug = ${p.slug}` : sql`and v.parent = ${p.parent} and v.slug = ${p.slug}`,
      )}`.compile(db),
  }),
);

/** The pages along a path of slugs, from the top; undefined when one is not there. */
export async function findPath(db: Db, at: Snapshot, slugs: string[]): Promise<PageRow[] | undefined> {
  const line: PageRow[] = [];
  for (const slug of slugs) {
    const parent = line.at(-1)?.page;
    const found = await bySlug({ ...isOverlaid(at), top: parent === undefined }).first(db, {
      ...params(at),
      slug,
      ...(parent === undefined ? {} : { parent }),
    });
    if (!found) return undefined;
    line.push(found);
  }
  return line.length > 0 ? line : undefined;
}

const changed = query<{ space: string; after: number; upTo: number }, { page: string }>((db, p) => ({
  compile: () =>
    sql<{ page: string }>`select page from page_version
        where space = ${p.space} and line = '' and from_seq > ${p.after} and from_seq <= ${p.upTo}
      union select page from page_version
        where space = ${p.space} and line = '' and to_seq > ${p.after} and to_seq <= ${p.upTo}`.compile(db),
}));

/** Pages of main content that one of the revisions after a number, up to another, touched. */
export const changedPages = async (db: Db, space: string, after: number, upTo: number): Promise<string[]> =>
  (await changed.all(db, { space, after, upTo })).map((row) => row.page);

const own = query<{ space: string; line: string; own: number }, PageRow>((db, p) => ({
  compile: () =>
    sql<PageRow>`select * from page_version where space = ${p.space} and line = ${p.line}
      and to_seq > ${p.own} and +from_seq <= ${p.own}`.compile(db),
}));

/** A request's own rows: what it changes, and with `deleted` what it takes away. */
export const ownPages = (db: Db, at: Snapshot) => own.all(db, { space: at.space, line: at.line, own: at.own });

/** What a revision does to one page of its line. */
export interface PageWrite {
  page: string;
  /** What it is from now on. Absent: it is there no more, or on a request's line, it is again as in main content. */
  state?: PageState | undefined;
  /** On a request's line: main content has it, and the request takes it away. */
  takenAway?: true;
}

export interface Commit extends Omit<NewRevision, 'id'> {
  pages: PageWrite[];
  files: FileWrite[];
}

const close = query<
  { space: string; line: string; page: string; seq: number },
  { title: string; document: string | null }
>((db, p) =>
  db
    .updateTable('page_version')
    .set({ to_seq: p.seq as never })
    .where('space', '=', p.space)
    .where('line', '=', p.line)
    .where('page', '=', p.page)
    .where('to_seq', '=', forever)
    .returning(['title', 'document']),
);

const open = query<PageRow>((db, p) =>
  db.insertInto('page_version').values({
    space: p.space,
    line: p.line,
    page: p.page,
    from_seq: p.from_seq,
    to_seq: p.to_seq,
    deleted: p.deleted,
    parent: p.parent as never,
    position: p.position,
    type: p.type,
    title: p.title,
    slug: p.slug,
    emoji: p.emoji as never,
    icon: p.icon as never,
    description: p.description as never,
    document: p.document as never,
    hidden: p.hidden,
    no_index: p.no_index,
    no_robots_index: p.no_robots_index,
    extra: p.extra as never,
    created_at: p.created_at,
    updated_at: p.updated_at,
  }),
);

/**
 * Adds one revision to a line. What is written is what changes, nothing for the pages and files that stay.
 *
 * @returns the revision's id
 */
export async function commit(db: Db, { pages, files, ...revision }: Commit): Promise<string> {
  const id = newId();
  const { space, changeRequest, now } = revision;
  const line = changeRequest ?? '';
  const seq = await insertRevision(db, { ...revision, id });
  for (const write of pages) await writePage(db, { space, line, seq, now }, write);
  await writeFiles(db, { space, line, seq }, files);
  return id;
}

interface Place {
  space: string;
  line: string;
  seq: number;
  now: string;
}

async function writePage(db: Db, { space, line, seq, now }: Place, { page, state, takenAway }: PageWrite) {
  const [before] = await close.all(db, { space, line, page, seq });
  const shown = state ?? (takenAway ? blank(now) : undefined);
  if (shown) {
    await open.run(db, { ...shown, space, line, page, from_seq: seq, to_seq: forever, deleted: Number(!state) });
  }
  if (line !== '') return;
  if (!state) await unindexPage(db, space, page);
  else if (!before || before.title !== state.title || before.document !== state.document) {
    await indexPage(db, { space, page, title: state.title, document: state.document });
  }
}

const blank = (now: string): PageState => ({
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

/** The state of a row, for writing it again. */
export function stateOf(row: PageRow): PageState {
  const { space: _s, line: _l, page: _p, from_seq: _f, to_seq: _t, deleted: _d, ...state } = row;
  return state;
}

const copyPages = query<{ from: string; to: string; seq: number }>((db, p) => ({
  compile: () =>
    sql`insert into page_version (space, line, page, from_seq, to_seq, deleted, parent, position, type, title, slug,
        emoji, icon, description, document, hidden, no_index, no_robots_index, extra, created_at, updated_at)
      select ${p.to}, '', page, ${p.seq}, ${forever}, 0, parent, position, type, title, slug, emoji, icon, description,
        document, hidden, no_index, no_robots_index, extra, created_at, updated_at
      from page_version where space = ${p.from} and line = '' and to_seq = ${forever}`.compile(db),
}));

const copyFiles = query<{ from: string; to: string; seq: number }>((db, p) => ({
  compile: () =>
    sql`insert into file_version (space, line, file, from_seq, to_seq, deleted, name, content_type, blob)
      select ${p.to}, '', file, ${p.seq}, ${forever}, 0, name, content_type, blob
      from file_version where space = ${p.from} and line = '' and to_seq = ${forever}`.compile(db),
}));

const newestSeq = query<{ space: string }, { seq: number }>((db, p) =>
  db
    .selectFrom('space as s')
    .innerJoin('revision as r', 'r.id', 's.revision')
    .select('r.seq')
    .where('s.id', '=', p.space),
);

/**
 * Gives a new, still empty space the main content of another. Pages and files keep their ids, so that links between
 * them hold; texts and bytes are shared.
 */
export async function duplicateContent(db: Db, from: string, to: string): Promise<void> {
  const { seq } = (await newestSeq.first(db, { space: to }))!;
  await copyPages.run(db, { from, to, seq });
  await copyFiles.run(db, { from, to, seq });
  const copied = await allPages(db, { space: to, revision: '', main: seq, line: '', own: 0 });
  for (const row of copied) {
    await indexPage(db, { space: to, page: row.page, title: row.title, document: row.document });
  }
}
