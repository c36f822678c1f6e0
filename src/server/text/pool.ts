import { availableParallelism } from 'node:os';
import { isObject } from '../../shared/is-object.ts';
import { threadProgram } from '../../shared/program-files.ts';
import { Unavailable } from '../engine/errors.ts';
import { type TaskLimits, TaskWorker } from '../../threads/worker.ts';
import type { TextInput, TextOutput, TextTask, TextTasks } from './tasks.ts';

type TextWorker = TaskWorker<TextTasks>;

const threadOfTexts = () => threadProgram(import.meta.filename, 'thread.ts', 'text-thread.cjs');

const defaultLimits: TaskLimits = { timeMs: 5_000, memoryBytes: 256 * 1024 * 1024 };

/** Factors of the limits for tasks on many texts. */
const limitFactors: Partial<Record<TextTask, { time: number; memory: number }>> = {
  readZip: { time: 6, memory: 2 },
  // The time is that of one page.
  layOutPdf: { time: 4, memory: 2 },
};

/** How long a task may wait for a worker. */
const maxWaitMs = 60_000;
const mebibyte = 1024 * 1024;

/**
 * How long a worker stays without a task, after it has used this much memory. A new one takes two to three times as long
 * for its first texts, so it stays for the next part of a push even if it has used much. After more than half of the
 * limit it ends at once: the next task would not have all its memory.
 */
export function idleMsAfter(usedBytes: number): number {
  if (usedBytes > 128 * mebibyte) return 0;
  return usedBytes > 64 * mebibyte ? 1_000 : 30_000;
}

/** How long a worker stays beside an idle one: its memory is only useful while texts keep coming. */
const furtherIdleMs = 1_000;

// At least three, so that a caller with several texts does not delay all others; few, because each takes a processor and
// memory.
export const workerCounts = { least: 3, most: 4, perCaller: 2 };
const maxWorkers = Math.min(workerCounts.most, Math.max(workerCounts.least, availableParallelism()));

/** V8 takes twice the memory for long tasks, such as a PDF, where it may collect new objects more seldom. */
const youngMegabytes = 24;

interface Waiting {
  start(worker: TextWorker): void;
  fail(error: Error): void;
}

/**
 * The workers and the queues of their tasks. Callers take turns; a second task of a caller runs beside its first one only
 * where another worker stays free.
 */
export class TextPool {
  readonly #limits: TaskLimits;
  readonly #workers = new Set<TextWorker>();
  readonly #idle = new Map<TextWorker, NodeJS.Timeout>();
  /** How many tasks of a caller are running. */
  readonly #running = new Map<string, number>();
  /** By caller, in the order of their turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #isClosed = false;

  constructor(limits: Partial<TaskLimits> = {}) {
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** @throws TextLimitExceeded; DomainError `unavailable` */
  async run<N extends TextTask>(name: N, input: TextInput<N>, caller: string): Promise<TextOutput<N>> {
    const worker = await this.#acquire(caller);
    try {
      return await worker.run(name, input, this.#limitsOf(name, input));
    } finally {
      this.#release(worker, caller);
    }
  }

  /** Ends all workers. @param reason the error of all unfinished tasks */
  async close(reason: Error): Promise<void> {
    this.#isClosed = true;
    for (const { fail } of [...this.#waiting.values()].flat()) fail(reason);
    await Promise.all([...this.#workers].map((worker) => worker.end(reason)));
  }

  #limitsOf(name: TextTask, input: unknown): TaskLimits {
    const { time, memory } = limitFactors[name] ?? factorsOfDescription(name, input);
    return { timeMs: this.#limits.timeMs * time, memoryBytes: this.#limits.memoryBytes * memory };
  }

  #acquire(caller: string): Promise<TextWorker> {
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
        maxWaitMs,
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
      const running = this.#running.get(caller) ?? 0;
      if (running > 0 && (running >= workerCounts.perCaller || this.#freeCount() < 2)) continue;
      const worker = this.#takeIdle() ?? this.#add();
      if (!worker) return;
      this.#running.set(caller, running + 1);
      const next = queue.shift();
      // The caller goes to the end of the queue.
      this.#waiting.delete(caller);
      if (queue.length > 0) this.#waiting.set(caller, queue);
      next?.start(worker);
    }
  }

  /** Workers without a task, and those that could be added. */
  #freeCount(): number {
    return this.#idle.size + maxWorkers - this.#workers.size;
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
    if (this.#workers.size >= maxWorkers || this.#isClosed) return undefined;
    const worker = new TaskWorker<TextTasks>(threadOfTexts(), { youngMegabytes });
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
    const running = (this.#running.get(caller) ?? 1) - 1;
    if (running > 0) this.#running.set(caller, running);
    else this.#running.delete(caller);
    const idleMs = Math.min(idleMsAfter(worker.mostMemory), this.#idle.size > 0 ? furtherIdleMs : Infinity);
    if (idleMs === 0) void worker.end();
    else if (!worker.isEnding) this.#idle.set(worker, setTimeout(() => void worker.end(), idleMs).unref());
    this.#startNext();
  }
}

/** A description, and the body that brings it, may have 50 MB: the limits grow with their length. */
function factorsOfDescription(name: TextTask, input: unknown): { time: number; memory: number } {
  if (!isObject(input)) return { time: 1, memory: 1 };
  const text = name === 'readDescription' ? input.text : name === 'readBody' ? input.body : undefined;
  if (typeof text !== 'string' && !(text instanceof Uint8Array)) return { time: 1, memory: 1 };
  const factor = 1 + text.length / 2 ** 24;
  return { time: factor, memory: Math.min(factor, 3.5) };
}
