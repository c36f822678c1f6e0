import { closeSync, existsSync, fstatSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { createBeside, isSymbolicLink } from '../../shared/atomic-write.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { primaryCode } from '../../shared/sqlite-error.ts';
import { sqlOf } from '../migrations/dialects.ts';
import { migrations } from '../migrations/index.ts';

/** "docs" in ASCII: marks a file as the database of an instance. */
const applicationId = 0x646f6373;
const headerLength = 100;
const busyTimeoutMs = 5000;

/** A database file that cannot be used, with a hint about what to do. */
export class UnusableFile extends Error {
  readonly hint: string;
  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Opens `file` after a check of its header; creates or migrates it. */
export function openFile(file: string): { sqlite: DatabaseSync; fresh: boolean } {
  if (file !== ':memory:') checkFile(file);
  const sqlite = open(file);
  try {
    sqlite.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}`);
    const version = pragma(sqlite, 'user_version');
    checkVersion(file, version);
    sqlite.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -16000',
    );
    if (version < migrations.length) migrate(sqlite, file, version);
    return { sqlite, fresh: version === 0 };
  } catch (error) {
    sqlite.close();
    throw error instanceof UnusableFile ? error : unusable(file, error);
  }
}

function open(file: string): DatabaseSync {
  try {
    if (file !== ':memory:' && !existsSync(file)) {
      makeFolder(dirname(file), 0o700);
      closeSync(openSync(file, 'a', 0o600));
    }
    return new DatabaseSync(file);
  } catch (error) {
    throw new UnusableFile(
      `The database ${file} cannot be opened: ${messageOf(error)}.`,
      'Check that the folder exists and that you have permission to write to it, or name another file with --db.',
    );
  }
}

/** Checks the file without SQLite, which would write files next to it. */
function checkFile(file: string): void {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || (stat.isFile() && stat.size === 0)) return;
  if (stat.isDirectory()) {
    throw new UnusableFile(
      `${file} is a folder, not a database.`,
      'Name a file in it, for example ' + `${file}/docsctl.db.`,
    );
  }
  // Opening a FIFO would wait for a writer.
  if (!stat.isFile()) {
    throw new UnusableFile(
      `${file} is not a regular file, so it cannot hold a database.`,
      'Name another file with --db; a file that does not exist is created.',
    );
  }
  const header = readHeader(file);
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw new UnusableFile(
      `${file} is not a database.`,
      'Name another file with --db; a file that does not exist is created.',
    );
  }
  const foreign = header.readUInt32BE(68);
  if (foreign !== applicationId) {
    throw new UnusableFile(
      `${file} is a database of another program (application id ${foreign}, expected ${applicationId}).`,
      'Name another file with --db; a file that does not exist is created.',
    );
  }
  checkVersion(file, header.readUInt32BE(60));
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerLength);
  let handle;
  try {
    handle = openSync(file, 'r');
    if (fstatSync(handle).size >= headerLength) readSync(handle, header, 0, headerLength, 0);
    return header;
  } catch (error) {
    throw new UnusableFile(`The database ${file} cannot be read: ${messageOf(error)}.`, 'Check its permissions.');
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function checkVersion(file: string, version: number): void {
  if (version <= migrations.length) return;
  throw new UnusableFile(
    `${file} was written by a newer docsctl: it has schema ${version}, this one knows up to ${migrations.length}.`,
    'Update docsctl, or name another file with --db.',
  );
}

const inputOutput = 10;
const full = 13;
const readOnly = 8;
const cannotOpen = 14;

/** The result code of SQLite for an error code of the system. */
const sqliteCodes: Record<string, number> = {
  EACCES: cannotOpen,
  EPERM: cannotOpen,
  EROFS: readOnly,
  EIO: inputOutput,
  ENOSPC: full,
  EDQUOT: full,
};

function unusable(file: string, error: unknown): UnusableFile {
  const code = sqliteCodes[codeOf(error)] ?? primaryCode(error);
  const hint =
    code === full || code === inputOutput
      ? 'Free space on its disk, or check your disk quota. Nothing in the database was changed.'
      : code === readOnly || code === cannotOpen
        ? 'Its folder must be writable too, for the write-ahead log. Name another file with --db.'
        : 'Replace it with a backup from "docsctl serve backup", or name another file with --db.';
  return new UnusableFile(`The database ${file} cannot be used: ${messageOf(error)}.`, hint);
}

function pragma(sqlite: DatabaseSync, name: string): number {
  return Number(Object.values(sqlite.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Runs all missing migrations in one transaction; makes a copy of an older file first. */
function migrate(sqlite: DatabaseSync, file: string, version: number): void {
  if (version > 0 && file !== ':memory:') backUp(sqlite, `${file}.schema-${version}`);
  sqlite.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have migrated while this one waited for the lock.
    const now = pragma(sqlite, 'user_version');
    for (const migration of migrations.slice(now)) sqlite.exec(sqlOf(migration, 'sqlite'));
    sqlite.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${Math.max(now, migrations.length)}`);
    sqlite.exec('COMMIT');
  } catch (error) {
    sqlite.exec('ROLLBACK');
    throw error;
  }
  sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

/** Copies the database next to itself, never over an earlier copy, which may hold other data. */
function backUp(sqlite: DatabaseSync, name: string): void {
  let copy = `${name}.bak`;
  for (let number = 2; existsSync(copy) || isSymbolicLink(copy); number++) copy = `${name}.${number}.bak`;
  const partial = createBeside(copy, 0o600);
  try {
    sqlite.prepare('VACUUM INTO ?').run(partial);
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
