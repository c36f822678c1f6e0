import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { openFile, UnusableFile } from '../../src/store/sqlite/file.ts';

/** The migrations of this release, which a test may change as the next one will. */
const list = vi.hoisted(() => ({ migrations: [] as (() => string)[] }));
vi.mock('../../src/store/migrations/index.ts', () => list);

const first = () => 'create table note (text text not null)';
const second = () => 'alter table note add column author text';

beforeEach(() => {
  list.migrations = [first];
});

/** A file of the first schema with a note in it. */
function oldFile(): { folder: string; file: string } {
  const folder = mkdtempSync(join(tmpdir(), 'docsctl-file-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'old.db');
  insertNote(file, 'kept');
  return { folder, file };
}

function insertNote(file: string, text: string) {
  const { sqlite } = openFile(file);
  sqlite.prepare('insert into note (text) values (?)').run(text);
  sqlite.close();
}

/** Version and notes, read without a word from us. */
function readNotes(file: string) {
  const sqlite = new DatabaseSync(file, { readOnly: true });
  const version = sqlite.prepare('PRAGMA user_version').get()!.user_version;
  const notes = sqlite.prepare('select * from note').all();
  sqlite.close();
  return { version, notes };
}

test('a new file has a write-ahead log, synchronous writes, a busy timeout and foreign keys', () => {
  const { folder } = oldFile();
  const { sqlite, fresh } = openFile(join(folder, 'new.db'));
  const ask = (name: string) => Object.values(sqlite.prepare(`PRAGMA ${name}`).get()!)[0];

  expect(fresh).toBe(true);
  expect(['journal_mode', 'synchronous', 'busy_timeout', 'foreign_keys'].map(ask)).toEqual(['wal', 2, 5000, 1]);
  sqlite.close();
});

test('a file of an older schema is backed up beside itself before it is changed', () => {
  const { folder, file } = oldFile();
  list.migrations = [first, second];

  const { sqlite, fresh } = openFile(file);
  sqlite.close();

  expect(fresh).toBe(false);
  expect(readdirSync(folder).toSorted()).toEqual(['old.db', 'old.db.schema-1.bak']);
  expect(readNotes(file)).toEqual({ version: 2, notes: [{ text: 'kept', author: null }] });
  // The backup is an instance of its own.
  expect(readNotes(`${file}.schema-1.bak`)).toEqual({ version: 1, notes: [{ text: 'kept' }] });
  list.migrations = [first];
  openFile(`${file}.schema-1.bak`).sqlite.close();
});

test('a backup is private to its owner, and follows no symbolic link', () => {
  const { folder, file } = oldFile();
  const [there, missing] = [join(folder, 'there'), join(folder, 'missing')];
  writeFileSync(there, 'of somebody');
  symlinkSync(there, `${file}.schema-1.bak`);
  symlinkSync(missing, `${file}.schema-1.2.bak`);
  list.migrations = [first, second];
  const umask = process.umask(0);
  onTestFinished(() => void process.umask(umask));

  openFile(file).sqlite.close();

  expect(statSync(`${file}.schema-1.3.bak`).mode & 0o777).toBe(0o600);
  expect(readNotes(`${file}.schema-1.3.bak`).version).toBe(1);
  expect([readFileSync(there, 'utf8'), existsSync(missing)]).toEqual(['of somebody', false]);
});

test('a backup of another time is kept, and another one made', () => {
  const { folder, file } = oldFile();
  list.migrations = [first, second];
  openFile(file).sqlite.close();
  // Somebody went back to the release before, and worked on.
  rmSync(file);
  const back = new DatabaseSync(`${file}.schema-1.bak`, { readOnly: true });
  back.prepare('VACUUM INTO ?').run(file);
  back.close();
  list.migrations = [first];
  insertNote(file, 'later');
  list.migrations = [first, second];
  openFile(file).sqlite.close();

  expect(readdirSync(folder).toSorted()).toEqual(['old.db', 'old.db.schema-1.2.bak', 'old.db.schema-1.bak']);
  expect(readNotes(`${file}.schema-1.bak`).notes).toHaveLength(1);
  expect(readNotes(`${file}.schema-1.2.bak`).notes).toHaveLength(2);
});

test('a migration that fails leaves the file as it was, with its backup', () => {
  const { folder, file } = oldFile();
  list.migrations = [first, second, () => 'insert into nowhere values (1)'];

  expect(() => openFile(file)).toThrow(UnusableFile);

  expect(readNotes(file)).toEqual({ version: 1, notes: [{ text: 'kept' }] });
  expect(readdirSync(folder)).toContain('old.db.schema-1.bak');
});

test('a backup that fails stops the migration, and leaves no partial backup', () => {
  const { folder, file } = oldFile();
  list.migrations = [first, second];
  const before = readdirSync(folder);
  const { prepare } = DatabaseSync.prototype;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(failing(prepare));
  onTestFinished(() => void vi.restoreAllMocks());

  expect(() => openFile(file)).toThrow('database or disk is full');
  vi.restoreAllMocks();

  expect(readdirSync(folder)).toEqual(before);
  expect(readNotes(file).version).toBe(1);
});

/** As on a full disk: the copy is begun, and does not end. */
function failing(prepare: DatabaseSync['prepare']): DatabaseSync['prepare'] {
  return function (this: DatabaseSync, sql: string) {
    const statement = prepare.call(this, sql);
    if (!sql.startsWith('VACUUM INTO')) return statement;
    return {
      run(path: string) {
        statement.run(path);
        throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
      },
    } as unknown as ReturnType<typeof prepare>;
  };
}

test('a newer schema is refused with both versions, and not a byte is changed', () => {
  const { folder, file } = oldFile();
  list.migrations = [first, second];
  openFile(file).sqlite.close();
  const before = readdirSync(folder);
  list.migrations = [first];

  expect(() => openFile(file)).toThrow(/it has schema 2, this one knows up to 1/);
  expect(readdirSync(folder)).toEqual(before);
  expect(readNotes(file).version).toBe(2);
});
