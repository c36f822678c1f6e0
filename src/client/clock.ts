/** Time and randomness, replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    // Loaded only here: most runs never wait.
    const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  random: Math.random,
};
