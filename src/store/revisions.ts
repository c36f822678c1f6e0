import { query } from './query.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export interface NewRevision {
  id: string;
  space: string;
  /** Null on the space's main line. */
  changeRequest: string | null;
  /** The main revision that a request's revision rests on. */
  base: string | null;
  type: 'edits' | 'merge' | 'update' | 'rollback' | 'computed';
  parents: string[];
  mergedFrom?: string;
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

/** Adds a revision to the end of its line: revisions are never changed. */
export async function insertRevision(
  db: Db,
  { id, space, changeRequest, base, type, parents, mergedFrom, author, now }: NewRevision,
): Promise<string> {
  const seq = ((await latest.first(db, { space, line: changeRequest ?? '' }))?.seq ?? 0) + 1;
  await db
    .insertInto('revision')
    .values({
      id,
      space,
      change_request: changeRequest,
      seq,
      base,
      type,
      parents: JSON.stringify(parents),
      merged_from: mergedFrom ?? null,
      author,
      git: null,
      created_at: now,
    })
    .execute();
  return id;
}

const one = query<{ id: string }, Row<'revision'>>((db, p) =>
  db.selectFrom('revision').selectAll().where('id', '=', p.id),
);
export const findRevision = (db: Db, id: string) => one.first(db, { id });
