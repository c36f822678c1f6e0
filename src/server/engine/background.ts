/** Work that continues after the response. What must survive a crash is in the database; this only runs it. */
export interface Background {
  /** Runs work; work under the same key waits until the earlier one has ended. */
  start(key: string, work: () => Promise<void>): void;
  /** Resolves when no work is left. */
  drain(): Promise<void>;
  readonly size: number;
}

export function createBackground(): Background {
  const running = new Map<string, Promise<void>>();
  return {
    start(key, work) {
      const earlier = running.get(key) ?? Promise.resolve();
      const job = earlier
        .then(() => new Promise<void>((resolve) => setImmediate(resolve)))
        .then(work)
        .catch(() => {})
        .finally(() => {
          if (running.get(key) === job) running.delete(key);
        });
      running.set(key, job);
    },
    async drain() {
      while (running.size > 0) await Promise.all(running.values());
    },
    get size() {
      return running.size;
    },
  };
}
