/** A cache that drops the least recently used entries. The last entry is kept even if it is larger than `max`. */
export class LruCache<T> {
  readonly #entries = new Map<string, { value: T; size: number }>();
  readonly #max: number;
  readonly #sizeOf: (value: T) => number;
  #size = 0;

  /** @param max of all sizes together */
  constructor(max: number, sizeOf: (value: T) => number = () => 1) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    // A map keeps the order of insertion, so its first entry is the least recently used.
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: T): void {
    this.delete(key);
    const size = this.#sizeOf(value);
    this.#entries.set(key, { value, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#max || oldest === key) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}
