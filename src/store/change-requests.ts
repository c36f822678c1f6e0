import { newId } from './ids.ts';
import { filterQuery, type Marked } from './query.ts';
import { insertRevision } from './revisions.ts';
import { rowsById } from './rows.ts';
import { countRows } from './sql.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ChangeRequestRow = Row<'change_request'>;

export interface ChangeRequestFilter {
  space: string;
  status: ChangeRequestRow['status'];
  contributor?: string | undefined;
}

const matching = (db: Db, p: Marked<ChangeRequestFilter>, hasContributor: boolean) =>
  db
    .selectFrom('change_request')
    .where('space', '=', p.space)
    .where('status', '=', p.status)
    .$if(hasContributor, (q) =>
      q.where('id', 'in', (eb) =>
        eb.selectFrom('change_request_contributor').select('change_request').where('user', '=', p.contributor),
      ),
    );

type ListParams = ChangeRequestFilter & { after?: number | undefined; limit: number };

const list = filterQuery<ListParams, ChangeRequestRow>((db, p, has) =>
  matching(db, p, has('contributor'))
    .selectAll()
    .$if(has('after'), (q) => q.where('number', '<', p.after))
    .orderBy('number', 'desc')
    .limit(p.limit),
);

const count = filterQuery<ChangeRequestFilter, { count: number }>((db, p, has) =>
  matching(db, p, has('contributor')).select(countRows),
);

/** Newest number first, below `after`. */
export const listChangeRequests = (db: Db, filter: ChangeRequestFilter, after: number | undefined, limit: number) =>
  list.all(db, { ...filter, after, limit });

export const countChangeRequests = async (db: Db, filter: ChangeRequestFilter): Promise<number> =>
  (await count.one(db, filter)).count;

const rows = rowsById('change_request');
export const { get: getChangeRequest, change: editChangeRequest } = rows;

/** Creates a change request from the space's revision, with the next number of the space. */
export async function createChangeRequest(
  db: Db,
  { space, subject, author, now }: { space: Row<'space'>; subject: string; author: string; now: string },
): Promise<ChangeRequestRow> {
  const [id, revision] = [newId(), newId()];
  const { last_number: number } = await db
    .updateTable('space')
    .set((eb) => ({ last_number: eb('last_number', '+', 1) }))
    .where('id', '=', space.id)
    .returning('last_number')
    .executeTakeFirstOrThrow();
  const changeRequest = await rows.insert(db, {
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
  });
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
  return changeRequest;
}

export async function addContributor(db: Db, changeRequest: string, user: string) {
  await db
    .insertInto('change_request_contributor')
    .values({ change_request: changeRequest, user })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
