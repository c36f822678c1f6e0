import type { CompiledQuery, QueryResult } from 'kysely';
import type { PoolClient, QueryResult as Answer, QueryResultRow } from 'pg';
import type { Session, Value } from '../engine.ts';
import { ask } from './connections.ts';

/**
 * The number of statements that a connection keeps prepared. Others, such as those with lists of any length, are prepared
 * each time.
 */
const maxPrepared = 1000;

const names = new Map<string, string>();

function nameOf(text: string): string | undefined {
  const name = names.get(text);
  if (name !== undefined || names.size >= maxPrepared) return name;
  names.set(text, `q${names.size}`);
  return names.get(text);
}

/** Returns JavaScript numbers, and 0 and 1 for booleans, like SQLite. */
const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => (text === 't' ? 1 : 0)],
  [20, Number],
  [21, Number],
  [23, Number],
  [700, Number],
  [701, Number],
  [1700, Number],
  [17, (text) => Buffer.from(text.slice(2), 'hex')],
]);
const asText = (text: string) => text;
const types = { getTypeParser: (type: number) => parsers.get(type) ?? asText };

/** Statements on one connection, in its open transaction. */
export class PostgresSession implements Session {
  readonly #client: PoolClient;
  /** The first error of the database. It ended the transaction, even if the calling code caught it. */
  failure: unknown;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async all<Row>(text: string, values: readonly Value[]): Promise<Row[]> {
    return rowsOf<Row>(await this.#query(text, values, nameOf(text)));
  }

  async get<Row>(text: string, values: readonly Value[]): Promise<Row | undefined> {
    const [row] = await this.all<Row>(text, values);
    return row;
  }

  async run(text: string, values: readonly Value[]): Promise<number> {
    return (await this.#query(text, values, nameOf(text))).rowCount ?? 0;
  }

  /** Runs a Kysely query that is built for one use. */
  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const answer = await this.#query(query.sql, query.parameters);
    const changed = answer.command === 'SELECT' ? {} : { numAffectedRows: BigInt(answer.rowCount ?? 0) };
    return { rows: rowsOf<Row>(answer), ...changed };
  }

  async *streamQuery<Row>(query: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    for (const row of (await this.executeQuery<Row>(query)).rows) yield { rows: [row] };
  }

  async #query(text: string, values: readonly unknown[], name?: string): Promise<Answer> {
    try {
      return await ask(this.#client, { text, values: [...values], types, ...(name === undefined ? {} : { name }) });
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

/** The types cannot know the columns of an SQL text, so its author declares them. */
const rowsOf = <Row>({ rows }: Answer<QueryResultRow>) => rows as Row[];
