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
import { jsonOf } from '../shared/json-of.ts';

/** A request that changes something, and its result. */
export interface SentChange {
  method: string;
  /** With `{name}` for path parameters, if the contract has the endpoint. */
  path: string;
  /** Its name in the contract; undefined for other addresses. */
  endpoint?: string;
  params: Record<string, string>;
  query?: unknown;
  body?: unknown;
  /** When it was sent, as ISO 8601. */
  started: string;
  /** The changed values before and after, as far as an undo needs them. */
  before?: unknown;
  after?: unknown;
  /** The ID of the created object. */
  id?: string;
  /** The titles of the objects that the request names, by ID. */
  titles?: Record<string, string>;
  /** Status of the response; undefined if there was none. */
  status?: number;
  /** Why it failed. */
  error?: string;
  /** Whether it ended before it was sent. */
  unsent?: true;
  /** Whether it was sent by "docsctl api", which sends no other requests. */
  alone?: true;
}

/** Whether the request certainly changed nothing. */
export const wasRefused = ({ status, unsent }: SentChange): boolean =>
  unsent === true || (status !== undefined && status >= 400);

/** An entry of the journal: the changes of one command. */
export interface JournalEntry {
  number: number;
  /** When the command started, as ISO 8601. */
  time: string;
  version: string;
  profile?: string;
  /** The address of the service. */
  url: string;
  /** The owner of the token, if the service names them. */
  user?: { id: string; email?: string; displayName?: string };
  /** The name of the account on this machine. */
  login?: string;
  /** The words of the command line, without secrets. */
  command: string[];
  changes: SentChange[];
  /** Interrupted: the process ended before the command did. */
  result: 'done' | 'failed' | 'interrupted';
  /** Exit status; undefined if the process was interrupted. */
  status?: number;
  error?: string;
  /** The entry that it undid. */
  undoes?: number;
}

export type NewEntry = Omit<JournalEntry, 'number'>;

const current = 'journal.jsonl';
/** The size at which a file is closed, and the number and total size of closed files to keep. */
const limits = { bytes: 4 * 1024 * 1024, closedFiles: 8, closedBytes: 64 * 1024 * 1024 };

/** The folder of the journal of a profile, or of an address if no profile is used. @param stateFolder has all journals */
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

/** Renames the journal with its profile. An existing journal is not replaced. */
export function renameJournal(stateFolder: string, from: string, to: string): void {
  const [before, after] = [from, to].map((profile) => journalFolder(stateFolder, { profile, url: '' }));
  if (before !== undefined && after !== undefined && existsSync(before) && !existsSync(after))
    renameSync(before, after);
}

/** Creates the folder with access only for its owner. */
export const openFolder = (folder: string): void => privately(() => makePrivate(folder));

/** Adds an entry with the next number. The lock serializes commands that end at the same time. */
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
  // A full disk may have cut off the last line.
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

const linesIn = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);

function lastEntryIn(file: string): JournalEntry | undefined {
  for (const line of linesIn(file).toReversed()) {
    // A full disk may have cut it off.
    const value = jsonOf(line);
    if (isEntry(value)) return value;
  }
  return undefined;
}

/** All entries, newest first. @throws system errors if they cannot be read */
export function readEntries(folder: string): JournalEntry[] {
  const files = [...closedFiles(folder), current];
  return files
    .flatMap((name) => linesIn(join(folder, name)))
    .map(jsonOf)
    .filter(isEntry)
    .toReversed();
}

const isEntry = (value: unknown): value is JournalEntry =>
  isObject(value) &&
  typeof value['number'] === 'number' &&
  typeof value['time'] === 'string' &&
  typeof value['url'] === 'string' &&
  Array.isArray(value['command']) &&
  Array.isArray(value['changes']);

const runningName = /^running-(\d+)-[0-9a-f]+\.jsonl$/;

/** The file in which a running command records its changes. */
export const runningFile = (folder: string, random: string): string =>
  join(folder, `running-${process.pid}-${random}.jsonl`);

/** The entry of a command that is running or was interrupted. */
export function readRunning(file: string): NewEntry | undefined {
  const [first, ...rest] = readFileSync(file, 'utf8').split('\n').map(jsonOf);
  if (!isObject(first) || typeof first['time'] !== 'string') return undefined;
  const changes: SentChange[] = [];
  for (const line of rest) if (isChange(line)) changes[line.index] = line.change;
  // This module wrote the file.
  return {
    ...(first as Omit<NewEntry, 'changes' | 'result'>),
    changes: changes.filter(Boolean),
    result: 'interrupted',
  };
}

const isChange = (line: unknown): line is { index: number; change: SentChange } =>
  isObject(line) && typeof line['index'] === 'number' && isObject(line['change']);

/** Adds the entries of commands that were killed before they could add them. */
export async function adoptEnded(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, pid] = runningName.exec(name) ?? [];
    if (pid === undefined || Number(pid) === process.pid || isAlive(Number(pid))) continue;
    await withLock({ folder, what: 'journal' }, () => {
      const file = join(folder, name);
      // Another command may have added it first.
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

/** The entry that undid another one, unless it was undone itself. */
export const undoOf = (entry: JournalEntry, entries: readonly JournalEntry[]): JournalEntry | undefined =>
  entries.find((each) => each.undoes === entry.number && each.result === 'done' && undoOf(each, entries) === undefined);
