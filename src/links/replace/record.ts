import { hash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import type { Docs } from '../../shared/docs.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { visible } from '../../shared/visible.ts';
import { DiskFolder } from '../../site/folder/disk-folder.ts';
import { removeHalfWritten, writeChanged } from '../write-changed.ts';

/** What a replacement wrote into a file, so that it can continue after an interruption, and be undone. */
interface WrittenFile {
  /** Hashes of the text. */
  before: string;
  after: string;
  /** Lines before the replacement, by their numbers from 0; the whole text if it has more or fewer lines now. */
  lines: [number, string][] | string;
}

const hashOf = (text: string) => hash('sha256', text);

export function writtenFile(before: string, after: string): WrittenFile {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const lines = old.flatMap((line, number): [number, string][] => (line === now[number] ? [] : [[number, line]]));
  return { before: hashOf(before), after: hashOf(after), lines: old.length === now.length ? lines : before };
}

export const isWritten = (record: ReadonlyMap<string, WrittenFile>, path: string, text: string): boolean =>
  record.get(path)?.after === hashOf(text);

/** The files of a run, by their whole paths. Empty if there is no such record. */
export function readRecord(file: string): ReadonlyMap<string, WrittenFile> {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    // Only this program writes it.
    return new Map(isObject(value) ? (Object.entries(value) as [string, WrittenFile][]) : []);
  } catch {
    return new Map();
  }
}

export async function writeRecord(file: string, written: ReadonlyMap<string, WrittenFile>): Promise<void> {
  makeFolder(join(file, '..'));
  await writeFileAtomic(file, JSON.stringify(Object.fromEntries(written)), 0o600);
}

const ended = '.done.json';
const maxEnded = 20;

/** Keeps the record of a run that has ended, to undo it. The same replacement may be made again. */
export function endRecord(file: string): void {
  if (readRecord(file).size === 0) return;
  renameSync(file, file.replace(/\.json$/, `-${Date.now()}${ended}`));
  const older = recordsIn(join(file, '..')).filter((name) => name.endsWith(ended));
  for (const name of older.slice(maxEnded)) rmSync(name, { force: true });
}

/** The newest first. */
function recordsIn(folder: string): string[] {
  try {
    const files = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [join(folder, name)] : []));
    return files.toSorted((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
  } catch {
    return [];
  }
}

export interface Undone {
  /** How many files were changed back. */
  files: number;
  /** Files that were not changed back, and why. */
  failed: { file: string; reason: string }[];
}

/**
 * Undoes the last replacement in folders as a whole, also one that was interrupted.
 *
 * @param records the folder of records
 * @returns undefined if there is none
 * @throws EngineError if it has changed files outside of the folders, too
 */
export async function undoReplaced(
  docs: readonly Docs[],
  records: string,
  { signal, dryRun }: { signal: AbortSignal; dryRun: boolean },
): Promise<Undone | undefined> {
  const disks = docs.map(({ path }) => new DiskFolder(path));
  const diskOf = (path: string) => disks.find((disk) => path.startsWith(disk.path + sep));
  const last = recordsIn(records).find((file) => readRecord(file).keys().some(diskOf));
  if (last === undefined) return undefined;
  const undone: Undone = { files: 0, failed: [] };
  const record = [...readRecord(last)].map(([path, written]) => ({
    path,
    written,
    disk: diskOf(path) ?? refuse(path),
  }));
  if (!dryRun) disks.forEach(removeHalfWritten);
  for (const { path, written, disk } of record) {
    signal.throwIfAborted();
    const file = relative(disk.path, path).replaceAll('\\', '/');
    const text = disk.textOnce(file);
    // An interrupted run did not change it, or has changed it back.
    if (text !== undefined && hashOf(text) === written.before) continue;
    const reason = await changeBack(disk, file, { text, written, dryRun });
    if (reason === undefined) undone.files += 1;
    else undone.failed.push({ file: relative(process.cwd(), path), reason });
  }
  if (!dryRun && undone.failed.length === 0) rmSync(last, { force: true });
  return undone;
}

function refuse(path: string): never {
  throw new EngineError('refused', `The last replacement also changed ${visible(relative(process.cwd(), path))}.`, {
    hint: 'Name all folders that it was made in.',
  });
}

/** @returns why it was not changed */
async function changeBack(
  disk: DiskFolder,
  file: string,
  { text, written: { after, lines }, dryRun }: { text: string | undefined; written: WrittenFile; dryRun: boolean },
): Promise<string | undefined> {
  if (text === undefined) return 'it cannot be read';
  if (hashOf(text) !== after) return 'it has changed since';
  const old = typeof lines === 'string' ? lines : withLines(text, lines);
  return writeChanged(disk, file, { before: text, after: old }, dryRun);
}

function withLines(text: string, lines: readonly [number, string][]): string {
  const all = text.split('\n');
  for (const [number, line] of lines) all[number] = line;
  return all.join('\n');
}
