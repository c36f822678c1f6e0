import { Refusal } from './tool.ts';

/** Runs a limited number of tasks at the same time, in the order of their arrival. */
export class Queue {
  readonly #maxRunning: number;
  readonly #maxWaiting: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(maxRunning: number, maxWaiting: number) {
    this.#maxRunning = maxRunning;
    this.#maxWaiting = maxWaiting;
  }

  /** @throws Refusal if too many tasks wait; the reason of the signal if it aborts before the task begins */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#maxRunning) this.#running += 1;
    else if (this.#waiting.length < this.#maxWaiting) await new Promise<void>((next) => this.#waiting.push(next));
    else throw new Refusal('Too many calls at the same time. Wait for their results.');
    try {
      signal.throwIfAborted();
      return await task();
    } finally {
      const next = this.#waiting.shift();
      // The place of this task passes to the next one.
      if (next) next();
      else this.#running -= 1;
    }
  }
}
