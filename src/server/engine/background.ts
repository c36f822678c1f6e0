/** Work that goes on after an answer was sent. What must survive a crash is in the database; this only runs it. */
export interface Background {
  /** Starts work once; a second start under the same key while it runs, runs it again after. */
  start(key: string, work: () => Promise<void>): void;
  /** Settles when nothing is under way. */
  drain(): Promise<void>;
  readonly size: number;
}

export function createBackground(): Background {
  const running = new Map<string, Promise<void>>();
  return {
    start(key, work) {
      const before = running.get(key) ?? Promise.resolve();
      const mine = before
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(work)
        .catch(() => {})
        .finally(() => {
          if (running.get(key) === mine) running.delete(key);
        });
      running.set(key, mine);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running.values());
    },
    get size() {
      return running.size;
    },
  };
}
