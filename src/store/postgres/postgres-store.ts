import type { Pool } from 'pg';
import { Db, type Store, type WritePlace } from '../store.ts';
import { Claims } from './claims.ts';
import { ask, release, send } from './connections.ts';
import { postgres as dialect } from './dialect.ts';
import { Lock, lockOf, type LockOf } from './lock.ts';
import { Readers } from './readers.ts';
import { isAborted, isCollision, retriesOf } from './retries.ts';
import { PostgresSession } from './session.ts';
import { Turns } from './turns.ts';

/** A database that other processes use too. */
export class PostgresStore implements Store {
  readonly name: string;
  readonly fresh: boolean;
  readonly isShared = true;
  readonly #pool: Pool;
  readonly #claims: Claims;
  readonly #readers: Readers;
  readonly #turns = new Turns();
  #isBulk = false;

  constructor(pool: Pool, { name, fresh }: { name: string; fresh: boolean }) {
    this.#pool = pool;
    this.#claims = new Claims(pool);
    this.#readers = new Readers(pool);
    this.name = name;
    this.fresh = fresh;
  }

  async read<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#readers.read((session) => work(new Db(dialect, session)));
  }

  async write<T>(work: (db: Db) => Promise<T>, place?: WritePlace): Promise<T> {
    const mayRetry = retriesOf();
    for (;;) {
      try {
        const lock = await lockOf(this.#pool, place);
        const attempt = () => this.#tryWrite(work, lock);
        return await (lock ? this.#turns.run(lock.key, attempt) : attempt());
      } catch (error) {
        if (!(await mayRetry(error))) throw error;
      }
    }
  }

  async #tryWrite<T>(work: (db: Db) => Promise<T>, locked: LockOf | undefined): Promise<T> {
    const client = await this.#pool.connect();
    const lock = locked && new Lock(client, locked);
    const session = new PostgresSession(client);
    // Under a lock, nothing that the write depends on is changed by others: it is enough that two do not change the same
    // row. To have all else watched would stop writes that only share a page of an index.
    const level = lock ? 'repeatable read' : 'serializable';
    send(client, `begin isolation level ${level}${this.#isBulk ? '; set local synchronous_commit = off' : ''}`);
    const end = (command: 'commit' | 'rollback') => {
      const ended = ask(client, command);
      release(client, lock ? lock.give() : ended);
      return ended;
    };
    let value: T;
    try {
      await lock?.assertCurrent(session);
      value = await work(new Db(dialect, session));
      if (session.failure !== undefined) throw session.failure;
      await lock?.taken;
    } catch (error) {
      end('rollback').catch(() => {});
      // Of queries that were sent together, later ones fail because an earlier one did.
      throw isCollision(session.failure) || isAborted(error) ? session.failure : error;
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

  /** Until it is done, an index of parts of names lists the new rows one after the other, and is not used. */
  async tidy(): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('set statement_timeout = 0');
      await client.query('vacuum (analyze)');
    } finally {
      client.release(true);
    }
  }

  bytes(): number {
    return 0;
  }

  async close(): Promise<void> {
    this.#claims.close();
    await this.#pool.end();
  }
}
