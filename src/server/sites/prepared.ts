import { LruCache } from '../../shared/lru-cache.ts';

/** Thrown if a request needs something that only a text thread can read. Transactions do not wait for text threads. */
class NotPrepared extends Error {
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super('Something must be read before.');
    this.prepare = prepare;
  }
}

/** A cache of what text threads read, by keys whose meaning never changes. */
export class Prepared<T> extends LruCache<T> {
  /** @throws NotPrepared if `make` has to run first */
  getPrepared(key: string, make: () => Promise<T>): T {
    const value = this.get(key);
    if (value === undefined) throw new NotPrepared(async () => this.set(key, await make()));
    return value;
  }
}

/** A site has fewer spaces whose references are all new. */
const maxAttempts = 1000;

/** Runs `work`, and runs it again after preparing whatever it needs. */
export async function withPrepared<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NotPrepared) || attempt >= maxAttempts) throw error;
      await error.prepare();
    }
  }
}
