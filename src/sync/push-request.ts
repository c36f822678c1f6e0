import { checkConditions, type Condition, mergeRequest } from '../change-requests/merge.ts';
import type { Client } from '../client/client.ts';
import type { Port } from '../client/port.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { spaces } from '../contract/spaces.ts';
import { users } from '../contract/users.ts';
import { EngineError } from '../shared/engine-error.ts';

export type Request = AnswerOf<typeof changeRequests.view>;

/** What is known of the requests of a space before a push. */
export interface Found {
  /** The one to push into; undefined where it is still to be created. */
  existing: Request | undefined;
  /** How many the space had, where that is known. */
  count?: number;
}

/** Which request of a space a push goes into. */
export interface Target {
  /** An existing request, by its id or number. */
  cr?: string | undefined;
  /** Of the request that is used or created where none is named. */
  subject: string;
  /** The request is merged at once: then there is rarely one already. */
  isMerged?: boolean;
}

/** Looks for the request to push into. @throws EngineError where it accepts no more changes */
export async function findRequest({ client }: Pick<Port, 'client'>, spaceId: string, target: Target): Promise<Found> {
  const { cr, subject, isMerged = false } = target;
  if (cr !== undefined) {
    const request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: cr } });
    if (request.status !== 'merged' && request.status !== 'archived') return { existing: request };
    throw new EngineError(
      'refused',
      `Change request #${request.number} is ${request.status} and accepts no more changes.`,
      { hint: 'Push into another one, or into a new one with --new "subject".' },
    );
  }
  // Where the request is rarely there already, the counts of the space answer for all lists.
  if (!isMerged) return { existing: await findBySubject(client, spaceId, { subject }) };
  const space = await client.call(spaces.view, { params: { spaceId } });
  const counts = { draft: space.changeRequestsDraft, open: space.changeRequestsOpen };
  return { existing: await findBySubject(client, spaceId, { subject, counts }), count: space.changeRequests };
}

/**
 * The oldest request of the caller with this subject that is not merged. A run that failed, or that of an earlier commit,
 * may have left it: with a second one, both would conflict.
 */
async function findBySubject(
  service: Client,
  spaceId: string,
  { subject, counts }: { subject: string; counts?: Record<'draft' | 'open', number> },
): Promise<Request | undefined> {
  for (const status of ['draft', 'open'] as const) {
    if (counts?.[status] === 0) continue;
    const requests = await requestsWith(service, spaceId, { status, subject });
    if (requests.length === 0) continue;
    const { id } = await service.call(users.current, {});
    const oldest = requests.find(({ createdBy }) => createdBy.id === id);
    if (oldest) return oldest;
  }
  return undefined;
}

/** The oldest first. */
async function requestsWith(
  service: Client,
  spaceId: string,
  { status, subject }: { status: 'draft' | 'open'; subject: string },
): Promise<Request[]> {
  const requests: Request[] = [];
  for await (const request of service.items(changeRequests.list, { params: { spaceId }, query: { status } })) {
    if (request.subject === subject) requests.push(request);
  }
  return requests.toSorted((one, other) => one.number - other.number);
}

/**
 * Creates a request. Where another push created one with this subject at the same time, the older of the two is used and
 * the other archived: both pushes see both, so both choose the same.
 *
 * @param count of the requests that the space had before: the next number shows that nobody else created one since
 * @returns whether it is that of the other push, which may have content already
 */
export async function createRequest(
  { client, note }: Pick<Port, 'client' | 'note'>,
  { spaceId, subject, count }: { spaceId: string; subject: string; count?: number | undefined },
): Promise<{ request: Request; isOther: boolean }> {
  const request = await client.call(changeRequests.create, { params: { spaceId }, body: { subject } });
  if (count !== undefined && request.number === count + 1) return { request, isOther: false };
  const requests = await requestsWith(client, spaceId, { status: 'draft', subject });
  const oldest = requests.find(({ createdBy }) => createdBy.id === request.createdBy.id);
  if (oldest === undefined || oldest.number >= request.number) return { request, isOther: false };
  const params = { spaceId, changeRequestId: request.id };
  await client.call(changeRequests.edit, { params, body: { status: 'archived' } });
  await note(
    `Another push created #${oldest.number} with this subject at the same time. docsctl uses it and archives #${request.number}.`,
  );
  return { request: oldest, isOther: true };
}

/** What a push does not change of a request. */
const lasting: ReadonlySet<Condition> = new Set(['no-open-comments', 'up-to-date']);

/**
 * Checks what --require names, as far as it can be known before anything is sent.
 *
 * @returns the conditions that can only be checked afterwards
 * @throws CommandError (status 9) with those that do not hold
 */
export async function checkBefore(
  client: Client,
  spaceId: string,
  { require = [], update }: MergeSteps,
  request: Request | undefined,
  isChanged: boolean,
): Promise<Condition[]> {
  const later = isChanged || !request ? require.filter((condition) => !lasting.has(condition)) : [];
  if (request) {
    const now = require.filter((condition) => !later.includes(condition));
    const params = { spaceId, changeRequestId: request.id };
    await checkConditions(client, params, request, { open: true, update, require: now });
  }
  return later;
}

/** What is done and checked between a push and the merge. */
export interface MergeSteps {
  update?: boolean | undefined;
  require?: readonly Condition[] | undefined;
}

/** Opens and merges a request, which was just read. @returns the request afterwards */
export async function merge(
  { client }: Pick<Port, 'client'>,
  spaceId: string,
  request: Request,
  { update, require }: MergeSteps = {},
): Promise<Request> {
  const params = { spaceId, changeRequestId: request.id };
  const { revision } = await mergeRequest(client, params, { request, open: true, update, require });
  return { ...request, status: 'merged', revisionMerged: revision };
}
