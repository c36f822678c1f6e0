import { changesIn } from '../../contract/changes.ts';
import type { InvocationOf } from '../../cli/command/define.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { printList } from '../../cli/command/list.ts';
import { type JournalEntry, type SentChange, undoOf } from '../../journal/journal-files.ts';
import { changeLines } from '../../cli/output/change-lines.ts';
import { visible } from '../../cli/output/index.ts';
import { loadPaint } from '../../cli/output/paint.ts';
import { entryNumbered, lineOf, readJournal } from '../shared/journal.ts';

export async function listHistory(invocation: Invocation): Promise<void> {
  const { entries } = await readJournal(invocation);
  const rows = entries.map((entry) => ({ ...entry, line: lineOf(entry), ...undoText(entry, entries) }));
  await printList(invocation, rows);
  if (rows.length === 0) await invocation.io.note('The journal is empty: no command has changed anything yet.');
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
  const { number, time, user, login, profile, url, result, status, error } = entry;
  const person = user?.email ?? user?.id ?? login;
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
  const { method, path, params, status, error, before, after } = change;
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? `{${name}}`);
  const answer = status === undefined ? 'no response' : String(status);
  const fields = changesIn('', before ?? {}, after ?? {}).map((field) => ({
    ...field,
    field: field.field.replace(/^\./, ''),
  }));
  const lines = await Promise.all(fields.map((field) => changeLines(field, paint, visible)));
  return [
    `${method} ${visible(address)}  ${answer}${error === undefined ? '' : `  ${visible(error)}`}`,
    ...lines.flat().map((line) => `    ${line}`),
  ];
}
