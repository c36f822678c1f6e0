import type { Invocation } from '../../cli/command/command.ts';
import { findPolicy } from '../../approval/find-policy.ts';
import { approversOf } from '../../approval/policy.ts';
import { scopeOf, requireOrganization } from '../../cli/command/invocation.ts';
import { notFound, refused } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import { orgs } from '../../contract/orgs.ts';
import { users } from '../../contract/users.ts';
import type { PostedEvent } from '../../proposals/events.ts';
import type { Payload } from '../../proposals/payload.ts';
import { linesText } from '../../proposals/payload.ts';
import { administratorsOf, type Proposal, type ProposalPort, readProposal } from '../../proposals/proposal.ts';
import { findProposalsSpace } from '../../proposals/proposals-space.ts';
import { type Judged, judge } from '../../proposals/status.ts';

/** What commands about proposals work with. */
export interface Desk {
  port: ProposalPort;
  client: Client;
  orgId: string;
  /** Undefined until the first proposal. */
  spaceId: string | undefined;
  /** How many approvals are needed. */
  required: number;
}

/** The ID of the organization in use. */
export async function orgIdOf(invocation: Invocation<{}, {}>): Promise<string> {
  const named = (await requireOrganization(invocation)) ?? (await scopeOf(invocation, 'org'));
  const client = await invocation.client();
  return (await client.call(orgs.view, { params: { orgId: named } })).id;
}

export async function openDesk(invocation: Invocation<{}, {}>): Promise<Desk> {
  const { signal } = invocation;
  const client = await invocation.client();
  const orgId = await orgIdOf(invocation);
  const space = await findProposalsSpace(client, orgId);
  return { port: { client, signal }, client, orgId, spaceId: space?.id, required: await requiredIn(client, orgId) };
}

/** How many approvals the policy asks for; one if the caller cannot see it. */
export const requiredIn = async (client: Client, orgId: string): Promise<number> =>
  approversOf((await findPolicy(client, orgId)).policy);

export interface Opened extends Desk {
  proposal: Proposal & { payload: Payload; hash: string };
  judged: Judged;
}

/** The proposal with this number or ID, judged now. @throws CommandError if there is none, or it cannot be read */
export async function openProposal(invocation: Invocation<{}, {}>, name: string): Promise<Opened> {
  const desk = await openDesk(invocation);
  if (desk.spaceId === undefined)
    throw notFound('There are no proposals that you can see.', '"docsctl propose -- COMMAND" makes one.');
  const proposal = await readProposal(desk.port, desk.spaceId, name);
  const { payload, hash, request } = proposal;
  if (!payload || hash === undefined)
    throw refused(
      `Change request ${request.number} of the space of proposals is not a proposal, or was edited so that it cannot be read.`,
      'Propose the change again.',
    );
  return { ...desk, proposal: { ...proposal, payload, hash }, judged: await judgeNow(desk, proposal) };
}

export async function judgeNow({ client, orgId, required }: Desk, proposal: Proposal): Promise<Judged> {
  const administrators = await administratorsOf(client, orgId);
  return judge(client, proposal, { administrators, required, now: Date.now() });
}

export interface Caller {
  id: string;
  isAdministrator: boolean;
}

export async function callerOf({ client, orgId }: Pick<Desk, 'client' | 'orgId'>): Promise<Caller> {
  const [{ id }, { permissions }] = await Promise.all([
    client.call(users.current, {}),
    client.call(orgs.view, { params: { orgId } }),
  ]);
  return { id, isAdministrator: permissions.admin };
}

const personOf = ({ id, displayName, email }: PostedEvent['user']) => ({
  id,
  displayName,
  ...(email !== undefined && { email }),
});

/** A proposal as it is printed. */
export function shownProposal({ required }: Pick<Desk, 'required'>, proposal: Proposal, judged: Judged) {
  const { request, payload, hash, report } = proposal;
  const { status, approvals, voided, rejected, outdated, started, ended, reverted } = judged;
  const posted = ({ user, at }: Pick<PostedEvent, 'user' | 'at'>) => ({ user: personOf(user), at });
  return {
    id: request.id,
    number: request.number,
    title: payload?.title ?? request.subject,
    status,
    author: personOf(request.createdBy),
    createdAt: request.createdAt,
    expiresAt: payload?.expires ?? null,
    hash: hash ?? null,
    required,
    approvals: approvals.map(posted),
    void: voided.map(({ approval, reason }) => ({ ...posted(approval), reason })),
    ...(payload?.kind === 'plan' && { plan: linesText(payload).join('\n') }),
    ...(payload && payload.kind !== 'plan' && { command: linesText(payload).join('\n') }),
    files: payload?.files.map(({ path, text, base64 }) => ({
      path,
      bytes: text === undefined ? Math.floor(((base64?.length ?? 0) * 3) / 4) : Buffer.byteLength(text),
    })),
    requests: report?.requests ?? [],
    changes: report?.changes ?? [],
    access: report?.access ?? [],
    brokenLinks: report?.brokenLinks ?? [],
    notChecked: report?.notChecked ?? {},
    ...(rejected && { rejected: { ...posted(rejected), reason: rejected.event.reason ?? null } }),
    ...(outdated && { outdated: { at: outdated.at, changed: outdated.event.changed } }),
    ...resultOf(),
  };

  function resultOf() {
    if (request.status !== 'merged') return {};
    return {
      result: {
        ...(started && { startedBy: personOf(started.user), startedAt: started.at, host: started.event.host }),
        ...(ended && {
          endedAt: ended.at,
          status: ended.event.status,
          changes: ended.event.changes,
          ...(ended.event.error !== undefined && { error: ended.event.error }),
          ...(ended.event.pullRequest !== undefined && { pullRequest: ended.event.pullRequest }),
        }),
        ...(!started && { error: 'merged by hand, or stopped before anything was sent' }),
        ...(started && !ended && { error: 'still running, or killed: what it sent is in the journal of its machine' }),
        ...(reverted && {
          reverted: { ...posted(reverted), status: reverted.event.status, error: reverted.event.error ?? null },
        }),
      },
    };
  }
}
