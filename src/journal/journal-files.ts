import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject } from '../shared/is-object.ts';
import { makePrivate, privately, withLock } from '../shared/lock.ts';
import type { SentChange } from './recorder.ts';

/** What a command did, as one line of the journal. */
export interface JournalEntry {
  number: number;
  /** When the command began, as ISO 8601. */
  time: string;
  version: string;
  profile?: string;
  /** Address of the service. */
  url: string;
  /** Whose token it was, where the command read the state before its change anyway. */
  user?: { id: string; email?: string };
  /** Name of the account on this machine. */
  login?: string;
  /** The words of the command line, without secrets. */
  command: string[];
  changes: SentChange[];
  /** Interrupted: the process was ended before the command was. */
  result: 'done' | 'failed' | 'interrupted';
  /** Exit status; absent where the process was ended. */
  status?: number;
  error?: string;
  /** The entry whose changes it took back. */
  undoes?: number;
}

export type NewEntry = Omit<JournalEntry, 'number'>;

const current = 'journal.jsonl';
/** A file is closed when it is this long. Of the closed ones, so many are kept, of so many bytes in all. */
const limits = { bytes: 4 * 1024 * 1024, closedFiles: 8, closedBytes: 64 * 1024 * 1024 };

/**
 * The folder of a journal: that of the profile, or of the address where no profile is in use.
 *
 * @param stateFolder holds all journals
 */
export function journalFolder(
  stateFolder: string,
  { profile, url }: { profile: string | undefined; url: string },
): string {
  const name =
    profile === undefined
      ? `service-${createHash('sha256').update(url).digest('hex').slice(0, 16)}`
      : `profile-${profile}`;
  return join(stateFolder, 'journal', name);
}

/** Keeps the journal of a profile that gets another name; one that is there already stays. */
export function renameJournal(stateFolder: string, from: string, to: string): void {
  const [before, after] = [from, to].map((profile) => journalFolder(stateFolder, { profile, url: '' }));
  if (before !== undefined && after !== undefined && existsSync(before) && !existsSync(after))
    renameSync(before, after);
}

/** Makes the folder, for its owner alone. */
export const openFolder = (folder: string): void => privately(() => makePrivate(folder));

/** Adds an entry with the next number. Commands that end at once do it one after the other. */
export async function appendEntry(folder: string, entry: NewEntry): Promise<JournalEntry> {
  return withLock({ folder, what: 'journal' }, () => {
    const numbered = { number: lastNumber(folder) + 1, ...entry };
    privately(() => append(folder, numbered));
    return numbered;
  });
}

function append(folder: string, entry: JournalEntry): void {
  const file = join(folder, current);
  if (existsSync(file) && statSync(file).size > limits.bytes) close(folder, file);
  // A line that was cut off by a full disk ends here.
  appendFileSync(file, `${isTorn(file) ? '\n' : ''}${JSON.stringify(entry)}\n`, { mode: 0o600 });
}

function isTorn(file: string): boolean {
  if (!existsSync(file)) return false;
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const last = Buffer.alloc(1);
    return size > 0 && readSync(descriptor, last, 0, 1, size - 1) === 1 && last.toString() !== '\n';
  } finally {
    closeSync(descriptor);
  }
}

function close(folder: string, file: string): void {
  const last = String(lastNumber(folder)).padStart(10, '0');
  renameSync(file, join(folder, `journal-${last}.jsonl`));
  let bytes = 0;
  for (const [age, name] of closedFiles(folder).toReversed().entries()) {
    bytes += statSync(join(folder, name)).size;
    if (age > 0 && (age >= limits.closedFiles || bytes > limits.closedBytes))
      rmSync(join(folder, name), { force: true });
  }
}

/** Oldest first. */
const closedFiles = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => /^journal-\d+\.jsonl$/.test(name))
        .toSorted()
    : [];

function lastNumber(folder: string): number {
  for (const name of [current, closedFiles(folder).at(-1) ?? '-']) {
    const entry = lastEntryIn(join(folder, name));
    if (entry) return entry.number;
  }
  return 0;
}

function lastEntryIn(file: string): JournalEntry | undefined {
  if (!existsSync(file)) return undefined;
  for (const line of readFileSync(file, 'utf8').split('\n').toReversed()) {
    const value = parsed(line);
    if (isEntry(value)) return value;
  }
  return undefined;
}

/** All entries, the newest first. @throws Error of the system where they cannot be read */
export function readEntries(folder: string): JournalEntry[] {
  const files = [...closedFiles(folder), current];
  return files.flatMap((name) => entriesIn(join(folder, name))).toReversed();
}

function entriesIn(file: string): JournalEntry[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const value = parsed(line);
      return isEntry(value) ? [value] : [];
    });
}

const isEntry = (value: unknown): value is JournalEntry =>
  isObject(value) &&
  typeof value['number'] === 'number' &&
  typeof value['time'] === 'string' &&
  typeof value['url'] === 'string' &&
  Array.isArray(value['command']) &&
  Array.isArray(value['changes']);

function parsed(line: string): unknown {
  if (line === '') return undefined;
  try {
    return JSON.parse(line);
  } catch {
    // Cut off by a full disk.
    return undefined;
  }
}

const runningName = /^running-(\d+)-[0-9a-f]+\.jsonl$/;

/** The file in which a command keeps what it does until it has ended. */
export const runningFile = (folder: string, random: string): string =>
  join(folder, `running-${process.pid}-${random}.jsonl`);

/** What was kept of a command: its beginning, and the changes by their index. */
export function readRunning(file: string): NewEntry | undefined {
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n').map(parsed);
  if (!isObject(first) || typeof first['time'] !== 'string') return undefined;
  const changes: SentChange[] = [];
  for (const line of rest) if (isChange(line)) changes[line.index] = line.change;
  // It was written by this module.
  return {
    ...(first as Omit<NewEntry, 'changes' | 'result'>),
    changes: changes.filter(Boolean),
    result: 'interrupted',
  };
}

const isChange = (line: unknown): line is { index: number; change: SentChange } =>
  isObject(line) && typeof line['index'] === 'number' && isObject(line['change']);

/** Adds what ended commands could not add themselves, because a signal or the system ended them. */
export async function adoptEnded(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, pid] = runningName.exec(name) ?? [];
    if (pid === undefined || Number(pid) === process.pid || isAlive(Number(pid))) continue;
    await withLock({ folder, what: 'journal' }, () => {
      const file = join(folder, name);
      // Another command may have been faster.
      if (!existsSync(file)) return;
      const entry = readRunning(file);
      if (entry && entry.changes.length > 0)
        privately(() => append(folder, { number: lastNumber(folder) + 1, ...entry }));
      rmSync(file, { force: true });
    });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
