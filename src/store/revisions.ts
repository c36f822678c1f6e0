import { sql } from 'kysely';
import { jsonText } from './json.ts';
import { query } from './query.ts';
import { rowsById } from './rows.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

type RevisionRow = Row<'revision'>;

export interface NewRevision {
  id: string;
  space: string;
  /** Null in main content. */
  changeRequest: string | null;
  /** The main revision that a revision of a change request is based on. */
  base: string | null;
  type: RevisionRow['type'];
  parents: string[];
  mergedFrom?: string | undefined;
  author: string;
  now: string;
}

const insert = query<Omit<RevisionRow, 'git' | 'seq'> & { branch: string }, { seq: number }>((db, p) =>
  db
    .insertInto('revision')
    .values((eb) => ({
      id: p.id,
      space: p.space,
      change_request: p.change_request,
      seq: eb
        .selectFrom('revision')
        .select(sql<number>`coalesce(max(seq), 0) + 1`.as('next'))
        .where('space', '=', p.space)
        .where(eb.fn.coalesce('change_request', sql.lit('')), '=', p.branch),
      base: p.base,
      type: p.type,
      parents: p.parents,
      merged_from: p.merged_from,
      author: p.author,
      git: null,
      created_at: p.created_at,
    }))
    .returning('seq'),
);

/**
 * Adds a revision to main content or to a change request; revisions are never changed.
 *
 * @returns its number
 */
export async function insertRevision(
  db: Db,
  { id, space, changeRequest, base, type, parents, mergedFrom, author, now }: NewRevision,
): Promise<number> {
  const { seq } = await insert.one(db, {
    id,
    space,
    change_request: changeRequest,
    branch: changeRequest ?? '',
    base,
    type,
    parents: jsonText(parents),
    merged_from: mergedFrom ?? null,
    author,
    created_at: now,
  });
  return seq;
}

export const findRevision = rowsById('revision').find;
