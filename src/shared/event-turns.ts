import { setImmediate as nextTurn } from 'node:timers/promises';

const intervalMs = 50;

/** Lets the event loop run during long synchronous work, so that signals are handled. */
export class EventTurns {
  #last = performance.now();

  /** To be awaited often: most of the time it does nothing. */
  async take(): Promise<void> {
    if (performance.now() - this.#last < intervalMs) return;
    await nextTurn();
    this.#last = performance.now();
  }
}
