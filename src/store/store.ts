import { QueryCreator, type QueryExecutor, type QueryExecutorProvider } from 'kysely';
import { Connection, executorOver } from './connection.ts';
import { openFile } from './file.ts';
import type { Tables } from './tables.ts';

/**
 * Builds queries for the one connection; `raw` is for prepared statements. It is not Kysely's own class, which would bring
 * the builder of schemas: the migrations are SQL.
 */
export class Db extends QueryCreator<Tables> implements QueryExecutorProvider {
  readonly raw: Connection;
  readonly #executor: QueryExecutor;

  constructor(raw: Connection) {
    const executor = executorOver(raw);
    super({ executor });
    this.raw = raw;
    this.#executor = executor;
  }

  getExecutor(): QueryExecutor {
    return this.#executor;
  }
}

/** A database. Transactions run one after another, and writes that arrive together share one commit. */
export interface Store {
  /** Runs reads that all see the same state. Their transaction is rolled back, so a write in it has no effect. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** Runs `work` in its own savepoint; the promise resolves when the commit is durable. */
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
  readonly file: string;
  /** Whether this call created the file. */
  readonly fresh: boolean;
  readonly raw: Connection;
}

interface PendingWrite {
  /** Does the work. The returned function resolves the promise of the write. */
  run(db: Db): Promise<() => void>;
  reject(error: unknown): void;
}

/**
 * Opens a database file, creates it where there is none, and migrates an older one.
 *
 * @param file path, or `:memory:`
 * @throws UnusableFile for a file that is not a database of docsctl; it is not changed
 */
export function openStore(file: string): Store {
  const { sqlite, fresh } = openFile(file);
  const connection = new Connection(sqlite);
  const db = new Db(connection);
  let turn: Promise<unknown> = Promise.resolve();
  let writes: PendingWrite[] = [];

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  };

  return {
    file,
    fresh,
    raw: connection,
    // A transaction locks the file once instead of for each query, and all queries see the same state.
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
        const run = async (db: Db) => {
          const value = await work(db);
          return () => resolve(value);
        };
        writes.push({ run, reject });
        if (writes.length > 1) return;
        // More writes may arrive in this turn of the event loop; they share the commit.
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

async function commitTogether(connection: Connection, db: Db, batch: PendingWrite[]): Promise<void> {
  const execute = (sql: string) => connection.prepare(sql).run();
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
