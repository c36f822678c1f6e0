import { changeRequests } from '../../../contract/change-requests.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import * as store from '../../../store/change-requests.ts';
import { commit } from '../../../store/content.ts';
import { insertDocument } from '../../../store/documents.ts';
import { ownFiles } from '../../../store/files.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import { changeSpace } from '../../../store/spaces.ts';
import type { Row } from '../../../store/tables.ts';
import { usersById } from '../../../store/users.ts';
import type { Context, Scope, SpaceAt } from '../../engine/context.ts';
import { Conflict } from '../../engine/errors.ts';
import { implement } from '../../engine/implement.ts';
import { mergeSides, writesToMain, writesToRequest } from './merge.ts';
import { paged } from '../../engine/paging.ts';
import { presentUser } from '../../organizations/users.ts';

type ChangeRequest = AnswerOf<typeof changeRequests.view>;

export async function presentChangeRequests(
  { db, base }: Pick<Scope, 'db' | 'base'>,
  space: Row<'space'>,
  rows: store.ChangeRequestRow[],
): Promise<ChangeRequest[]> {
  const users = await usersById(
    db,
    rows.map((row) => row.created_by),
  );
  return rows.map((row) => ({
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status as ChangeRequest['status'],
    subject: row.subject,
    createdBy: presentUser(base, users.get(row.created_by)!),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    revisionInitial: row.revision_initial,
    ...(row.revision_merged_ancestor === null ? {} : { revisionMergedAncestor: row.revision_merged_ancestor }),
    ...(row.revision_merged === null ? {} : { revisionMerged: row.revision_merged }),
    comments: row.comments,
    outdated: isOutdated(space, row),
    urls: {
      app: `${base}/o/${space.organization}/s/${space.id}/cr/${row.number}`,
      location: `${base}/v1/spaces/${space.id}/change-requests/${row.id}`,
    },
  }));
}

/** The main revision that a request's content rests on. */
export const ancestorOf = (row: store.ChangeRequestRow) => row.revision_merged_ancestor ?? row.revision_initial;

const isOutdated = (space: Row<'space'>, row: store.ChangeRequestRow) =>
  row.status !== 'merged' && ancestorOf(row) !== space.revision;

const presentOne = async (scope: Pick<Scope, 'db' | 'base'>, space: SpaceAt, row: store.ChangeRequestRow) =>
  (await presentChangeRequests(scope, space, [row]))[0]!;

export const handlers = implement(changeRequests, {
  list({ db, at: { space }, query, page, base }) {
    const filter = { space: space.id, status: query.status, contributor: query.contributor };
    return paged(page, {
      rows: (after, limit) => store.listChangeRequests(db, filter, after?.[0], limit),
      keyTypes: ['number'],
      key: (row) => [row.number],
      count: () => store.countChangeRequests(db, filter),
      present: (rows) => presentChangeRequests({ db, base }, space, rows),
    });
  },

  async create({ db, at: { space }, body, base, caller, now }) {
    const row = await store.createChangeRequest(db, { space, subject: body.subject ?? '', author: caller.id, now });
    return presentOne({ db, base }, space, row);
  },

  view: ({ db, at: { space, changeRequest }, base }) => presentOne({ db, base }, space, changeRequest),

  async edit({ db, at: { space, changeRequest }, body, base, now }) {
    const { subject, status } = body;
    if (status !== undefined && changeRequest.status === 'merged') {
      throw new Conflict('invalid-state', `Change request #${changeRequest.number} is merged, and that is final.`);
    }
    if (subject === undefined && status === undefined) return presentOne({ db, base }, space, changeRequest);
    const row = await store.editChangeRequest(db, changeRequest.id, {
      ...(subject === undefined ? {} : { subject }),
      ...(status === undefined ? {} : { status }),
      updated_at: now,
    });
    return presentOne({ db, base }, space, row);
  },

  async merge({ db, at: { space, changeRequest }, caller, now, texts }) {
    if (changeRequest.status !== 'open') {
      throw new Conflict(
        'invalid-state',
        `Only an open change request can be merged; #${changeRequest.number} is ${changeRequest.status}.`,
      );
    }
    const { main, request, merged } = await mergeWithMain({ db, now, texts }, space, changeRequest);
    if (merged.conflicts) {
      return { revision: changeRequest.revision, result: 'conflicts' as const, conflicts: merged.conflicts };
    }
    for (const document of merged.documents) await insertDocument(db, document);
    const revision = await commit(db, {
      space: space.id,
      changeRequest: null,
      base: null,
      type: 'merge',
      parents: [main.revision, request.revision],
      mergedFrom: changeRequest.id,
      author: caller.id,
      now,
      pages: writesToMain(merged.pages),
      files: await ownFiles(db, request),
    });
    await changeSpace(db, space.id, { revision, updated_at: now });
    await store.editChangeRequest(db, changeRequest.id, {
      status: 'merged',
      revision_merged: revision,
      updated_at: now,
    });
    return { revision, result: 'merge' as const };
  },

  async update({ db, at: { space, changeRequest }, caller, now, texts }) {
    if (changeRequest.status === 'merged' || ancestorOf(changeRequest) === space.revision) {
      return { revision: changeRequest.revision, result: 'update' as const };
    }
    const { main, request, merged } = await mergeWithMain({ db, now, texts }, space, changeRequest);
    if (merged.conflicts) {
      return { revision: changeRequest.revision, result: 'conflicts' as const, conflicts: merged.conflicts };
    }
    for (const document of merged.documents) await insertDocument(db, document);
    const revision = await commit(db, {
      space: space.id,
      changeRequest: changeRequest.id,
      base: main.revision,
      type: 'update',
      parents: [request.revision, main.revision],
      author: caller.id,
      now,
      pages: writesToRequest(merged.pages),
      files: [],
    });
    await store.editChangeRequest(db, changeRequest.id, {
      revision,
      revision_merged_ancestor: main.revision,
      updated_at: now,
    });
    await store.addContributor(db, changeRequest.id, caller.id);
    return { revision, result: 'update' as const };
  },
});

type Merging = Pick<Context, 'db' | 'now' | 'texts'>;

async function mergeWithMain({ db, now, texts }: Merging, space: SpaceAt, changeRequest: store.ChangeRequestRow) {
  const main = await snapshotOf(db, space.revision);
  const request = await snapshotOf(db, changeRequest.revision);
  return { main, request, merged: await mergeSides({ db, main, request, now, texts }) };
}
