import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { CommandError, exit, refused } from '../../cli/program/failure.ts';
import type { StoredReport } from '../../proposals/pages.ts';
import { archiveProposal, editorsAmong, postEvent } from '../../proposals/proposal.ts';
import { visible } from '../../shared/visible.ts';
import { differencesFrom, rehearseProposal } from '../shared/proposal-rehearsal.ts';
import { callerOf, type Opened, openProposal, shownProposal } from '../shared/proposals.ts';
import { storedText } from '../shared/rehearsal-text.ts';
import { printNow, refuseClosed, refuseOutdated } from './refusals.ts';

/** Approves a proposal after a new rehearsal. */
export async function approve(invocation: Invocation): Promise<void> {
  const { io, globals } = invocation;
  const opened = await openProposal(invocation, argument(invocation, 'proposal'));
  const { client, port, proposal, judged } = opened;
  const { number } = proposal.request;
  refuseClosed(proposal, judged);
  const caller = await callerOf(opened);
  if (!caller.isAdministrator) throw forbidden('Only administrators can approve proposals.', 'Ask an administrator.');
  if ((await editorsAmong(client, proposal, [caller.id])).has(caller.id))
    throw forbidden(
      `You wrote or edited proposal ${number}, so somebody else has to approve it.`,
      `Ask another administrator to run "docsctl proposals approve ${number}".`,
    );
  if (globals.dryRun) return io.note(`Would rehearse proposal ${number} on a copy, and approve it.`);
  const report = await rehearseProposal(invocation, proposal.payload, caller);
  await refuseOther(invocation, opened, report);
  if (judged.approvals.some(({ user }) => user.id === caller.id)) {
    await print(invocation, shownProposal(opened, proposal, judged));
    return io.note(`You have approved proposal ${number} already.`);
  }
  if (!io.quiet) await io.err.write(await storedText(report, io.hasErrorColor));
  await confirmQuestion(invocation, `Approve proposal ${number}, "${visible(proposal.payload.title)}"?`);
  await postEvent(port, proposal, { docsctl: 'approved', hash: proposal.hash, digest: report.digest });
  await printNow(invocation, opened);
}

/** @throws CommandError if the rehearsal does not show what the author or an earlier approver saw */
async function refuseOther(invocation: Invocation, opened: Opened, report: StoredReport): Promise<void> {
  const { proposal, judged } = opened;
  const earlier = judged.approvals.find(({ event }) => event.digest !== report.digest);
  const isOther = proposal.report?.isComplete === true && proposal.report.digest !== report.digest;
  if (!isOther && !earlier) return;
  await refuseOutdated(invocation, opened, differencesFrom(proposal.report, report));
}

/** Rejects a proposal, or withdraws it. */
export async function reject(
  invocation: Invocation<Record<string, string>, { reason?: string | undefined }>,
): Promise<void> {
  const { io, globals, flags } = invocation;
  const opened = await openProposal(invocation, argument(invocation, 'proposal'));
  const { port, proposal } = opened;
  const { number, status, createdBy } = proposal.request;
  if (status !== 'open')
    throw refused(`Proposal ${number} was ${status === 'merged' ? 'applied' : 'rejected'} already.`, undefined);
  const caller = await callerOf(opened);
  if (!caller.isAdministrator && caller.id !== createdBy.id)
    throw forbidden('Only administrators can reject the proposals of others.', 'Ask an administrator.');
  if (globals.dryRun) return io.note(`Would reject proposal ${number}.`);
  const { reason } = flags;
  const text = reason === undefined ? undefined : Array.from(reason).slice(0, maxReason).join('');
  await postEvent(port, proposal, { docsctl: 'rejected', ...(text !== undefined && { reason: text }) });
  await archiveProposal(port, proposal);
  await printNow(invocation, opened);
}

const maxReason = 1000;

const forbidden = (message: string, hint: string) => new CommandError(message, { exitCode: exit.forbidden, hint });
