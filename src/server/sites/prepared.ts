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
  readonly #values = new Map<string, T>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** @throws NotPrepared where it has to be made first */
  get(key: string, make: () => Promise<T>): T {
    const value = this.#values.get(key);
    if (value === undefined) throw new NotPrepared(async () => this.#keep(key, await make()));
    this.#keep(key, value);
    return value;
  }

  #keep(key: string, value: T): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#max && oldest !== undefined) this.#values.delete(oldest);
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
