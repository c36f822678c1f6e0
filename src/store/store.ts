import { Kysely } from 'kysely';
import { Connection, dialectOver } from './connection.ts';
import { openFile } from './file.ts';
import type { Tables } from './tables.ts';

/** Kysely over the one connection; `raw` is for prepared statements. */
export type Db = Kysely<Tables> & { readonly raw: Connection };

/** A database with its rule of turns: work never interleaves, and writes that arrive together share one commit. */
export interface Store {
  /** Runs reads, which all see one state. Nothing they did is kept if they write by mistake. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in a transaction of its own; the answer comes after the commit is durable. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  readonly file: string;
  /** Whether this call made the file. */
  readonly fresh: boolean;
  readonly raw: Connection;
}

interface Waiting {
  work: (db: Db) => Promise<unknown>;
  resolve: (value: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Opens a database file, makes it where there is none, and migrates an older one.
 *
 * @param file path, or `:memory:`
 * @throws UnusableFile for anything that is not ours to open; not a byte of it is changed
 */
export function openStore(file: string): Store {
  const { sqlite, fresh } = openFile(file);
  const connection = new Connection(sqlite);
  const db = Object.assign(new Kysely<Tables>({ dialect: dialectOver(connection) }), { raw: connection }) as Db;
  let turn: Promise<unknown> = Promise.resolve();
  let writes: Waiting[] = [];

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = turn.then(work);
    turn = mine.catch(() => {});
    return mine;
  };

  return {
    file,
    fresh,
    raw: connection,
    // In a transaction the file is locked once, not for each query, and all of them see the same state.
    read: (work) =>
      inTurn(async () => {
        connection.prepare('BEGIN').run();
        try {
          return await work(db);
        } finally {
          if (sqlite.isTransaction) connection.prepare('ROLLBACK').run();
        }
      }),
    write: (work) =>
      new Promise((resolve, reject) => {
        writes.push({ work, resolve, reject } as Waiting);
        if (writes.length > 1) return;
        // The rest of this turn of the event loop may bring more writes for the same commit.
        setImmediate(() => {
          const batch = writes;
          writes = [];
          void inTurn(() => commitTogether(connection, db, batch));
        });
      }),
    async close() {
      await inTurn(async () => {
        if (sqlite.isOpen) sqlite.close();
      });
    },
  };
}

async function commitTogether(connection: Connection, db: Db, batch: Waiting[]): Promise<void> {
  const run = (sql: string) => connection.prepare(sql).run();
  const answers: (() => void)[] = [];
  try {
    run('BEGIN IMMEDIATE');
    for (const { work, resolve, reject } of batch) {
      run('SAVEPOINT one');
      try {
        const value = await work(db);
        run('RELEASE one');
        answers.push(() => resolve(value as never));
      } catch (error) {
        // A full disk may have ended the whole transaction; then there is nothing to go back to.
        if (!connection.sqlite.isTransaction) throw error;
        run('ROLLBACK TO one');
        run('RELEASE one');
        answers.push(() => reject(error));
      }
    }
    run('COMMIT');
    for (const answer of answers) answer();
  } catch (error) {
    if (connection.sqlite.isTransaction) run('ROLLBACK');
    for (const { reject } of batch) reject(error);
  }
}
