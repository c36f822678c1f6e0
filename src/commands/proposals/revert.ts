import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { argument, withPort } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { CommandError, exit, refused } from '../../cli/program/failure.ts';
import type { JournalEntry } from '../../journal/journal-files.ts';
import { type Kept, planUndo, requestAddress, sendUndo, type UndoPlan } from '../../journal/undo.ts';
import { postEvent } from '../../proposals/proposal.ts';
import { storedJournal } from '../../proposals/stored-journal.ts';
import { messageOf } from '../../shared/error-text.ts';
import { callerOf, type Opened, openProposal } from '../shared/proposals.ts';
import { printNow } from './refusals.ts';

/** Undoes everything that an applied proposal changed, or nothing. */
export async function revert(invocation: Invocation): Promise<void> {
  const { io, globals } = invocation;
  const opened = await openProposal(invocation, argument(invocation, 'proposal'));
  const { client, proposal } = opened;
  const { number } = proposal.request;
  const entry = changesOf(opened);
  const caller = await callerOf(opened);
  if (!caller.isAdministrator)
    throw new CommandError('Only administrators can revert proposals. Nothing was sent.', {
      exitCode: exit.forbidden,
      hint: 'Ask an administrator.',
    });
  // What is reverted was approved, and so was what it replaced.
  invocation.session.approvals.isChecked = true;
  const plan = await planUndo(client, entry);
  refuse(number, plan);
  const requests = plan.steps.flatMap((step) => step.requests);
  await io.note(
    [
      `${globals.dryRun ? 'Would revert' : 'Revert'} proposal ${number}:`,
      ...requests.map((request) => `  ${request.endpoint.method} ${visible(requestAddress(request))}`),
    ].join('\n'),
  );
  if (globals.dryRun) return;
  await confirmQuestion(invocation, `Send ${requests.length} request${requests.length === 1 ? '' : 's'}?`);
  await send(invocation, opened, plan);
}

/** Everything that was changed, as one entry, so that several changes of one object are undone together. */
function changesOf({ proposal: { request, events }, judged: { status, ended } }: Opened): JournalEntry {
  const { number } = request;
  if (status === 'reverted') throw refused(`Proposal ${number} was reverted already. Nothing was sent.`);
  if (!ended)
    throw refused(
      request.status === 'merged'
        ? `Proposal ${number} has no result: its apply is still running, or was killed. Nothing was sent.`
        : `Proposal ${number} was not applied, so there is nothing to revert.`,
      request.status === 'merged'
        ? 'What it sent is in the journal of the machine that applied it: use "docsctl history list" and "docsctl undo" there.'
        : `"docsctl proposals reject ${number}" rejects it.`,
    );
  const { journalParts: count, journalHash: hash, changes } = ended.event;
  if (changes === 0) throw refused(`Proposal ${number} changed nothing, so there is nothing to revert.`);
  const entries = storedJournal(events, { user: ended.user.id, count, hash });
  if (!entries || entries.length === 0)
    throw refused(
      `The journal of proposal ${number} is not stored with it, or was edited. Nothing was sent.`,
      'Use "docsctl undo" on the machine that applied it.',
    );
  const [first] = entries;
  if (!first) throw new Error('There is no entry.');
  return { ...first, changes: entries.flatMap((entry) => entry.changes) };
}

/** @throws CommandError if a part cannot be undone */
function refuse(number: number, { impossible, changed, steps }: UndoPlan): void {
  const kept = [...changed, ...impossible];
  if (kept.length > 0) {
    const lines = [...new Set(kept.map(({ address, reason }: Kept) => `  ${visible(address)}: ${visible(reason)}`))];
    const text = `Proposal ${number} cannot be reverted as a whole. Nothing was sent.`;
    throw new CommandError(text, {
      exitCode: exit.refused,
      report: { text: [text, ...lines].join('\n'), members: { changed, impossible } },
      hint: 'Propose the changes that are still needed: docsctl propose -- COMMAND',
    });
  }
  if (steps.length === 0) throw refused(`Proposal ${number} has nothing left to revert: all values are as they were.`);
}

const maxError = 500;

async function send(invocation: Invocation, opened: Opened, plan: UndoPlan): Promise<void> {
  const { client, proposal } = opened;
  const { number } = proposal.request;
  const { rows, failure } = await withPort(invocation, { text: 'Reverting', client }, (port) => sendUndo(port, plan));
  const hasSent = rows.some(({ result }) => result === 'done');
  if (failure !== undefined && !hasSent) throw failure;
  const port = { client, signal: AbortSignal.timeout(60_000) };
  const status = failure === undefined ? exit.done : exit.someFailed;
  const error = failure === undefined ? undefined : Array.from(messageOf(failure)).slice(0, maxError).join('');
  await postEvent(port, proposal, { docsctl: 'reverted', status, ...(error !== undefined && { error }) });
  await printNow(invocation, opened);
  if (failure === undefined) return;
  throw new CommandError(`Proposal ${number} was reverted only in part: ${error}`, {
    exitCode: exit.someFailed,
    hint: `What was undone stays undone. "docsctl proposals revert ${number}" continues from there.`,
  });
}
