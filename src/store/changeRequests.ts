import { newId } from './ids.ts';
import { query, queryFor } from './query.ts';
import { insertRevision } from './revisions.ts';
import type { Db } from './store.ts';
import type { Row } from './tables.ts';

export type ChangeRequestRow = Row<'change_request'>;

interface Params {
  space: string;
  status: string;
  contributor?: string;
  after?: number;
  limit: number;
}

const list = queryFor<{ after: boolean; contributor: boolean }, Params, ChangeRequestRow>((variant, db, p) =>
  db
    .selectFrom('change_request')
    .selectAll()
    .where('space', '=', p.space)
    .where('status', '=', p.status)
    .$if(variant.contributor, (q) =>
      q.where('id', 'in', (eb) =>
        eb
          .selectFrom('change_request_contributor')
          .select('change_request')
          .where('user', '=', p.contributor as never),
      ),
    )
    .$if(variant.after, (q) => q.where('number', '<', p.after as never))
    .orderBy('number', 'desc')
    .limit(p.limit),
);

const count = queryFor<{ contributor: boolean }, Omit<Params, 'limit'>, { count: number }>((variant, db, p) =>
  db
    .selectFrom('change_request')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('space', '=', p.space)
    .where('status', '=', p.status)
    .$if(variant.contributor, (q) =>
      q.where('id', 'in', (eb) =>
        eb
          .selectFrom('change_request_contributor')
          .select('change_request')
          .where('user', '=', p.contributor as never),
      ),
    ),
);

export interface ChangeRequestFilter {
  space: string;
  status: string;
  contributor?: string | undefined;
}

/** Newest number first, below `after`. */
export function listChangeRequests(
  db: Db,
  { space, status, contributor }: ChangeRequestFilter,
  after: number | undefined,
  limit: number,
) {
  return list({ after: after !== undefined, contributor: contributor !== undefined }).all(db, {
    space,
    status,
    limit,
    ...(after === undefined ? {} : { after }),
    ...(contributor === undefined ? {} : { contributor }),
  });
}

export async function countChangeRequests(
  db: Db,
  { space, status, contributor }: ChangeRequestFilter,
): Promise<number> {
  const row = await count({ contributor: contributor !== undefined }).first(db, {
    space,
    status,
    ...(contributor === undefined ? {} : { contributor }),
  });
  return row!.count;
}

const one = query<{ id: string }, ChangeRequestRow>((db, p) =>
  db.selectFrom('change_request').selectAll().where('id', '=', p.id),
);
export const getChangeRequest = async (db: Db, id: string): Promise<ChangeRequestRow> => (await one.first(db, { id }))!;

/** Branches off the space's revision under the next number of the space. */
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
