import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type RevisionRow = Row<'revision'>;

export interface NewRevision {
  id: string;
  space: string;
  /** Null on the space's main line. */
  changeRequest: string | null;
  /** The main revision that a request's revision rests on. */
  base: string | null;
  type: 'edits' | 'merge' | 'update' | 'rollback' | 'computed';
  parents: string[];
  mergedFrom?: string | undefined;
  author: string;
  now: string;
}

const latest = query<{ space: string; line: string }, { seq: number | null }>((db, p) =>
  db
    .selectFrom('revision')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('space', '=', p.space)
    .where((eb) => eb(eb.fn.coalesce('change_request', eb.val('')), '=', p.line)),
);

const insert = query<Omit<RevisionRow, 'git'>>((db, p) =>
  db.insertInto('revision').values({
    id: p.id,
    space: p.space,
    change_request: p.change_request as never,
    seq: p.seq,
    base: p.base as never,
    type: p.type,
    parents: p.parents,
    merged_from: p.merged_from as never,
    author: p.author as never,
    git: null,
    created_at: p.created_at,
  }),
);

/**
 * Adds a revision to the end of its line: revisions are never changed.
 *
 * @returns its number on the line
 */
export async function insertRevision(
  db: Db,
  { id, space, changeRequest, base, type, parents, mergedFrom, author, now }: NewRevision,
): Promise<number> {
  const seq = ((await latest.first(db, { space, line: changeRequest ?? '' }))?.seq ?? 0) + 1;
  await insert.run(db, {
    id,
    space,
    change_request: changeRequest,
    seq,
    base,
    type,
    parents: JSON.stringify(parents),
    merged_from: mergedFrom ?? null,
    author,
    created_at: now,
  });
  return seq;
}

const one = query<{ id: string }, RevisionRow>((db, p) => db.selectFrom('revision').selectAll().where('id', '=', p.id));
export const findRevision = (db: Db, id: string) => one.first(db, { id });
