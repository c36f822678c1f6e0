import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Session } from '../engine.ts';
import { Db, type Store, type WritePlace } from '../store.ts';
import { ask, release, send } from './connections.ts';
import { postgres as dialect } from './dialect.ts';
import { Readers } from './readers.ts';
import { Moved, isAborted, isCollision, retriesOf } from './retries.ts';
import { PostgresSession } from './session.ts';

/** A database shared with other processes. */
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
    // The lock protects everything that the write depends on, so it is enough that no two writes change the same row. A
    // stricter isolation level would also abort writes that only share a page of an index.
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
      // If queries were sent together, later ones fail because an earlier one failed.
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

  /** PostgreSQL checks references itself, and its pages if configured to (`data_checksums`, `pg_amcheck`). */
  async check(): Promise<{ structure: string; references: string }> {
    return { structure: '', references: '' };
  }

  /** Until this is done, the trigram index keeps new rows in a pending list, and the planner does not use it. */
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

/** Serializes this process's work under one key, so that only one piece of work holds a connection. */
class Turns {
  readonly #last = new Map<string, Promise<void>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    let end!: () => void;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#last.set(key, ended);
    try {
      await before;
      return await work();
    } finally {
      end();
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}

const organizationOf = {
  space: 'select organization from space where id = $1',
  collection: 'select organization from collection where id = $1',
};

const take = { name: 'lock', text: 'select pg_advisory_lock(hashtextextended($1, 0))' };
const give = { name: 'unlock', text: 'select pg_advisory_unlock(hashtextextended($1, 0))' };

/** The lock of a write. */
interface LockOf {
  key: string;
  /** How its organization was found. */
  lookup?: { text: string; id: string; organization: string };
}

/**
 * The content of a space has a lock, and an organization has one for everything else in it. No write takes two of them.
 *
 * @returns undefined for a write to something that does not exist
 */
async function lockOf(pool: Pool, place: WritePlace | undefined): Promise<LockOf | undefined> {
  if (!place) return undefined;
  const { kind, id } = place;
  if (kind !== 'space' && kind !== 'collection') return { key: `${kind} ${id}` };
  const text = organizationOf[kind];
  const { rows } = await pool.query<{ organization: string }>(text, [id]);
  const organization = rows[0]?.organization;
  return organization === undefined
    ? undefined
    : { key: `organization ${organization}`, lookup: { text, id, organization } };
}

/**
 * A lock that a connection holds for a whole transaction. It is taken before the transaction begins, because the
 * transaction does not see what is committed later.
 */
class Lock {
  readonly #client: PoolClient;
  readonly #lock: LockOf;
  /** Rejected if the lock could not be taken; then nothing may be committed. */
  readonly taken: Promise<unknown>;

  constructor(client: PoolClient, lock: LockOf) {
    this.#client = client;
    this.#lock = lock;
    // Not awaited here: its response arrives before those of the queries that are sent after it.
    this.taken = ask(client, { ...take, values: [lock.key] });
    this.taken.catch(() => {});
  }

  /** @throws Moved if it was moved to another organization before the lock was taken */
  async assertCurrent(session: Session): Promise<void> {
    if (!this.#lock.lookup) return;
    const { text, id, organization } = this.#lock.lookup;
    const row = await session.get<{ organization: string }>(text, [id]);
    if (row && row.organization !== organization) throw new Moved();
  }

  give(): Promise<unknown> {
    return ask(this.#client, { ...give, values: [this.#lock.key] });
  }
}

const askEveryMs = 250;

/**
 * Work that one process does at a time. The database holds a lock for each key as long as the connection lasts, so no
 * process has to find out whether another one has died. All keys share one connection, because work needs connections too
 * and would deadlock if claims took them all.
 */
class Claims {
  readonly #pool: Pool;
  #client: Promise<PoolClient> | undefined;
  #holders = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async hold<T>(key: string, work: () => Promise<T>): Promise<T> {
    this.#holders += 1;
    try {
      while (!(await this.#ask('select pg_try_advisory_lock(hashtextextended($1, 1)) as answer', key))) {
        await delay(askEveryMs);
      }
      try {
        return await work();
      } finally {
        // The lock ended with the connection.
        await this.#ask('select pg_advisory_unlock(hashtextextended($1, 1)) as answer', key).catch(() => {});
      }
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#release();
    }
  }

  close(): void {
    this.#release(true);
  }

  async #ask(text: string, key: string): Promise<boolean> {
    const connecting = (this.#client ??= this.#pool.connect());
    try {
      const client = await connecting;
      const { rows } = await client.query<{ answer: boolean }>(text, [key]);
      return rows[0]?.answer === true;
    } catch (error) {
      if (this.#client === connecting) this.#release(true);
      throw error;
    }
  }

  /** @param isBroken whether it must be closed */
  #release(isBroken = false): void {
    const client = this.#client;
    this.#client = undefined;
    client?.then((connection) => connection.release(isBroken)).catch(() => {});
  }
}
