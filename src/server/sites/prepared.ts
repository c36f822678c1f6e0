/** Thrown where something has to be read in a text thread before a request can go on: transactions do not wait for it. */
export class NotPrepared extends Error {
  readonly prepare: () => Promise<void>;

  constructor(prepare: () => Promise<void>) {
    super('Something must be read before.');
    this.prepare = prepare;
  }
}

/** What was read once, by a key whose meaning never changes. The least recently used go first. */
export class Prepared<T> {
  readonly #values = new Map<string, { value: T; size: number }>();
  readonly #max: number;
  readonly #sizeOf: (value: T) => number;
  #size = 0;

  /** @param max of all sizes together; the last value is kept even if it is larger */
  constructor(max: number, sizeOf: (value: T) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  find(key: string): T | undefined {
    const entry = this.#values.get(key);
    if (!entry) return undefined;
    // Moves to the end: the first one is the least recently used.
    this.#values.delete(key);
    this.#values.set(key, entry);
    return entry.value;
  }

  /** @throws NotPrepared where it has to be made first */
  get(key: string, make: () => Promise<T>): T {
    const value = this.find(key);
    if (value === undefined) throw new NotPrepared(async () => this.keep(key, await make()));
    return value;
  }

  keep(key: string, value: T): void {
    this.#size -= this.#values.get(key)?.size ?? 0;
    this.#values.delete(key);
    const size = this.#sizeOf(value);
    this.#values.set(key, { value, size });
    this.#size += size;
    for (const [oldest, entry] of this.#values) {
      if (this.#size <= this.#max || oldest === key) return;
      this.#values.delete(oldest);
      this.#size -= entry.size;
    }
  }
}

/** Does the work, and what it turns out to need before. */
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

/** A site has no more spaces whose references are all new. */
const maxAttempts = 1000;
