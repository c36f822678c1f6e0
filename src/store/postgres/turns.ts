/** Lets work of this process under one key run one after another, so that no more than one of it takes a connection. */
export class Turns {
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
