import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { eachOf } from '../../shared/each-of.ts';
import { withoutUndefined } from '../../shared/without-undefined.ts';
import { administratorsOf, listProposals } from '../../proposals/proposal.ts';
import { judge, type Judged, type Status } from '../../proposals/status.ts';
import { openDesk, openProposal, shownProposal } from '../shared/proposals.ts';
import { storedText } from '../shared/rehearsal-text.ts';

type ListInvocation = Invocation<{}, { status?: Status | 'all' | undefined }>;

/** The statuses of change requests that proposals with a status have. */
const requestStatuses: Record<Status | 'all' | 'active', readonly ('open' | 'merged' | 'archived')[]> = {
  active: ['open'],
  open: ['open'],
  approved: ['open'],
  expired: ['open'],
  outdated: ['open'],
  rejected: ['archived'],
  applying: ['merged'],
  applied: ['merged'],
  failed: ['merged'],
  reverted: ['merged'],
  all: ['open', 'merged', 'archived'],
};

/** Prints proposals. */
export async function listAll(invocation: ListInvocation): Promise<void> {
  const { status } = invocation.flags;
  const desk = await openDesk(invocation);
  if (desk.spaceId === undefined) {
    await printList(invocation, []);
    return invocation.io.note('There are no proposals that you can see.');
  }
  // What is not a proposal, or can no longer be read, has no content.
  const proposals = (await listProposals(desk.port, desk.spaceId, requestStatuses[status ?? 'active'])).filter(
    ({ payload }) => payload !== undefined,
  );
  const administrators = proposals.length === 0 ? undefined : await administratorsOf(desk.client, desk.orgId);
  const rules = { administrators, required: desk.required, now: Date.now() };
  const judged = new Map<string, Judged>();
  await eachOf(proposals, async (each) => void judged.set(each.request.id, await judge(desk.client, each, rules)), 4);
  const rows = proposals.flatMap((each) => {
    const own = judged.get(each.request.id);
    if (!own || (status !== undefined && status !== 'all' && own.status !== status)) return [];
    const { id, number, title, author, createdAt, expiresAt, hash, required, approvals, ...shown } = shownProposal(
      desk,
      each,
      own,
    );
    const { command, plan } = shown;
    const { status: current } = own;
    const facts = { id, number, title, status: current, author, createdAt, expiresAt, hash, required, approvals };
    return [withoutUndefined({ ...facts, command, plan })];
  });
  await printList(invocation, rows);
}

/** Prints a proposal, and for people what its rehearsal showed. */
export async function viewOne(invocation: Invocation): Promise<void> {
  const { io, globals } = invocation;
  const { proposal, judged, ...desk } = await openProposal(invocation, argument(invocation, 'proposal'));
  await print(invocation, shownProposal(desk, proposal, judged));
  const isForPeople = globals.output === undefined && globals.jq === undefined && globals.columns === undefined;
  if (!isForPeople) return;
  if (proposal.report) await io.out.write(`\n${await storedText(proposal.report, io.screen.color)}`);
  else await io.note('It has no rehearsal that can be read.');
}
