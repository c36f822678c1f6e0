import type { Client } from '../client/client.ts';
import type { PostedEvent, ProposalEvent } from './events.ts';
import { editorsAmong, type Proposal } from './proposal.ts';

export const statuses = [
  'open',
  'approved',
  'expired',
  'outdated',
  'rejected',
  'applying',
  'applied',
  'failed',
  'reverted',
] as const;
export type Status = (typeof statuses)[number];

type EventOf<Name extends ProposalEvent['docsctl']> = Extract<ProposalEvent, { docsctl: Name }>;
type Posted<Name extends ProposalEvent['docsctl']> = Omit<PostedEvent, 'event'> & { event: EventOf<Name> };

/** The state of a proposal, by the events that count. */
export interface Judged {
  status: Status;
  /** By administrators who wrote nothing of it, for its content as it is now. */
  approvals: Posted<'approved'>[];
  /** Approvals that do not count, and why. */
  voided: { approval: Posted<'approved'>; reason: string }[];
  rejected?: Posted<'rejected'> | undefined;
  outdated?: Posted<'outdated'> | undefined;
  started?: Posted<'started'> | undefined;
  ended?: Posted<'ended'> | undefined;
  reverted?: Posted<'reverted'> | undefined;
}

interface Facts {
  /** Undefined if the caller cannot list them: then nobody's approval counts as checked. */
  administrators: ReadonlySet<string> | undefined;
  /** How many approvals are needed. */
  required: number;
  now: number;
}

/** Judges a proposal by the events that count. */
export async function judge(
  client: Client,
  proposal: Proposal,
  { administrators, required, now }: Facts,
): Promise<Judged> {
  const { events, request, hash, payload } = proposal;
  const isAdministrator = (user: string) => administrators?.has(user) ?? true;
  const all = events.filter(isEvent('approved'));
  const editors = await editorsAmong(client, proposal, new Set(all.map(({ user }) => user.id)));
  const counted = events.filter(({ user }) => isAdministrator(user.id));
  const last = <Name extends ProposalEvent['docsctl']>(name: Name) => counted.findLast(isEvent(name));
  const outdated = counted.filter(isEvent('outdated')).findLast(({ event }) => event.hash === hash);
  const approvals = new Map<string, Posted<'approved'>>();
  const voided: Judged['voided'] = [];
  for (const approval of all) {
    const { user, event, at } = approval;
    const reason = !isAdministrator(user.id)
      ? 'not an administrator'
      : editors.has(user.id)
        ? 'wrote or edited the proposal'
        : event.hash !== hash
          ? 'the proposal was altered afterwards'
          : outdated && outdated.at >= at
            ? 'what it touches was changed afterwards'
            : undefined;
    if (reason === undefined) approvals.set(user.id, approval);
    else voided.push({ approval, reason });
  }
  const judged = {
    approvals: [...approvals.values()],
    voided,
    rejected: last('rejected'),
    outdated,
    started: last('started'),
    ended: last('ended'),
    reverted: last('reverted'),
  };
  const isOutdated = outdated !== undefined && approvals.size === 0;
  return { status: statusOf(), ...judged };

  function statusOf(): Status {
    if (request.status === 'archived') return 'rejected';
    if (request.status === 'merged') {
      if (judged.reverted?.event.status === 0) return 'reverted';
      if (judged.ended) return judged.ended.event.status === 0 ? 'applied' : 'failed';
      return judged.started ? 'applying' : 'failed';
    }
    if (!payload || !(Date.parse(payload.expires) > now)) return 'expired';
    if (isOutdated) return 'outdated';
    return approvals.size >= required ? 'approved' : 'open';
  }
}

const isEvent =
  <Name extends ProposalEvent['docsctl']>(name: Name) =>
  (posted: PostedEvent): posted is Posted<Name> & PostedEvent =>
    posted.event.docsctl === name;
