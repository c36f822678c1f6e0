import type { Invocation, Word } from '../../cli/command/command.ts';
import { adoptEnded, type JournalEntry, readEntries, undoOf } from '../../journal/journal-files.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import { CommandError, UsageError, notFound } from '../../cli/program/failure.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';

/** The command line, quoted for a shell. */
export const lineOf = ({ command }: JournalEntry): string => shellCommand(['docsctl', ...command]);

export interface Journal {
  folder: string;
  url: string;
  /** Newest first. */
  entries: JournalEntry[];
}

/** The journal of the current profile or address. @throws CommandError if it cannot be read */
export async function readJournal({ session }: Pick<Invocation<{}, {}>, 'session'>): Promise<Journal> {
  const { folder, url } = await session.journalPlace();
  try {
    await adoptEnded(folder);
    return { folder, url, entries: readEntries(folder) };
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    throw new CommandError(`The journal in ${folder} cannot be read: ${fileReason(error, 'folder')}.`, {
      hint: 'Check its permissions, or set DOCSCTL_STATE_DIR to another folder.',
    });
  }
}

/** The entry with this number, by default the newest one that is in effect. @throws CommandError with status 5 */
export function entryNumbered({ entries }: Journal, number: string | undefined): JournalEntry {
  if (number !== undefined && !/^[1-9]\d*$/.test(number))
    throw new UsageError(
      `<number>: "${number}" is not the number of an entry.`,
      '"docsctl history list" shows the numbers.',
    );
  // An undo is only undone by its number: the same command twice must not do again what it has undone.
  const isInEffect = (each: JournalEntry) => each.undoes === undefined && undoOf(each, entries) === undefined;
  const entry = entries.find((each) => (number === undefined ? isInEffect(each) : each.number === Number(number)));
  if (entry) return entry;
  if (number === undefined && entries.length > 0)
    throw notFound(
      'Everything in the journal is undone already.',
      '"docsctl undo <number>" also undoes an undo; "docsctl history list" shows the numbers.',
    );
  const [oldest, newest] = [entries.at(-1)?.number, entries[0]?.number];
  throw notFound(
    newest === undefined
      ? 'The journal is empty.'
      : `There is no entry ${number}; the journal has ${oldest} to ${newest}.`,
    newest === undefined
      ? 'docsctl records every command that changes something.'
      : '"docsctl history list" lists the entries. Each profile has its own journal.',
  );
}

const maxSuggested = 50;

/** Suggests the newest entries. */
export async function entryWords(invocation: Pick<Invocation<{}, {}>, 'session'>): Promise<Word[]> {
  const { entries } = await readJournal(invocation);
  return entries
    .slice(0, maxSuggested)
    .map(({ number, command }) => ({ value: String(number), description: command.join(' ') }));
}
