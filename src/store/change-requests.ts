import { newId } from './ids.ts';
import { type Marked, query, queryFor } from './query.ts';
import { insertRevision } from './revisions.ts';
import { countRows } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ChangeRequestRow = Row<'change_request'>;

export interface ChangeRequestFilter {
  space: string;
  status: ChangeRequestRow['status'];
  contributor?: string | undefined;
}

const matching = (variant: { contributor: boolean }, db: Db, p: Marked<ChangeRequestFilter>) =>
  db
    .selectFrom('change_request')
    .where('space', '=', p.space)
    .where('status', '=', p.status)
    .$if(variant.contributor, (q) =>
      q.where('id', 'in', (eb) =>
        eb.selectFrom('change_request_contributor').select('change_request').where('user', '=', p.contributor),
      ),
    );

type ListParams = ChangeRequestFilter & { after?: number | undefined; limit: number };

const list = queryFor<{ after: boolean; contributor: boolean }, ListParams, ChangeRequestRow>((variant, db, p) =>
  matching(variant, db, p)
    .selectAll()
    .$if(variant.after, (q) => q.where('number', '<', p.after))
    .orderBy('number', 'desc')
    .limit(p.limit),
);

const count = queryFor<{ contributor: boolean }, ChangeRequestFilter, { count: number }>((variant, db, p) =>
  matching(variant, db, p).select(countRows),
);

/** Newest number first, below `after`. */
export const listChangeRequests = (
  db: Db,
  { space, status, contributor }: ChangeRequestFilter,
  after: number | undefined,
  limit: number,
) =>
  list({ after: after !== undefined, contributor: contributor !== undefined }).all(db, {
    space,
    status,
    contributor,
    after,
    limit,
  });

export async function countChangeRequests(
  db: Db,
  { space, status, contributor }: ChangeRequestFilter,
): Promise<number> {
  const query = count({ contributor: contributor !== undefined });
  return (await query.one(db, { space, status, contributor })).count;
}

const byId = query<{ id: string }, ChangeRequestRow>((db, p) =>
  db.selectFrom('change_request').selectAll().where('id', '=', p.id),
);
export const getChangeRequest = (db: Db, id: string): Promise<ChangeRequestRow> => byId.one(db, { id });

/** Creates a change request from the space's revision, with the next number of the space. */
export async function createChangeRequest(
  db: Db,
  { space, subject, author, now }: { space: Row<'space'>; subject: string; author: string; now: string },
): Promise<ChangeRequestRow> {
  const id = newId();
  const revision = newId();
  const { last_number: number } = await db
    .updateTable('space')
    .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
    .where('id', '=', space.id)
    .returning('last_number')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('change_request')
    .values({
      id,
      space: space.id,
      number,
      status: 'draft',
      subject,
      created_by: author,
      created_at: now,
      updated_at: now,
      revision,
      revision_initial: space.revision,
      revision_merged_ancestor: null,
      revision_merged: null,
    })
    .execute();
  await insertRevision(db, {
    id: revision,
    space: space.id,
    changeRequest: id,
    base: space.revision,
    type: 'edits',
    parents: [space.revision],
    author,
    now,
  });
  await addContributor(db, id, author);
  return getChangeRequest(db, id);
}

export async function addContributor(db: Db, changeRequest: string, user: string) {
  await db
    .insertInto('change_request_contributor')
    .values({ change_request: changeRequest, user })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function editChangeRequest(
  db: Db,
  id: string,
  change: Partial<
    Pick<
      ChangeRequestRow,
      'subject' | 'status' | 'updated_at' | 'revision' | 'revision_merged' | 'revision_merged_ancestor'
    >
  >,
): Promise<ChangeRequestRow> {
  await db.updateTable('change_request').set(change).where('id', '=', id).execute();
  return getChangeRequest(db, id);
}
