import { setTimeout as delay } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';

const askEveryMs = 250;

/**
 * Work that one process does at a time. The database holds a lock for each key as long as the connection lasts, so that
 * nobody has to find out whether a process has died. All keys share one connection: work needs others, and would wait for
 * them in vain if claims took them all.
 */
export class Claims {
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
        // With the connection the lock has gone, too.
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

  /** @param isBroken where it has to be closed */
  #release(isBroken = false): void {
    const client = this.#client;
    this.#client = undefined;
    client?.then((connection) => connection.release(isBroken)).catch(() => {});
  }
}
