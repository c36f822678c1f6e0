import { type RawBuilder, sql } from 'kysely';
import { type Marked, query } from './query.ts';
import type { Db } from './store.ts';

/** What content is read from: main content at one of its revisions, overlaid with the rows of a change request. */
export interface Snapshot {
  space: string;
  revision: string;
  /** Number of the main revision. */
  main: number;
  /** The change request; empty for main content. */
  branch: string;
  /** Number of the revision of the change request; 0 for main content. */
  branchSeq: number;
}

interface SnapshotRow {
  space: string;
  change_request: string | null;
  seq: number;
  base_seq: number | null;
}

const byRevision = query<{ id: string }, SnapshotRow>((db, p) =>
  db
    .selectFrom('revision as r')
    .leftJoin('revision as b', 'b.id', 'r.base')
    .select(['r.space', 'r.change_request', 'r.seq', 'b.seq as base_seq'])
    .where('r.id', '=', p.id),
);

/** The content of a revision. */
export async function snapshotOf(db: Db, revision: string): Promise<Snapshot> {
  const { space, change_request, seq, base_seq } = await byRevision.one(db, { id: revision });
  if (change_request === null) return { space, revision, main: seq, branch: '', branchSeq: 0 };
  if (base_seq === null) throw new Error(`Revision ${revision} of a change request has no main revision.`);
  return { space, revision, main: base_seq, branch: change_request, branchSeq: seq };
}

/** `to_seq` of the rows that are part of the newest revision. */
export const forever = Number.MAX_SAFE_INTEGER;

export type SnapshotParams = Pick<Snapshot, 'space' | 'main' | 'branch' | 'branchSeq'>;

/**
 * The rows of `table` that are part of a snapshot, as SQL. `+from_seq` keeps SQLite from searching by it: for the newest
 * revision the other bound is by far the narrower one.
 */
export function snapshotRows(
  table: 'page_version' | 'file_version',
  overlaid: boolean,
  p: Marked<SnapshotParams>,
  condition: RawBuilder<unknown> = sql``,
  columns: RawBuilder<unknown> = sql`v.*`,
  join: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  const key = sql.raw(table === 'page_version' ? 'page' : 'file');
  const from = sql`${sql.table(table)} v ${join}`;
  const main = sql`select ${columns} from ${from} where v.space = ${p.space} and v.line = ''
    and v.to_seq > ${p.main} and +v.from_seq <= ${p.main} ${condition}`;
  if (!overlaid) return main;
  return sql`${main} and not exists (select 1 from ${sql.table(table)} o where o.space = ${p.space}
      and o.line = ${p.branch} and o.${key} = v.${key} and o.from_seq <= ${p.branchSeq} and o.to_seq > ${p.branchSeq})
    union all select ${columns} from ${from} where v.space = ${p.space} and v.line = ${p.branch}
      and v.to_seq > ${p.branchSeq} and +v.from_seq <= ${p.branchSeq} and v.deleted = 0 ${condition}`;
}

export interface Overlaid {
  overlaid: boolean;
}

/** Which of the two forms of a query a snapshot needs. */
export const isOverlaid = ({ branch }: SnapshotParams): Overlaid => ({ overlaid: branch !== '' });
export const paramsOf = ({ space, main, branch, branchSeq }: SnapshotParams): SnapshotParams => ({
  space,
  main,
  branch,
  branchSeq,
});
