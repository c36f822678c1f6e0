import { changeRequests } from '../../../contract/change-requests.ts';
import { withoutUndefined } from '../../../shared/without-undefined.ts';
import * as store from '../../../store/change-requests.ts';
import { commit } from '../../../store/content.ts';
import { ownFiles } from '../../../store/files.ts';
import { newId } from '../../../store/ids.ts';
import { snapshotOf } from '../../../store/snapshots.ts';
import { changeSpace } from '../../../store/spaces.ts';
import type { Context, LoadedSpace } from '../../engine/context.ts';
import { Conflict } from '../../engine/errors.ts';
import { implement } from '../../engine/implement.ts';
import { paged } from '../../engine/paging.ts';
import { mergeSides, writesToMain, writesToRequest } from './merge.ts';
import { baseRevisionOf, presentChangeRequest, presentChangeRequests } from './present-change-requests.ts';

type Merging = Pick<Context, 'db' | 'caller' | 'now' | 'texts'>;

export const handlers = implement(changeRequests, {
  list({ db, objects: { space }, query, page, base }) {
    const filter = { space: space.id, status: query.status, contributor: query.contributor };
    return paged(page, {
      rows: (after, limit) => store.listChangeRequests(db, filter, after?.[0], limit),
      keyTypes: ['number'],
      key: (row) => [row.number],
      count: () => store.countChangeRequests(db, filter),
      present: (rows) => presentChangeRequests({ db, base }, space, rows),
    });
  },

  async create({ db, objects: { space }, body, base, caller, now }) {
    const row = await store.createChangeRequest(db, { space, subject: body.subject ?? '', author: caller.id, now });
    return presentChangeRequest({ db, base }, space, row);
  },

  view: ({ db, objects: { space, changeRequest }, base }) => presentChangeRequest({ db, base }, space, changeRequest),

  async edit({ db, objects: { space, changeRequest }, body, base, now }) {
    const change = withoutUndefined({ subject: body.subject, status: body.status });
    if (change.status !== undefined && changeRequest.status === 'merged') {
      throw new Conflict(
        'invalid-state',
        `Change request #${changeRequest.number} is merged, so its status cannot be changed.`,
      );
    }
    if (Object.keys(change).length === 0) return presentChangeRequest({ db, base }, space, changeRequest);
    const row = await store.editChangeRequest(db, changeRequest.id, { ...change, updated_at: now });
    return presentChangeRequest({ db, base }, space, row);
  },

  merge: (context) => mergeIntoMain(context, context.objects.space, context.objects.changeRequest),

  update: (context) => updateFromMain(context, context.objects.space, context.objects.changeRequest),
});

async function mergeIntoMain(merging: Merging, space: LoadedSpace, changeRequest: store.ChangeRequestRow) {
  const { db, caller, now } = merging;
  if (changeRequest.status !== 'open') {
    throw new Conflict(
      'invalid-state',
      `Only an open change request can be merged; #${changeRequest.number} is ${changeRequest.status}.`,
    );
  }
  const { main, request, merged } = await mergeBoth(merging, space, changeRequest);
  if (merged.conflicts)
    return { revision: changeRequest.revision, result: 'conflicts' as const, conflicts: merged.conflicts };
  const revision = newId();
  await commit(db, {
    id: revision,
    space: space.id,
    changeRequest: null,
    base: null,
    type: 'merge',
    parents: [main.revision, request.revision],
    mergedFrom: changeRequest.id,
    author: caller.id,
    now,
    documents: merged.documents,
    pages: writesToMain(merged.pages),
    files: await ownFiles(db, request),
  });
  await changeSpace(db, space.id, { revision, updated_at: now });
  const change = { status: 'merged', revision_merged: revision, updated_at: now } as const;
  await store.editChangeRequest(db, changeRequest.id, change);
  return { revision, result: 'merge' as const };
}

async function updateFromMain(merging: Merging, space: LoadedSpace, changeRequest: store.ChangeRequestRow) {
  const { db, caller, now } = merging;
  if (changeRequest.status === 'merged' || baseRevisionOf(changeRequest) === space.revision)
    return { revision: changeRequest.revision, result: 'update' as const };
  const { main, request, merged } = await mergeBoth(merging, space, changeRequest);
  if (merged.conflicts)
    return { revision: changeRequest.revision, result: 'conflicts' as const, conflicts: merged.conflicts };
  const revision = newId();
  await commit(db, {
    id: revision,
    space: space.id,
    changeRequest: changeRequest.id,
    base: main.revision,
    type: 'update',
    parents: [request.revision, main.revision],
    author: caller.id,
    now,
    documents: merged.documents,
    pages: writesToRequest(merged.pages),
    files: [],
  });
  const change = { revision, revision_merged_ancestor: main.revision, updated_at: now };
  await store.editChangeRequest(db, changeRequest.id, change);
  await store.addContributor(db, changeRequest.id, caller.id);
  return { revision, result: 'update' as const };
}

async function mergeBoth({ db, now, texts }: Merging, space: LoadedSpace, changeRequest: store.ChangeRequestRow) {
  const main = await snapshotOf(db, space.revision);
  const request = await snapshotOf(db, changeRequest.revision);
  return { main, request, merged: await mergeSides({ db, main, request, now, texts }) };
}
