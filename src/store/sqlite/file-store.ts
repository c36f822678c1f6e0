import { statSync } from 'node:fs';
import { Db, type Store } from '../store.ts';
import { Connection } from './connection.ts';
import { sqlite as dialect } from './dialect.ts';
import { openFile } from './file.ts';

interface PendingWrite {
  /** Does the work. The returned function resolves the promise of the write. */
  run(db: Db): Promise<() => void>;
  reject(error: unknown): void;
}

/** A database in a file. Transactions run one after another, and writes that arrive together share one commit. */
export class FileStore implements Store {
  readonly name: string;
  readonly fresh: boolean;
  readonly isShared = false;
  readonly connection: Connection;
  readonly #db: Db;
  #turn: Promise<unknown> = Promise.resolve();
  #writes: PendingWrite[] = [];

  /** @param file path, or `:memory:` */
  constructor(file: string) {
    const { sqlite, fresh } = openFile(file);
    this.name = file;
    this.fresh = fresh;
    this.connection = new Connection(sqlite);
    this.#db = new Db(dialect, this.connection);
  }

  /** A transaction locks the file once instead of for each query, and all queries see the same state. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const { connection } = this;
    return this.#inTurn(async () => {
      connection.run('BEGIN', []);
      try {
        return await work(this.#db);
      } finally {
        if (connection.sqlite.isTransaction) connection.run('ROLLBACK', []);
      }
    });
  }

  /** A write that fails does not undo the others of its commit. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = async (db: Db) => {
        const value = await work(db);
        return () => resolve(value);
      };
      this.#writes.push({ run, reject });
      if (this.#writes.length > 1) return;
      // More writes may arrive in this turn of the event loop; they share the commit.
      setImmediate(() => {
        const batch = this.#writes;
        this.#writes = [];
        void this.#inTurn(() => commitTogether(this.connection, this.#db, batch));
      });
    });
  }

  async bulk<T>(work: () => Promise<T>): Promise<T> {
    this.connection.run('PRAGMA synchronous = OFF', []);
    try {
      return await work();
    } finally {
      this.connection.run('PRAGMA synchronous = FULL', []);
    }
  }

  exclusively<T>(_key: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  check(): Promise<{ structure: string; references: string }> {
    return this.#inTurn(async () => problemsOf(this.connection));
  }

  /** SQLite needs no such step. */
  async tidy(): Promise<void> {}

  bytes(): number {
    return ['', '-wal'].reduce(
      (sum, suffix) => sum + (statSync(this.name + suffix, { throwIfNoEntry: false })?.size ?? 0),
      0,
    );
  }

  async close(): Promise<void> {
    const { sqlite } = this.connection;
    await this.#inTurn(async () => {
      if (sqlite.isOpen) sqlite.close();
    });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}

/**
 * Opens a database file, creates it if there is none, and migrates an older one.
 *
 * @param file path, or `:memory:`
 * @throws UnusableFile for a file that is not a docsctl database; the file is not changed
 */
export const openFileStore = (file: string): FileStore => new FileStore(file);

async function commitTogether(connection: Connection, db: Db, batch: PendingWrite[]): Promise<void> {
  const execute = (text: string) => connection.run(text, []);
  const settleCalls: (() => void)[] = [];
  try {
    execute('BEGIN IMMEDIATE');
    for (const { run, reject } of batch) {
      execute('SAVEPOINT one');
      try {
        const resolve = await run(db);
        execute('RELEASE one');
        settleCalls.push(resolve);
      } catch (error) {
        // An error such as a full disk may have ended the whole transaction; then there is no savepoint.
        if (!connection.sqlite.isTransaction) throw error;
        execute('ROLLBACK TO one');
        execute('RELEASE one');
        settleCalls.push(() => reject(error));
      }
    }
    execute('COMMIT');
    for (const settle of settleCalls) settle();
  } catch (error) {
    if (connection.sqlite.isTransaction) execute('ROLLBACK');
    for (const { reject } of batch) reject(error);
  }
}

function problemsOf(connection: Connection): { structure: string; references: string } {
  const structure = connection.prepare<{ integrity_check: string }>('PRAGMA integrity_check').all();
  const problems = structure.map((row) => row.integrity_check).filter((text) => text !== 'ok');
  const { length } = connection.prepare('PRAGMA foreign_key_check').all();
  return { structure: problems.join('; '), references: length === 0 ? '' : `${length} rows refer to nothing` };
}
