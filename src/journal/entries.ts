import type { JournalEntry } from './journal-files.ts';

/** The entry that undid another one, if it is still in effect. */
export function undoOf(entry: JournalEntry, entries: readonly JournalEntry[]): JournalEntry | undefined {
  return entries.find(
    (each) => each.undoes === entry.number && each.result === 'done' && undoOf(each, entries) === undefined,
  );
}
