import type { changeRequests } from '../../../contract/change-requests.ts';
import type { AnswerOf } from '../../../contract/endpoint.ts';
import { getFrom } from '../../../shared/get-from.ts';
import type { ChangeRequestRow } from '../../../store/change-requests.ts';
import type { Row } from '../../../store/tables.ts';
import { usersById } from '../../../store/users.ts';
import type { Scope } from '../../engine/context.ts';
import { presentUser } from '../../organizations/users.ts';

type ChangeRequest = AnswerOf<typeof changeRequests.view>;
type Presenting = Pick<Scope, 'db' | 'base'>;

/** Loads the authors of these change requests. */
async function presenter({ db, base }: Presenting, space: Row<'space'>, rows: ChangeRequestRow[]) {
  const users = await usersById(
    db,
    rows.map((row) => row.created_by),
  );
  return (row: ChangeRequestRow): ChangeRequest => ({
    object: 'change-request',
    id: row.id,
    number: row.number,
    status: row.status,
    subject: row.subject,
    createdBy: presentUser(base, getFrom(users, row.created_by)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    revision: row.revision,
    revisionInitial: row.revision_initial,
    revisionMergedAncestor: row.revision_merged_ancestor ?? undefined,
    revisionMerged: row.revision_merged ?? undefined,
    comments: row.comments,
    outdated: row.status !== 'merged' && baseRevisionOf(row) !== space.revision,
    urls: {
      app: `${base}/o/${space.organization}/s/${space.id}/cr/${row.number}`,
      location: `${base}/v1/spaces/${space.id}/change-requests/${row.id}`,
    },
  });
}

export const presentChangeRequests = async (presenting: Presenting, space: Row<'space'>, rows: ChangeRequestRow[]) =>
  rows.map(await presenter(presenting, space, rows));

export const presentChangeRequest = async (presenting: Presenting, space: Row<'space'>, row: ChangeRequestRow) =>
  (await presenter(presenting, space, [row]))(row);

/** The main revision that the content of a change request is based on. */
export const baseRevisionOf = (row: ChangeRequestRow) => row.revision_merged_ancestor ?? row.revision_initial;
