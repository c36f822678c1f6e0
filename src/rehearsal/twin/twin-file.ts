import { existsSync } from 'node:fs';
import { type FileStore, openFileStore } from '../../store/sqlite/file-store.ts';
import type { Db } from '../../store/store.ts';
import { createTexts, type Texts } from '../../server/text/texts.ts';

/** The setting of a database that says whose twin it is. */
const key = 'twin';

/** Where a twin comes from. */
export interface TwinSource {
  /** Address of the service. */
  url: string;
  organization: string;
  /** When it was made, ISO 8601. */
  createdAt: string;
}

/** The database of a twin while it is written. */
export class TwinFile {
  readonly #store: FileStore;
  readonly texts: Texts = createTexts();
  /** Digests of the bytes of files by the id of the file. */
  readonly digests = new Map<string, string>();
  /** The texts that are written, or are being read, by their ids: copies of a space share theirs. */
  readonly documents = new Map<string, Promise<void>>();

  /** @param file a new file, or an empty one */
  constructor(file: string) {
    this.#store = openFileStore(file);
    // Nobody uses the file before it is complete, and an incomplete one is deleted.
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

/** Makes the database the twin of an organization. @param administrator who runs commands on it */
export async function markTwin(db: Db, source: TwinSource, administrator: string): Promise<void> {
  await db
    .insertInto('setting')
    .values([
      { key: 'organization', value: source.organization },
      { key: 'administrator', value: administrator },
      { key, value: JSON.stringify(source) },
    ])
    .execute();
}

/** Whose twin a database is; `none` where there is no file, undefined for another database. @throws UnusableFile */
export async function twinSource(file: string): Promise<TwinSource | 'none' | undefined> {
  if (!existsSync(file)) return 'none';
  const store = openFileStore(file);
  try {
    const row = await store.read((db) =>
      db.selectFrom('setting').select('value').where('key', '=', key).executeTakeFirst(),
    );
    return row && JSON.parse(row.value);
  } finally {
    await store.close();
  }
}
