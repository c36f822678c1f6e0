import type { Client } from '../../client/client.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { changesIn } from '../../contract/changes.ts';
import { checkCall } from '../../cli/command/dry-run/check-call.ts';
import { printList } from '../../cli/command/list.ts';
import { type JournalEntry, undoOf } from '../../journal/journal-files.ts';
import { changeLines } from '../../cli/output/change-lines.ts';
import { withPort } from '../../cli/command/invocation.ts';
import { visible } from '../../cli/output/index.ts';
import { loadPaint } from '../../cli/output/paint.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { failureAfter } from '../../journal/last-failure.ts';
import { messageOf } from '../../shared/error-text.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { entryNumbered, type Journal, lineOf, readJournal } from '../shared/journal.ts';
import { type Kept, planUndo, requestAddress, rowsOf, sendUndo, type UndoPlan } from '../../journal/undo.ts';

type UndoInvocation = Invocation<{ number?: string | undefined }, { partial?: boolean | undefined }>;

/** Undoes the changes of a command. */
export async function runUndo(invocation: UndoInvocation): Promise<void> {
  const { args, globals, session, io } = invocation;
  const journal = await readJournal(invocation);
  const entry = entryNumbered(journal, args.number);
  if (args.number === undefined) await tellFailure(invocation, journal, entry);
  refuseOther(journal, entry);
  session.undoes = entry.number;
  const client = await session.client();
  const plan = await planUndo(client, entry);
  refuse(invocation, entry, plan);
  await io.note(`${globals.dryRun ? 'Would undo' : 'Undo'} ${entry.number}: ${visible(lineOf(entry))}`);
  await printPlan(invocation, plan);
  const count = plan.steps.flatMap(({ requests }) => requests).length;
  if (count === 0) return io.note('There is nothing to undo: all values are as they were.');
  if (globals.dryRun) {
    for (const { endpoint, params, body } of plan.steps[0]?.requests.slice(0, 1) ?? [])
      await checkCall(invocation, { endpoint, params, body });
    await printList(invocation, rowsOf(plan.steps, 'not done'));
    return;
  }
  await confirmQuestion(invocation, `Send ${count} request${count === 1 ? '' : 's'}?`);
  await send(invocation, client, entry, plan);
}

/** @throws CommandError without a question if the last command failed: the user may mean that one */
async function tellFailure({ globals, io }: UndoInvocation, journal: Journal, entry: JournalEntry): Promise<void> {
  const failure = failureAfter(journal.folder, journal.entries[0]);
  if (!failure) return;
  const line = visible(shellCommand(['docsctl', ...failure.command]));
  const text = `The last command, ${line}, failed with status ${failure.status} and changed nothing.`;
  if (globals.dryRun || (io.interactive && !globals.yes)) return io.note(`${text} This is the one before it.`);
  throw new CommandError(`${text} Nothing was undone.`, {
    exitCode: exit.refused,
    hint: `To undo the one before it, use "docsctl undo ${entry.number}".`,
  });
}

function refuseOther({ url, entries }: Journal, entry: JournalEntry): void {
  if (entry.url !== url && entry.url.replace(/\/\/[^/]*@/, '//') !== url.replace(/\/\/[^/]*@/, '//'))
    throw new CommandError(`Entry ${entry.number} was sent to ${entry.url}, but the profile now has another address.`, {
      exitCode: exit.refused,
      hint: 'Use a profile with that address.',
    });
  const by = undoOf(entry, entries);
  if (by)
    throw new CommandError(`Entry ${entry.number} was already undone by entry ${by.number}.`, {
      exitCode: exit.refused,
      hint: `"docsctl undo ${by.number}" restores its changes; "docsctl undo <number>" undoes another entry.`,
    });
}

/** @throws CommandError with status 6 if a part cannot be undone */
function refuse({ flags }: UndoInvocation, { number }: JournalEntry, { steps, impossible, changed }: UndoPlan): void {
  const lines = keptLines([...changed, ...impossible]).map((line) => `  ${line}`);
  if (lines.length === 0 || (flags.partial && steps.length > 0)) return;
  const text = [
    `Entry ${number} cannot be undone${steps.length > 0 ? ' as a whole' : ''}. Nothing was sent.`,
    ...lines,
  ];
  throw new CommandError(text[0] ?? '', {
    exitCode: exit.refused,
    report: { text: text.join('\n'), members: { changed, impossible } },
    hint: steps.length > 0 ? 'Use --partial to undo the rest.' : `"docsctl history view ${number}" shows what it did.`,
  });
}

/** The changes that are not undone, without repetitions: a command may send the same request many times. */
function keptLines(kept: readonly Kept[]): string[] {
  const alike = Map.groupBy(kept, ({ address, reason }) => `${visible(address)}: ${visible(reason)}`);
  return [...alike].map(([line, { length }]) => (length === 1 ? line : `${line} (${length} times)`));
}

async function printPlan({ io }: UndoInvocation, { steps, impossible, changed }: UndoPlan): Promise<void> {
  const paint = await loadPaint(io.hasErrorColor);
  const lines: string[] = [];
  for (const { change, requests, note } of steps) {
    for (const { endpoint, params } of requests)
      lines.push(`${endpoint.method} ${visible(requestAddress({ endpoint, params }))}`);
    const isRemoval = requests.every(({ endpoint }) => endpoint.method === 'DELETE');
    const fields = isRemoval ? [] : changesIn('', change.after ?? {}, change.before ?? {});
    for (const field of fields) {
      const fieldLines = await changeLines({ ...field, field: field.field.replace(/^\./, '') }, paint, visible);
      lines.push(...fieldLines.map((line) => `    ${line}`));
    }
    if (isRemoval) lines.push(`    ${paint(`removes ${visible(nameOf(change.after))}`, 'bad')}`);
    if (note !== undefined) lines.push(`    ${visible(note)}`);
  }
  for (const line of keptLines([...changed, ...impossible])) lines.push(`${paint('stays', 'warn')}: ${line}`);
  await io.painted(lines);
}

function nameOf(object: Record<string, unknown> | undefined): string {
  const name = ['title', 'name', 'label', 'subject', 'slug', 'id'].map((key) => object?.[key]).find((each) => each);
  return typeof name === 'string' ? name : 'what it created';
}

async function send(invocation: UndoInvocation, client: Client, entry: JournalEntry, plan: UndoPlan): Promise<void> {
  const { rows, failure } = await withPort(invocation, { text: 'Undoing', client }, (port) => sendUndo(port, plan));
  await printList(invocation, rows);
  if (failure === undefined) return invocation.io.note(`Undid ${entry.number}.`);
  if (!rows.some(({ result }) => result === 'done')) throw failure;
  invocation.signal.throwIfAborted();
  throw new CommandError(`Entry ${entry.number} was undone only in part: ${messageOf(failure)}`, {
    exitCode: exit.someFailed,
    hint: `What was undone stays undone. "docsctl undo ${entry.number}" continues from there.`,
  });
}
