import type { Client } from '../client/client.ts';
import { isMissing } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { changeRequestComments } from '../contract/comments.ts';
import type { AnswerOf, BodyInput } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { noProgress } from '../organization/service/read-service.ts';
import { isInaccessible } from '../client/errors/http-error.ts';
import { EngineError } from '../shared/engine-error.ts';
import { eachOf } from '../shared/each-of.ts';
import { readRevision, readTexts } from '../sync/read-remote.ts';
import { commentText, eventIn, type PostedEvent, type ProposalEvent } from './events.ts';
import { isProposalPage, pagesOf, type ReadProposal, readPages, type StoredReport } from './pages.ts';
import type { Payload } from './payload.ts';

export type ProposalPort = Pick<Port, 'client' | 'signal'>;
export type Request = AnswerOf<typeof changeRequests.view>;

/** A proposal as it is stored: a change request of the space of proposals. */
export interface Proposal extends Partial<ReadProposal> {
  spaceId: string;
  request: Request;
  /** Oldest first. Anybody who may comment may have written the text of a comment, but not in another name. */
  events: PostedEvent[];
}

const paramsOf = ({ spaceId, request }: Pick<Proposal, 'spaceId' | 'request'>) => ({
  spaceId,
  changeRequestId: request.id,
});

/** The longest subject of a change request. */
const maxSubject = 100;

/** Stores a proposal as an open change request. */
export async function storeProposal(
  { client, signal }: ProposalPort,
  spaceId: string,
  { payload, report }: { payload: (createdAt: string) => Payload; report: StoredReport },
): Promise<Request> {
  const options = { unrecorded: true, signal };
  const request = await client.call(changeRequests.create, { params: { spaceId }, body: {}, ...options });
  const params = { spaceId, changeRequestId: request.id };
  try {
    const made = payload(request.createdAt);
    for (const [title, text] of pagesOf(request.number, made, report)) {
      const changes: BodyInput<typeof changeRequestContent.change>['changes'] = [
        { operation: 'insert_page', title, document: { markdown: text } },
      ];
      await client.call(changeRequestContent.change, {
        params,
        query: { compat: true },
        body: { changes },
        ...options,
      });
    }
    const subject = Array.from(made.title).slice(0, maxSubject).join('');
    return await client.call(changeRequests.edit, { params, body: { subject, status: 'open' }, ...options });
  } catch (error) {
    const quick = { unrecorded: true, signal: AbortSignal.timeout(5000) };
    await client.call(changeRequests.edit, { params, body: { status: 'archived' }, ...quick }).catch(() => {});
    throw error;
  }
}

/** The proposal with this number or ID. @throws EngineError if there is none */
export async function readProposal(port: ProposalPort, spaceId: string, name: string): Promise<Proposal> {
  const request = await requestNamed(port.client, spaceId, name);
  return withContent(port, spaceId, request);
}

async function requestNamed(client: Client, spaceId: string, name: string): Promise<Request> {
  const missing = new EngineError('notFound', `There is no proposal ${name}.`, {
    hint: '"docsctl proposals list --status all" lists them.',
  });
  const number = /^#?(\d{1,9})$/.exec(name)?.[1];
  if (number === undefined) {
    if (!/^[\w-]+$/.test(name)) throw missing;
    try {
      return await client.call(changeRequests.view, { params: { spaceId, changeRequestId: name } });
    } catch (error) {
      throw isMissing(error) ? missing : error;
    }
  }
  for (const status of ['open', 'merged', 'archived'] as const)
    for await (const request of client.items(changeRequests.list, { params: { spaceId }, query: { status } }))
      if (request.number === Number(number)) return request;
  throw missing;
}

/** The proposals with a status of their change requests, newest first. */
export async function listProposals(
  port: ProposalPort,
  spaceId: string,
  statuses: readonly ('open' | 'merged' | 'archived')[],
): Promise<Proposal[]> {
  const requests: Request[] = [];
  for (const status of statuses)
    requests.push(
      ...(await Array.fromAsync(port.client.items(changeRequests.list, { params: { spaceId }, query: { status } }))),
    );
  const proposals: Proposal[] = [];
  const read = async (request: Request) => void proposals.push(await withContent(port, spaceId, request));
  await eachOf(requests, read, 4);
  return proposals.toSorted((one, other) => other.request.number - one.request.number);
}

