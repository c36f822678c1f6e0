import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { refused } from '../../cli/program/failure.ts';
import { postEvent, type Proposal, readProposal } from '../../proposals/proposal.ts';
import type { Judged } from '../../proposals/status.ts';
import { visible } from '../../shared/visible.ts';
import { judgeNow, type Opened, shownProposal } from '../shared/proposals.ts';

const again = 'Propose the change again with "docsctl propose".';

/** @throws CommandError if a proposal can be neither approved nor applied */
export function refuseClosed({ request: { number } }: Pick<Proposal, 'request'>, { status, started }: Judged): void {
  const view = `"docsctl proposals view ${number}" shows its result.`;
  switch (status) {
    case 'expired':
      throw refused(`Proposal ${number} has expired. Nothing was sent.`, again);
    case 'rejected':
      throw refused(`Proposal ${number} was rejected. Nothing was sent.`, again);
    case 'applied':
    case 'reverted':
    case 'applying':
      throw refused(
        status === 'applying'
          ? `Proposal ${number} is being applied, or the apply was killed. Nothing was sent.`
          : `Proposal ${number} was applied already${status === 'reverted' ? ', and reverted' : ''}. Nothing was sent.`,
        `${view} A proposal is applied only once. ${again}`,
      );
    case 'failed':
      throw refused(
        started
          ? `The apply of proposal ${number} has failed. Nothing was sent.`
          : `The change request of proposal ${number} was merged by hand, or its apply ended before anything was sent.`,
        `${view} A proposal is applied only once. ${again}`,
      );
    default:
  }
}

/** The most names in an error. */
const maxNamed = 10;

/** Records that something was changed, so that approvals no longer count. @throws CommandError always */
export async function refuseOutdated(
  { globals }: Pick<Invocation, 'globals'>,
  { port, proposal }: Pick<Opened, 'port' | 'proposal'>,
  changed: readonly string[],
): Promise<never> {
  const { number } = proposal.request;
  const named = changed.slice(0, maxNamed).map((name) => Array.from(name).slice(0, 200).join(''));
  if (!globals.dryRun) await postEvent(port, proposal, { docsctl: 'outdated', hash: proposal.hash, changed: named });
  const what =
    named.length === 0
      ? 'an object that it affects'
      : `${named.map(visible).join(', ')}${changed.length > maxNamed ? ` and ${changed.length - maxNamed} more` : ''}`;
  throw refused(
    `Proposal ${number} is outdated: its effect differs from the one that was proposed or approved. Different: ${what}. Nothing was sent.`,
    again,
  );
}

/** Reads a proposal again, and prints it. */
export async function printNow(
  invocation: Invocation,
  desk: Pick<Opened, 'port' | 'client' | 'orgId' | 'required' | 'proposal'>,
): Promise<void> {
  const { port, proposal } = desk;
  const { spaceId } = proposal;
  const now = await readProposal(port, spaceId, proposal.request.id);
  await print(invocation, shownProposal(desk, now, await judgeNow({ ...desk, spaceId }, now)));
}
