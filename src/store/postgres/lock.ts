import type { Pool, PoolClient } from 'pg';
import type { Session } from '../engine.ts';
import type { WritePlace } from '../store.ts';
import { ask } from './connections.ts';
import { Moved } from './retries.ts';

const organizationOf = {
  space: 'select organization from space where id = $1',
  collection: 'select organization from collection where id = $1',
};

const take = { name: 'lock', text: 'select pg_advisory_lock(hashtextextended($1, 0))' };
const give = { name: 'unlock', text: 'select pg_advisory_unlock(hashtextextended($1, 0))' };

/** The lock of a write. */
export interface LockOf {
  key: string;
  /** How its organization was found. */
  lookup?: { text: string; id: string; organization: string };
}

/**
 * The content of a space has a lock, and an organization one for all else that is in it. No write takes two of them.
 *
 * @returns undefined for a write that is about nothing that there is
 */
export async function lockOf(pool: Pool, place: WritePlace | undefined): Promise<LockOf | undefined> {
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
 * A lock that a connection holds over a whole transaction. It is taken before the transaction begins, because that sees
 * nothing of what is committed later.
 */
export class Lock {
  readonly #client: PoolClient;
  readonly #lock: LockOf;
  /** Rejected where it could not be taken: then nothing may be committed. */
  readonly taken: Promise<unknown>;

  constructor(client: PoolClient, lock: LockOf) {
    this.#client = client;
    this.#lock = lock;
    // Nobody waits for the answer here: it comes before those of the queries that are sent after it.
    this.taken = ask(client, { ...take, values: [lock.key] });
    this.taken.catch(() => {});
  }

  /** @throws Moved where it was moved to another organization before the lock was there */
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
