import { changesIn } from '../../contract/changes.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { type JournalEntry, type SentChange, undoOf } from '../../journal/journal-files.ts';
import { actorOf, describeChange, isAbout, isBy } from '../../journal/describe-change.ts';
import { momentForms, momentOf } from '../../cli/command/filter/moment.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { wholeNumber } from '../shared/whole-number.ts';
import type { HistoryFlags } from './flags.ts';
import { changeLines } from '../../cli/output/change-lines.ts';
import { visible } from '../../cli/output/index.ts';
import { loadPaint } from '../../cli/output/paint.ts';
import { entryNumbered, lineOf, readJournal } from '../shared/journal.ts';

export async function listHistory(invocation: Invocation<{}, HistoryFlags>): Promise<void> {
  const { entries } = await readJournal(invocation);
  const { user, about, since } = invocation.flags;
  const start = since === undefined ? undefined : startOf(since);
  const limit = limitOf(invocation.values.limit);
  const selected = entries.filter(
    (entry) =>
      (user === undefined || isBy(entry, user)) &&
      (about === undefined || isAbout(entry, about)) &&
      (start === undefined || Date.parse(entry.time) >= start),
  );
  const rows = selected.slice(0, limit).map((entry) => ({
    ...entry,
    line: lineOf(entry),
    actor: actorOf(entry),
    about: aboutText(entry),
    ...undoText(entry, entries),
  }));
  await printList(invocation, rows);
  if (entries.length === 0) await invocation.io.note('The journal is empty: no command has changed anything yet.');
  else if (rows.length === 0) await invocation.io.note('No entry matches.');
}

/** @throws UsageError */
function startOf(since: string): number {
  const moment = momentOf(since, Date.now());
  if (moment) return moment.start;
  throw new UsageError(`--since: "${since}" is not ${momentForms}.`);
}

/** @throws UsageError */
function limitOf(limit: unknown): number | undefined {
  return limit === undefined ? undefined : wholeNumber('--limit', String(limit));
}

const maxDescribed = 20;

/** What the command changed, in words. */
function aboutText({ changes }: JournalEntry): string {
  const texts = changes.slice(0, maxDescribed).map(describeChange);
  return [...texts, ...(changes.length > maxDescribed ? [`and ${changes.length - maxDescribed} more`] : [])].join('; ');
}

function undoText(entry: JournalEntry, entries: readonly JournalEntry[]): { undo?: string } {
  const by = undoOf(entry, entries);
  if (by) return { undo: `undone by ${by.number}` };
  return entry.undoes === undefined ? {} : { undo: `undoes ${entry.undoes}` };
}

export async function viewEntry(invocation: InvocationOf<'view <number>'>): Promise<void> {
  const { args, globals, io } = invocation;
  const journal = await readJournal(invocation);
  const entry = entryNumbered(journal, args.number ?? '');
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined)
    return print(invocation, { ...entry, line: lineOf(entry) });
  const paint = await loadPaint(io.screen.color);
  const { number, time, profile, url, result, status, error } = entry;
  const person = actorOf(entry);
  const by = undoOf(entry, journal.entries);
  const head = [
    `${paint(`${number}`, 'head')}  ${visible(lineOf(entry))}`,
    `at ${time}${person === undefined ? '' : ` by ${visible(person)}`}`,
    `${profile === undefined ? '' : `profile ${profile}, `}${visible(url)}`,
    `${result}${status === undefined ? '' : `, status ${status}`}${error === undefined ? '' : `: ${visible(error)}`}`,
    ...(entry.undoes === undefined ? [] : [`undoes ${entry.undoes}`]),
    ...(by ? [`undone by ${by.number}`] : []),
  ];
  const changes = await Promise.all(entry.changes.map((change) => changeText(change, paint)));
  await io.out.write(`${[...head, ...changes.flat()].join('\n')}\n`);
}

/** One request: its address, its status, and what it changed. */
async function changeText(change: SentChange, paint: Awaited<ReturnType<typeof loadPaint>>): Promise<string[]> {
  const { method, path, params, status, error, unsent, before, after } = change;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `{${name}}`);
  const answer = unsent ? 'not sent' : status === undefined ? 'no response' : String(status);
  const fields = changesIn('', before ?? {}, after ?? {}).map((field) => ({
    ...field,
    field: field.field.replace(/^\./, ''),
  }));
  const lines = await Promise.all(fields.map((field) => changeLines(field, paint, visible)));
  return [
    visible(describeChange(change)),
    `  ${method} ${visible(address)}  ${answer}${error === undefined ? '' : `  ${visible(error)}`}`,
    ...lines.flat().map((line) => `    ${line}`),
  ];
}
