import { existsSync, renameSync, rmSync } from 'node:fs';
import { EngineError } from '../../shared/engine-error.ts';
import { UnusableFile } from '../../store/sqlite/file.ts';
import { type FileStore, openFileStore } from '../../store/sqlite/file-store.ts';
import type { Db } from '../../store/store.ts';
import { createTexts, type Texts } from '../../server/text/texts.ts';

/** The setting of a database with the source of the twin. */
export const twinKey = 'twin';

/** The source of a twin. */
export interface TwinSource {
  /** The address of the service. */
  url: string;
  organization: string;
  /** When the twin was created, as ISO 8601. */
  createdAt: string;
  /** What the user who created it may not read, with the number of each. */
  notReadable?: Record<string, number>;
}

/** The database of a twin while it is being written. */
export class TwinFile {
  readonly #store: FileStore;
  readonly texts: Texts = createTexts();
  /** Digests of the bytes of files by the id of the file. */
  readonly digests = new Map<string, string>();
  /** The texts that are written or being read, by ID. Copies of a space share them. */
  readonly documents = new Map<string, Promise<void>>();

  /** @param file a new file, or an empty one */
  constructor(file: string) {
    this.#store = openFileStore(file);
    // The file is not used before it is complete, and an incomplete one is deleted.
    this.#store.connection.sqlite.exec('PRAGMA synchronous = OFF');
  }

  /** Runs `work` in a transaction. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#store.write(work);
  }

  async close(): Promise<void> {
    await this.texts.close();
    await this.#store.close();
  }
}

/** Adds what could not be read to the mark of a twin. */
export async function markNotReadable(db: Db, source: TwinSource): Promise<void> {
  await db
    .updateTable('setting')
    .set({ value: JSON.stringify(source) })
    .where('key', '=', twinKey)
    .execute();
}

/** Marks a database as a twin. @param administrator ID of the user that commands run as */
export async function markTwin(db: Db, source: TwinSource, administrator: string): Promise<void> {
  await db
    .insertInto('setting')
    .values([
      { key: 'organization', value: source.organization },
      { key: 'administrator', value: administrator },
      { key: twinKey, value: JSON.stringify(source) },
    ])
    .execute();
}

/** ID of a user who only exists in copies that are compared. */
export const reader = 'readerOfTwin';

/**
 * Adds an administrator to copies that are compared, so that the comparison sees everything in them: the caller may see less,
 * and the change may take away what the caller sees.
 *
 * @returns the ID of the administrator
 */
export async function addReader(files: readonly string[], organization: string): Promise<string> {
  const now = new Date().toISOString();
  for (const file of files) {
    const store = openFileStore(file);
    try {
      await store.write(async (db) => {
        const email = `${reader}@hidden.invalid`;
        const user = { id: reader, display_name: reader, email, photo_url: null, created_at: now };
        await db.insertInto('user').values(user).execute();
        const member = { organization, user: reader, role: 'admin' as const, disabled: 0, sso: 0, joined_at: now };
        await db
          .insertInto('member')
          .values({ ...member, last_seen_at: null })
          .execute();
      });
    } finally {
      await store.close();
    }
  }
  return reader;
}

/** The source of a twin; `none` if there is no file, undefined for another database. @throws UnusableFile */
async function twinSource(file: string): Promise<TwinSource | 'none' | undefined> {
  if (!existsSync(file)) return 'none';
  const store = openFileStore(file);
  try {
    const row = await store.read((db) =>
      db.selectFrom('setting').select('value').where('key', '=', twinKey).executeTakeFirst(),
    );
    return row && JSON.parse(row.value);
  } finally {
    await store.close();
  }
}

/** The source of a twin. @throws EngineError if there is no twin */
export async function getTwin(file: string): Promise<TwinSource> {
  const source = await twinSource(file);
  if (source && source !== 'none') return source;
  throw new EngineError('notFound', 'There is no twin.', {
    hint: 'Create one with "docsctl twin create", or omit --twin.',
  });
}

/** The source of the twin to replace; undefined if there is no file. @throws EngineError for another file */
export async function replacedTwin(file: string): Promise<TwinSource | undefined> {
  try {
    const source = await twinSource(file);
    if (source) return source === 'none' ? undefined : source;
  } catch (error) {
    if (!(error instanceof UnusableFile)) throw error;
  }
  throw new EngineError('refused', `${file} is not a twin created by this command, and was left unchanged.`, {
    hint: 'Move the file to another place.',
  });
}

/** Copies the database of a twin, which may be in use. */
export async function copyTwin(file: string, to: string): Promise<void> {
  const { backup } = await import('node:sqlite');
  const store = openFileStore(file);
  try {
    await backup(store.connection.sqlite, to);
  } finally {
    await store.close();
  }
}

/** Replaces a twin atomically. */
export function putInPlace(beside: string, file: string): void {
  try {
    // Files of SQLite next to the old database must not be used with the new one.
    for (const end of ['-wal', '-shm']) rmSync(file + end, { force: true });
    renameSync(beside, file);
  } catch (error) {
    removeDatabase(beside);
    throw error;
  }
}

/** Removes a database with the files of SQLite next to it. */
export function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
}