/** Reads the pages of one revision, so that they belong together. */
async function withContent(port: ProposalPort, spaceId: string, request: Request): Promise<Proposal> {
  const { client, signal } = port;
  const { pages } = await readRevision(client, { spaceId, revisionId: request.revision });
  const own = pages.filter(({ title }) => isProposalPage(request.number, title));
  const isUnique = new Set(own.map(({ title }) => title)).size === own.length;
  const quiet = { client, signal, progress: noProgress, note: async () => {} };
  const ids = isUnique ? own.map(({ id }) => id) : [];
  const [texts, events] = await Promise.all([
    readTexts(quiet, { spaceId, revisionId: request.revision }, ids),
    request.comments > 0 ? readEvents(client, { spaceId, changeRequestId: request.id }) : [],
  ]);
  const read = readPages(request.number, new Map(own.map(({ id, title }) => [title, texts.get(id) ?? ''])));
  return { spaceId, request, events, ...read };
}

async function readEvents(client: Client, params: ReturnType<typeof paramsOf>): Promise<PostedEvent[]> {
  const events: PostedEvent[] = [];
  const query = { order: 'asc', format: 'markdown' } as const;
  for await (const { id, postedBy, postedAt, body } of client.items(changeRequestComments.list, { params, query })) {
    const event = 'markdown' in body ? eventIn(body.markdown) : undefined;
    if (event) events.push({ id, user: postedBy, at: postedAt, event });
  }
  return events;
}

/** Posts an event as the caller. */
export async function postEvent(
  { client, signal }: ProposalPort,
  proposal: Proposal,
  event: ProposalEvent,
): Promise<void> {
  const body = { body: { markdown: commentText(event) } };
  await client.call(changeRequestComments.create, { params: paramsOf(proposal), body, unrecorded: true, signal });
}

/** Archives the change request of a rejected proposal. */
export async function archiveProposal({ client, signal }: ProposalPort, proposal: Proposal): Promise<void> {
  const body = { status: 'archived' } as const;
  await client.call(changeRequests.edit, { params: paramsOf(proposal), body, unrecorded: true, signal });
}

/** Claims a proposal: only one merge of its change request succeeds. @throws EngineError if somebody else has claimed it */
export async function claimProposal({ client, signal }: ProposalPort, proposal: Proposal): Promise<void> {
  const { number } = proposal.request;
  try {
    const { result } = await client.call(changeRequests.merge, {
      params: paramsOf(proposal),
      unrecorded: true,
      signal,
    });
    if (result === 'merge') return;
  } catch (error) {
    const now = await client.call(changeRequests.view, { params: paramsOf(proposal) }).catch(() => undefined);
    if (now?.status !== 'merged') throw error;
    throw new EngineError(
      'refused',
      `Somebody else is applying proposal ${number}, or has applied it. Nothing was sent.`,
      {
        hint: `"docsctl proposals view ${number}" shows its result.`,
        cause: error,
      },
    );
  }
  throw new EngineError('refused', `The change request of proposal ${number} was edited. Nothing was sent.`, {
    hint: 'Reject it, and propose the change again.',
  });
}

/** The IDs of the administrators; undefined if the caller may not list them. */
export async function administratorsOf(client: Client, orgId: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const list = await Array.fromAsync(client.items(members.list, { params: { orgId }, query: { role: 'admin' } }));
    return new Set(list.filter(({ disabled }) => !disabled).map(({ id }) => id));
  } catch (error) {
    if (isInaccessible(error)) return undefined;
    throw error;
  }
}

/** Those of some users who created or edited the content of a proposal. */
export async function editorsAmong(
  client: Client,
  { spaceId, request }: Proposal,
  users: Iterable<string>,
): Promise<Set<string>> {
  const editors = new Set([request.createdBy.id]);
  await eachOf(
    [...new Set(users)].filter((user) => !editors.has(user)),
    async (contributor) => {
      if (request.status === 'draft') return;
      const query = { status: request.status, contributor };
      for await (const { id } of client.items(changeRequests.list, { params: { spaceId }, query }))
        if (id === request.id) editors.add(contributor);
    },
    4,
  );
  return editors;
}
