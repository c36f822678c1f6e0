import { DatabaseSync, type StatementSync, type SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely';
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

const keptStatements = 500;

/** One SQLite connection whose statements are prepared once and kept. */
export class Connection implements DatabaseConnection {
  readonly sqlite: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(sqlite: DatabaseSync) {
    this.sqlite = sqlite;
    // SQLite's own lower() leaves letters beyond ASCII as they are.
    sqlite.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  }

  prepare(sql: string): StatementSync {
    const kept = this.#statements.get(sql);
    if (kept) return kept;
    if (this.#statements.size >= keptStatements) this.#statements.delete(this.#statements.keys().next().value!);
    const statement = this.sqlite.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs a compiled Kysely query; the promise is settled already. */
  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.prepare(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (statement.columns().length > 0) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for (const row of this.prepare(query.sql).iterate(...(query.parameters as SQLInputValue[])))
      yield { rows: [row as R] };
  }
}

/** Kysely over one connection of the platform's SQLite. Transactions are the store's business, so there is no pool. */
export function dialectOver(connection: Connection): Dialect {
  const driver: Driver = {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: async () => refuse(),
    commitTransaction: async () => refuse(),
    rollbackTransaction: async () => refuse(),
    destroy: async () => connection.sqlite.close(),
  };
  return {
    createDriver: () => driver,
    createAdapter: () => new SqliteAdapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

function refuse(): never {
  throw new Error('Transactions are opened by the store: use store.write().');
}

/** Whether an error is a UNIQUE or PRIMARY KEY violation, by SQLite's extended codes. */
export function isUniqueViolation(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code === 2067 || code === 1555;
}

export function isBusy(error: unknown): boolean {
  const code = (error as { errcode?: number }).errcode;
  return code !== undefined && (code & 0xff) === 5;
}
