import { DefaultQueryExecutor, QueryCreator, type QueryExecutor, type QueryExecutorProvider } from 'kysely';
import type { Dialect, Session, Value } from './engine.ts';
import type { Tables } from './tables.ts';

/**
 * Builds queries and runs them in one transaction. It is not Kysely's own class, which would bring the builder of schemas:
 * the migrations are SQL.
 */
export class Db extends QueryCreator<Tables> implements QueryExecutorProvider {
  readonly dialect: Dialect;
  readonly session: Session;
  readonly #executor: QueryExecutor;

  constructor(dialect: Dialect, session: Session) {
    // Only the store opens transactions, so there is no pool and no driver.
    const executor = new DefaultQueryExecutor(dialect.compiler, dialect.adapter, {
      provideConnection: (work) => work(session),
    });
    super({ executor });
    this.dialect = dialect;
    this.session = session;
    this.#executor = executor;
  }

  getExecutor(): QueryExecutor {
    return this.#executor;
  }

  /** The rows of a statement that every database understands. */
  async all<Row>(text: string, values: readonly Value[] = []): Promise<Row[]> {
    return this.session.all<Row>(text, values);
  }

  async get<Row>(text: string, values: readonly Value[] = []): Promise<Row | undefined> {
    return this.session.get<Row>(text, values);
  }
}

/**
 * What a write is about: writes to the same wait for each other if several processes share the database. `content`: what
 * is in the space with this id, and nothing else. `space` and `collection`: anything in the organization that it is in. `job`:
 * what only this work writes, by its name.
 */
export type WritePlace = { kind: 'organization' | 'space' | 'collection' | 'content' | 'job'; id: string };

/** A database. */
export interface Store {
  /** Runs reads that all see the same state. A write in it has no effect. */
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /**
   * Runs `work` in its own transaction; the promise resolves when the commit is durable. `work` may run several times
   * if the database is shared with other processes: only its last run is committed.
   */
  write<T>(work: (db: Db) => Promise<T>, place?: WritePlace): Promise<T>;
  /** Runs `work`, whose commits need not be durable: a crash may lose all of them. */
  bulk<T>(work: () => Promise<T>): Promise<T>;
  /** Does work that no two processes do at the same time: waits for who does it, or until that process has ended. */
  exclusively<T>(key: string, work: () => Promise<T>): Promise<T>;
  /** What is wrong with the structure of the database and with its references; empty texts if nothing is. */
  check(): Promise<{ structure: string; references: string }>;
  /** Keeps queries fast after very many rows were written. */
  tidy(): Promise<void>;
  /** Size on the disk of this machine. */
  bytes(): number;
  close(): Promise<void>;
  /** Path of the file, or address without a password. */
  readonly name: string;
  /** Whether several processes use it as a matter of course, and one takes over what another has left. */
  readonly isShared: boolean;
  /** Whether the database was empty. */
  readonly fresh: boolean;
}
