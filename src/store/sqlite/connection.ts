import { DatabaseSync } from 'node:sqlite';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Session, Value } from '../engine.ts';

const maxStatements = 500;

/** A prepared statement whose rows have the columns that its author declared. */
export interface Statement<Row> {
  all(...values: readonly Value[]): Row[];
  get(...values: readonly Value[]): Row | undefined;
  iterate(...values: readonly Value[]): Iterable<Row>;
  run(...values: readonly Value[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  /** Empty for statements that return no rows. */
  columns(): unknown[];
}

/** One SQLite connection that keeps its prepared statements. */
export class Connection implements Session {
  readonly sqlite: DatabaseSync;
  readonly #statements = new Map<string, Statement<never>>();

  constructor(sqlite: DatabaseSync) {
    this.sqlite = sqlite;
    // SQLite's lower() changes ASCII letters only.
    sqlite.function('fold', { deterministic: true }, (text) => (typeof text === 'string' ? text.toLowerCase() : text));
  }

  prepare<Row>(sql: string): Statement<Row> {
    const existing = this.#statements.get(sql);
    if (existing) return existing;
    const [oldest] = this.#statements.keys();
    if (oldest !== undefined && this.#statements.size >= maxStatements) this.#statements.delete(oldest);
    const statement = declared(this.sqlite.prepare(sql));
    this.#statements.set(sql, statement);
    return statement;
  }

  all<Row>(text: string, values: readonly Value[]): Row[] {
    return this.prepare<Row>(text).all(...values);
  }

  get<Row>(text: string, values: readonly Value[]): Row | undefined {
    return this.prepare<Row>(text).get(...values);
  }

  run(text: string, values: readonly Value[]): number {
    return Number(this.prepare(text).run(...values).changes);
  }

  /** Runs a compiled Kysely query, synchronously. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const statement = this.prepare<Row>(query.sql);
    const values = bindable(query.parameters);
    if (statement.columns().length > 0) return { rows: statement.all(...values) };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of this.prepare<Row>(query.sql).iterate(...bindable(query.parameters))) yield { rows: [row] };
  }
}

/** The types cannot know the columns of an SQL text, so the caller of `prepare` declares them. */
const declared = (statement: unknown) => statement as Statement<never>;

/** Kysely has checked the values against the column types, and SQLite can bind all of these. */
const bindable = (values: readonly unknown[]) => values as readonly Value[];
