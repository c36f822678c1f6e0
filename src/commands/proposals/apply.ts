import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { argument } from '../../cli/command/invocation.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import { wasRefused } from '../../journal/journal-files.ts';
import type { ProposalEvent } from '../../proposals/events.ts';
import type { StoredReport } from '../../proposals/pages.ts';
import { claimProposal, postEvent } from '../../proposals/proposal.ts';
import { journalParts } from '../../proposals/stored-journal.ts';
import { messageOf } from '../../shared/error-text.ts';
import { visible } from '../../shared/visible.ts';
import { differencesFrom, type Executed, executeProposal, rehearseProposal } from '../shared/proposal-rehearsal.ts';
import { callerOf, type Opened, openProposal } from '../shared/proposals.ts';
import { storedText } from '../shared/rehearsal-text.ts';
import { printNow, refuseClosed, refuseOutdated } from './refusals.ts';

type ApplyInvocation = Invocation<Record<string, string>, { approvedByPullRequest?: string | undefined }>;

/** Applies an approved proposal, once. */
export async function applyProposal(invocation: ApplyInvocation): Promise<void> {
  const { io, globals } = invocation;
  const opened = await openProposal(invocation, argument(invocation, 'proposal'));
  const { port, proposal, judged, required } = opened;
  const { number } = proposal.request;
  refuseClosed(proposal, judged);
  const caller = await callerOf(opened);
  if (!caller.isAdministrator)
    throw new CommandError('Only administrators can apply proposals. Nothing was sent.', {
      exitCode: exit.forbidden,
      hint: 'Ask an administrator.',
    });
  const pullRequest = pullRequestOf(invocation);
  const count = judged.approvals.length + (pullRequest === undefined ? 0 : 1);
  if (count < required)
    throw new CommandError(
      `Proposal ${number} has ${count} of ${required} approval${required === 1 ? '' : 's'}. Nothing was sent.`,
      {
        exitCode: exit.forbidden,
        hint: `Another administrator approves it with "docsctl proposals approve ${number}"; "docsctl proposals view ${number}" shows which approvals do not count, and why.`,
      },
    );
  if (globals.dryRun) return io.note(`Would rehearse proposal ${number} again, and apply it.`);
  const report = await rehearseProposal(invocation, proposal.payload, caller);
  const isOther = pullRequest !== undefined && proposal.report?.isComplete && proposal.report.digest !== report.digest;
  if (isOther || judged.approvals.some(({ event }) => event.digest !== report.digest))
    await refuseOutdated(invocation, opened, differencesFrom(proposal.report, report));
  if (!io.quiet) await io.err.write(await storedText(report, io.hasErrorColor));
  await confirmQuestion(invocation, `Apply proposal ${number}, "${visible(proposal.payload.title)}"?`);
  await claimProposal(port, proposal);
  const claim = randomBytes(9).toString('base64url');
  await postEvent(port, proposal, { docsctl: 'started', hash: proposal.hash, host: hostname(), claim });
  await run(invocation, opened, { report, pullRequest });
}

/** The merged pull request whose review counts as an approval, in a job of GitHub or GitLab. @throws UsageError elsewhere */
function pullRequestOf({ flags, session: { env } }: ApplyInvocation): string | undefined {
  const { approvedByPullRequest: address } = flags;
  if (address === undefined) return undefined;
  if (!/^https?:\/\/\S{1,500}$/.test(address))
    throw new UsageError('--approved-by-pull-request: This is not the address of a pull request.', 'Pass its URL.');
  if (env.GITHUB_ACTIONS !== 'true' && env.GITLAB_CI !== 'true')
    throw new UsageError(
      '--approved-by-pull-request works in jobs of GitHub and GitLab only.',
      'Elsewhere, another administrator approves the proposal.',
    );
  return address;
}

interface Approved {
  report: StoredReport;
  pullRequest: string | undefined;
}

async function run(invocation: Invocation, opened: Opened, { report, pullRequest }: Approved): Promise<void> {
  const { proposal } = opened;
  const { number } = proposal.request;
  const executed = await executeProposal(invocation, proposal.payload, report).catch((error: unknown) => error);
  if (!isExecuted(executed)) {
    const nothing = { status: exit.failed, failure: undefined, entries: [], pullRequest };
    await record(invocation, opened, nothing, messageOf(executed));
    throw executed;
  }
  const { status, failure } = executed;
  await record(invocation, opened, { ...executed, pullRequest }, failure?.message);
  await printNow(invocation, opened);
  if (status === exit.done) return;
  throw new CommandError(`Proposal ${number} ended with status ${status}: ${failure?.message ?? 'it was stopped.'}`, {
    exitCode: status,
    hint: `"docsctl proposals view ${number}" shows its result, and "docsctl proposals revert ${number}" undoes what it changed.`,
  });
}

const isExecuted = (value: unknown): value is Executed =>
  typeof value === 'object' && value !== null && 'entries' in value;

const maxError = 500;

/** Stores the result and the journal; also after Ctrl-C. */
async function record(
  { io }: Invocation,
  { client, proposal }: Opened,
  { status, entries, pullRequest }: Executed & { pullRequest: string | undefined },
  error: string | undefined,
): Promise<void> {
  const { parts, hash } = journalParts(entries);
  const port = { client, signal: AbortSignal.timeout(60_000) };
  const changes = entries.flatMap((entry) => entry.changes).filter((change) => !wasRefused(change)).length;
  const ended: ProposalEvent = {
    docsctl: 'ended',
    hash: proposal.hash,
    status,
    ...(error !== undefined && { error: Array.from(error).slice(0, maxError).join('') }),
    changes,
    journalParts: parts.length,
    journalHash: hash,
    ...(pullRequest !== undefined && { pullRequest }),
  };
  try {
    for (const [part, data] of parts.entries()) await postEvent(port, proposal, { docsctl: 'journal', part, data });
    await postEvent(port, proposal, ended);
  } catch (failure) {
    await io.err.write(
      `The result could not be stored in the proposal: ${messageOf(failure)} "docsctl history list" on this machine has what was sent.\n`,
    );
  }
}
