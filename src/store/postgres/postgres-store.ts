import type { Pool, PoolClient } from 'pg';
import { Db, type Store, type WritePlace } from '../store.ts';
import { Claims } from './claims.ts';
import { postgres as dialect } from './dialect.ts';
import { isCollision, retriesOf } from './retries.ts';
import { PostgresSession } from './session.ts';

/** A database that other processes use too. */
export class PostgresStore implements Store {
  readonly name: string;
  readonly fresh: boolean;
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #claims: Claims;
  #isBulk = false;

  constructor(pool: Pool, { name, fresh }: { name: string; fresh: boolean }) {
    this.#pool = pool;
    this.#claims = new Claims(pool);
    this.name = name;
    this.fresh = fresh;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    begin(client, 'begin isolation level repeatable read read only');
    try {
      return await work(new Db(dialect, new PostgresSession(client)));
    } finally {
      release(client, client.query('rollback'));
    }
  }

  async write<T>(work: (db: Db) => Promise<T>, place?: WritePlace): Promise<T> {
    const mayRetry = retriesOf();
    for (;;) {
      try {
        return await this.#tryWrite(work, place);
      } catch (error) {
        if (!(await mayRetry(error))) throw error;
      }
    }
  }

  async #tryWrite<T>(work: (db: Db) => Promise<T>, place: WritePlace | undefined): Promise<T> {
    const client = await this.#pool.connect();
    const session = new PostgresSession(client);
    // Before the transaction, which sees what was committed until it begins: else it would be about the state before the
    // writes that it waited for.
    if (place) begin(client, 'select pg_advisory_lock(hashtextextended($1, 0))', [place.id]);
    // What one space holds is written by one transaction at a time. Nothing else has to be watched then, and what is
    // watched is pages of indexes, which spaces share.
    const level = place?.isAlone ? 'repeatable read' : 'serializable';
    begin(client, `begin isolation level ${level}${this.#isBulk ? '; set local synchronous_commit = off' : ''}`);
    const end = (command: 'commit' | 'rollback') => {
      const ended = client.query(command);
      const unlock = 'select pg_advisory_unlock(hashtextextended($1, 0))';
      release(client, place ? client.query(unlock, [place.id]) : ended);
      return ended;
    };
    let value: T;
    try {
      value = await work(new Db(dialect, session));
      if (session.failure !== undefined) throw session.failure;
    } catch (error) {
      end('rollback').catch(() => {});
      throw isCollision(session.failure) ? session.failure : error;
    }
    await end('commit');
    return value;
  }

  async bulk<T>(work: () => Promise<T>): Promise<T> {
    this.#isBulk = true;
    try {
      return await work();
    } finally {
      this.#isBulk = false;
    }
  }

  exclusively<T>(key: string, work: () => Promise<T>): Promise<T> {
    return this.#claims.hold(key, work);
  }

  /** PostgreSQL checks references itself, and its pages as far as it was set up to (`data_checksums`, `pg_amcheck`). */
  async check(): Promise<{ structure: string; references: string }> {
    return { structure: '', references: '' };
  }

  bytes(): number {
    return 0;
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}

/** Sends what comes before the first query. Nobody waits for it: if it fails, so do the queries after it. */
function begin(client: PoolClient, text: string, values?: string[]): void {
  client.query(text, values).catch(() => {});
}

/** Gives a connection back when it has answered; one that is broken is closed. */
function release(client: PoolClient, last: Promise<unknown>): void {
  last.then(
    () => client.release(),
    (error: unknown) => client.release(error instanceof Error ? error : true),
  );
}
