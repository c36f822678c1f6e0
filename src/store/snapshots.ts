import { type Expression, type RawBuilder, sql } from 'kysely';
import { query } from './query.ts';
import type { Db } from './store.ts';

/** Where content is read: main content at one of its revisions, with a request's own rows over it. */
export interface Snapshot {
  space: string;
  revision: string;
  /** Number of the main revision. */
  main: number;
  /** The change request; empty for main content. */
  line: string;
  /** Number on the request's line; 0 for main content. */
  own: number;
}

interface SnapshotRow {
  space: string;
  change_request: string | null;
  seq: number;
  base_seq: number | null;
}

const placed = query<{ id: string }, SnapshotRow>((db, p) =>
  db
    .selectFrom('revision as r')
    .leftJoin('revision as b', 'b.id', 'r.base')
    .select(['r.space', 'r.change_request', 'r.seq', 'b.seq as base_seq'])
    .where('r.id', '=', p.id),
);

/** The content of a revision. */
export async function snapshotOf(db: Db, revision: string): Promise<Snapshot> {
  const row = (await placed.first(db, { id: revision }))!;
  return row.change_request === null
    ? { space: row.space, revision, main: row.seq, line: '', own: 0 }
    : { space: row.space, revision, main: row.base_seq!, line: row.change_request, own: row.seq };
}

/** `to_seq` of what the newest revision of its line still shows. */
export const forever = Number.MAX_SAFE_INTEGER;

export type At = Pick<Snapshot, 'space' | 'main' | 'line' | 'own'>;
type Marks<P> = { [K in keyof P]-?: Expression<any> };

/**
 * The rows of `table` that a snapshot shows, as SQL. `+from_seq` keeps SQLite from searching by it: for the newest
 * revision the other bound is by far the narrower one.
 */
export function shownAt<P extends At>(
  table: 'page_version' | 'file_version',
  overlaid: boolean,
  p: Marks<P>,
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
      and o.line = ${p.line} and o.${key} = v.${key} and o.from_seq <= ${p.own} and o.to_seq > ${p.own})
    union all select ${columns} from ${from} where v.space = ${p.space} and v.line = ${p.line}
      and v.to_seq > ${p.own} and +v.from_seq <= ${p.own} and v.deleted = 0 ${condition}`;
}

export interface Overlaid {
  overlaid: boolean;
}

/** Which of the two forms of a query a snapshot needs. */
export const isOverlaid = ({ line }: At): Overlaid => ({ overlaid: line !== '' });
export const params = ({ space, main, line, own }: At): At => ({ space, main, line, own });
