import { availableParallelism } from 'node:os';
import { Unavailable } from '../engine/errors.ts';
import type { TextInput, TextOutput, TextTask } from './tasks.ts';
import { TextWorker } from './worker.ts';

export interface TextLimits {
  /** Of one task. */
  timeMs: number;
  /** Of one worker. */
  memoryBytes: number;
}

const usualLimits: TextLimits = { timeMs: 5_000, memoryBytes: 256 * 1024 * 1024 };

/** How many times the limits of one text hold for what is made of many. */
const larger: Partial<Record<TextTask, { time: number; memory: number }>> = {
  readZip: { time: 6, memory: 2 },
  pdfImages: { time: 6, memory: 1 },
  layOutPdf: { time: 12, memory: 2 },
};

/** How long a task may wait for a worker. */
const waitMs = 60_000;
/** A worker that has had nothing to do for so long ends, at once where it has used more memory than it may keep. */
const idleMs = 30_000;
const keptBytes = 64 * 1024 * 1024;

// Two at least, or one long text would keep all others waiting; few, as each takes a processor and memory.
const mostWorkers = Math.min(4, Math.max(2, availableParallelism()));

interface Waiting {
  start(worker: TextWorker): void;
  fail(error: Error): void;
}

/** The workers, and who gets one next: each caller has one task under way, and turns go round. */
export class TextPool {
  readonly #limits: TextLimits;
  readonly #workers = new Set<TextWorker>();
  readonly #idle = new Map<TextWorker, NodeJS.Timeout>();
  /** Callers with a task under way. */
  readonly #served = new Set<string>();
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isClosed = false;

  constructor(limits: Partial<TextLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /** @throws TextLimitExceeded; DomainError `unavailable` */
  async run<N extends TextTask>(name: N, input: TextInput<N>, caller: string): Promise<TextOutput<N>> {
    const worker = await this.#turnOf(caller);
    try {
      return await worker.run(name, input, this.#limitsOf(name, input));
    } finally {
      this.#release(worker, caller);
    }
  }

  /** Ends all workers. @param reason what is under way fails with */
  async close(reason: Error): Promise<void> {
    this.#isClosed = true;
    for (const { fail } of [...this.#waiting.values()].flat()) fail(reason);
    await Promise.all([...this.#workers].map((worker) => worker.end(reason)));
  }

  #limitsOf(name: TextTask, input: unknown): TextLimits {
    const { time, memory } = larger[name] ?? sizeOfDescription(name, input);
    return { timeMs: this.#limits.timeMs * time, memoryBytes: this.#limits.memoryBytes * memory };
  }

  #turnOf(caller: string): Promise<TextWorker> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        start(worker) {
          clearTimeout(timer);
          resolve(worker);
        },
        fail: (error) => {
          clearTimeout(timer);
          this.#leave(caller, waiting);
          reject(error);
        },
      };
      const timer = setTimeout(
        () => waiting.fail(new Unavailable('Too many long texts are waiting. Try again.')),
        waitMs,
      );
      const queue = this.#waiting.get(caller);
      if (queue) queue.push(waiting);
      else this.#waiting.set(caller, [waiting]);
      this.#startNext();
    });
  }

  #leave(caller: string, waiting: Waiting): void {
    const queue = this.#waiting.get(caller)?.filter((each) => each !== waiting) ?? [];
    if (queue.length > 0) this.#waiting.set(caller, queue);
    else this.#waiting.delete(caller);
  }

  #startNext(): void {
    for (const [caller, queue] of this.#waiting) {
      if (this.#served.has(caller)) continue;
      const worker = this.#takeIdle() ?? this.#add();
      if (!worker) return;
      this.#served.add(caller);
      const next = queue.shift();
      // The caller goes to the end of the row.
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      next?.start(worker);
    }
  }

  #takeIdle(): TextWorker | undefined {
    for (const [worker, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(worker);
      if (!worker.isEnding) return worker;
    }
    return undefined;
  }

  #add(): TextWorker | undefined {
    if (this.#workers.size >= mostWorkers || this.#isClosed) return undefined;
    const worker = new TextWorker();
    this.#workers.add(worker);
    void worker.ended.then(() => {
      this.#workers.delete(worker);
      clearTimeout(this.#idle.get(worker));
      this.#idle.delete(worker);
      this.#startNext();
    });
    return worker;
  }

  #release(worker: TextWorker, caller: string): void {
    this.#served.delete(caller);
    if (worker.mostMemory > keptBytes) void worker.end();
    else if (!worker.isEnding) {
      this.#idle.set(worker, setTimeout(() => void worker.end(), idleMs).unref());
    }
    this.#startNext();
  }
}

/** A description may have 50 MB, and is read in time and memory by its length. */
function sizeOfDescription(name: TextTask, input: unknown): { time: number; memory: number } {
  if (name !== 'readDescription') return { time: 1, memory: 1 };
  const times = 1 + (input as TextInput<'readDescription'>).text.length / 2 ** 24;
  return { time: times, memory: Math.min(times, 3.5) };
}
