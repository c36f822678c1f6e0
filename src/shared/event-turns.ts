import { setImmediate as nextTurn } from 'node:timers/promises';

const intervalMs = 50;

/** Lets events in during long work that waits for nothing: without them, nobody hears of a signal. */
export class EventTurns {
  #last = performance.now();

  /** To be awaited often: most of the time it does nothing. */
  async take(): Promise<void> {
    if (performance.now() - this.#last < intervalMs) return;
    await nextTurn();
    this.#last = performance.now();
  }
}
