import type { Invocation } from '../cli/command/command.ts';
import { type BuildServer, markdownCell } from '../cli/program/build-server.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { spaces } from '../contract/spaces.ts';
import { users } from '../contract/users.ts';
import type { Client } from '../client/client.ts';
import { checkConditions, mergeRequest } from '../change-requests/merge.ts';
import type { Condition } from '../commands/shared/require-flag.ts';
import type { Docs } from './local-folder.ts';

export type Request = AnswerOf<typeof changeRequests.view>;

export type PushInvocation = Invocation<
  { folder?: string | undefined },
  {
    new?: string | undefined;
    merge?: boolean | undefined;
    update?: boolean | undefined;
    require?: Condition[] | undefined;
    adopt?: boolean | undefined;
    overwrite?: boolean | undefined;
    prefer?: 'app' | 'folder' | undefined;
    deleteOthers?: boolean | undefined;
    ci?: boolean | undefined;
    failOn?: string | undefined;
    strict?: boolean | undefined;
    mdx?: boolean | undefined;
  }
>;

/** What is known of the requests of a space before a push. */
export interface Found {
  /** The one to push into; undefined where it is still to be created. */
  existing: Request | undefined;
  /** How many the space had, where that is known. */
  count?: number;
}

/** Looks for the request to push into. @throws CommandError where it accepts no more changes */
export async function findRequest(
  { client, flags, globals }: PushInvocation,
  spaceId: string,
  docs: Docs,
): Promise<Found> {
  const service = await client();
  if (flags.cr !== undefined) {
    const request = await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } });
    if (request.status !== 'merged' && request.status !== 'archived') return { existing: request };
    throw new CommandError(`Change request #${request.number} is ${request.status} and accepts no more changes.`, {
      exitCode: exit.refused,
      hint: 'Push into another one, or into a new one with --new "subject".',
    });
  }
  if (globals.dryRun && flags.new === undefined && !flags.merge) return { existing: undefined };
  const subject = subjectOf(flags.new, docs);
  // A request that is merged at once is rarely there already: then the counts of the space answer for all lists.
  if (!flags.merge) return { existing: await findBySubject(service, spaceId, { subject }) };
  const space = await service.call(spaces.view, { params: { spaceId } });
  const counts = { draft: space.changeRequestsDraft, open: space.changeRequestsOpen };
  return { existing: await findBySubject(service, spaceId, { subject, counts }), count: space.changeRequests };
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
  { client, flags, io }: PushInvocation,
  { spaceId, docs, count }: { spaceId: string; docs: Docs; count?: number | undefined },
): Promise<{ request: Request; isOther: boolean }> {
  const service = await client();
  const subject = subjectOf(flags.new, docs);
  const request = await service.call(changeRequests.create, { params: { spaceId }, body: { subject } });
  if (count !== undefined && request.number === count + 1) return { request, isOther: false };
  const requests = await requestsWith(service, spaceId, { status: 'draft', subject });
  const oldest = requests.find(({ createdBy }) => createdBy.id === request.createdBy.id);
  if (oldest === undefined || oldest.number >= request.number) return { request, isOther: false };
  const params = { spaceId, changeRequestId: request.id };
  await service.call(changeRequests.edit, { params, body: { status: 'archived' } });
  await io.note(
    `Another push created #${oldest.number} with this subject at the same time. docsctl uses it and archives #${request.number}.`,
  );
  return { request: oldest, isOther: true };
}

const subjectOf = (subject: string | undefined, { name }: Docs) => subject ?? `Push ${name}`.slice(0, 100);

/** What a push does not change of a request. */
const lasting: ReadonlySet<Condition> = new Set(['no-open-comments', 'up-to-date']);

/**
 * Checks what --require names, as far as it can be known before anything is sent.
 *
 * @returns the conditions that can only be checked afterwards
 * @throws CommandError (status 9) with those that do not hold
 */
export async function checkBefore(
  { client, flags: { require = [], update } }: PushInvocation,
  spaceId: string,
  request: Request | undefined,
  isChanged: boolean,
): Promise<Condition[]> {
  const later = isChanged || !request ? require.filter((condition) => !lasting.has(condition)) : [];
  if (request) {
    const now = require.filter((condition) => !later.includes(condition));
    const params = { spaceId, changeRequestId: request.id };
    await checkConditions(await client(), params, request, { open: true, update, require: now });
  }
  return later;
}

/** Opens and merges a request, which was just read. @returns the request afterwards */
export async function merge(
  { client, flags }: PushInvocation,
  spaceId: string,
  request: Request,
  server: BuildServer,
): Promise<Request> {
  const service = await client();
  const params = { spaceId, changeRequestId: request.id };
  try {
    const { update, require } = flags;
    const { revision } = await mergeRequest(service, params, { request, open: true, update, require });
    return { ...request, status: 'merged', revisionMerged: revision };
  } catch (error) {
    server.outputs({ 'change-request': request.number, url: request.urls.app });
    if (error instanceof CommandError) server.summary(`### Not merged\n\n${markdownCell(error.message)}`);
    throw error;
  }
}
