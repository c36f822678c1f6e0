import { setImmediate as restOfTurn } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { ask, release, send } from './connections.ts';
import { isAborted } from './retries.ts';
import { PostgresSession } from './session.ts';

/** The limit for one transaction. A slow query delays others on its connection. */
const maxReaders = 16;

interface Reading {
  client: Promise<PoolClient>;
  /** The number of readers that have not ended yet. */
  readers: number;
  joined: number;
}

/**
 * Reads that arrive in one turn of the event loop, or wait for a connection at the same time, share one transaction. Their
 * queries are sent together, because sending and receiving is most of what a read costs this process.
 */
export class Readers {
  readonly #pool: Pool;
  /** A transaction that has not begun, so it sees everything committed until now. */
  #next: Reading | undefined;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async read<T>(work: (session: PostgresSession) => Promise<T>): Promise<T> {
    try {
      return await readIn(this.#join(), work);
    } catch (error) {
      if (!isAborted(error)) throw error;
      return readIn(this.#begin(), work);
    }
  }

  #join(): Reading {
    const reading = this.#next;
    if (reading && reading.joined < maxReaders) return reading;
    return (this.#next = this.#begin());
  }

  #begin(): Reading {
    const begin = async () => {
      await restOfTurn();
      try {
        const client = await this.#pool.connect();
        send(client, 'begin isolation level repeatable read read only');
        return client;
      } finally {
        if (this.#next === reading) this.#next = undefined;
      }
    };
    const reading: Reading = { client: begin(), readers: 0, joined: 0 };
    return reading;
  }
}

/** @throws DatabaseError with `isAborted` true if another reader's query has failed */
async function readIn<T>(reading: Reading, work: (session: PostgresSession) => Promise<T>): Promise<T> {
  reading.joined += 1;
  reading.readers += 1;
  const client = await reading.client;
  const session = new PostgresSession(client);
  try {
    return await work(session);
  } catch (error) {
    throw isAborted(session.failure) ? session.failure : error;
  } finally {
    reading.readers -= 1;
    if (reading.readers === 0) release(client, ask(client, 'rollback'));
  }
}
