import type { PoolClient } from 'pg';
import type { Session } from '../engine.ts';
import type { WritePlace } from '../store.ts';
import { Moved } from './retries.ts';

const organizationOf = {
  space: 'select organization from space where id = $1',
  collection: 'select organization from collection where id = $1',
};

/**
 * The lock of a write, which a connection holds over the whole transaction: it is taken before the transaction begins,
 * because that sees nothing of what is committed later. The content of a space has one, and an organization for all else
 * that is in it. No write takes two of them.
 */
export class Lock {
  readonly #client: PoolClient;
  readonly #key: string;
  /** Rejected where it could not be taken: then nothing may be committed. */
  readonly taken: Promise<unknown>;
  /** How the organization of the lock was found. */
  readonly #lookup: { text: string; id: string; organization: string } | undefined;

  private constructor(client: PoolClient, key: string, lookup?: { text: string; id: string; organization: string }) {
    this.#client = client;
    this.#key = key;
    // Nobody waits for the answer here: it comes before those of the queries that are sent after it.
    this.taken = client.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
    this.taken.catch(() => {});
    this.#lookup = lookup;
  }

  /** @returns undefined for a write that is about nothing that there is */
  static async take(client: PoolClient, place: WritePlace | undefined): Promise<Lock | undefined> {
    if (!place) return undefined;
    const { kind, id } = place;
    if (kind !== 'space' && kind !== 'collection') return new Lock(client, `${kind} ${id}`);
    const text = organizationOf[kind];
    const { rows } = await client.query<{ organization: string }>(text, [id]);
    const organization = rows[0]?.organization;
    if (organization === undefined) return undefined;
    return new Lock(client, `organization ${organization}`, { text, id, organization });
  }

  /** @throws Moved where it was moved to another organization before the lock was there */
  async assertCurrent(session: Session): Promise<void> {
    if (!this.#lookup) return;
    const { text, id, organization } = this.#lookup;
    const row = await session.get<{ organization: string }>(text, [id]);
    if (row && row.organization !== organization) throw new Moved();
  }

  give(): Promise<unknown> {
    return this.#client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [this.#key]);
  }
}
