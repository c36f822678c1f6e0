import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { errorOf, type Failure, TextLimitExceeded } from './failures.ts';
import type { TextInput, TextOutput, TextTask } from './tasks.ts';

export interface TaskLimits {
  timeMs: number;
  memoryBytes: number;
}

export interface TaskRequest<N extends TextTask = TextTask> {
  name: N;
  input: TextInput<N>;
}

export type TaskAnswer = { value: unknown } | { failure: Failure };

// In the sources it is next to this module; in the build it is above the folder of the chunks.
const entry = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'thread.ts')
  : join(import.meta.dirname, '..', 'text-thread.cjs');

/**
 * V8's own limit must never be reached: V8 ends the whole process, not the thread, when one large allocation exceeds it.
 * So the memory is measured while the thread works.
 */
const heapMegabytes = 1_024;
const measureIntervalMs = 50;

interface Job {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A thread that runs one task after another. */
export class TextWorker {
  readonly #worker = new Worker(entry, {
    name: 'texts',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  #job: Job | undefined;
  #isEnding = false;
  #mostMemory = 0;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: TaskAnswer) => {
      if ('failure' in answer) this.#job?.reject(errorOf(answer.failure));
      else this.#job?.resolve(answer.value);
    });
    this.#worker.on('error', (error) => {
      this.#isEnding = true;
      this.#job?.reject(error instanceof Error ? error : new Error(String(error)));
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#isEnding = true;
        this.#job?.reject(new Error('The thread that reads texts has ended.'));
        resolve();
      });
    });
  }

  /** @throws TextLimitExceeded when the task takes too much time or memory, and so its thread was ended */
  async run<N extends TextTask>(name: N, input: TextInput<N>, limits: TaskLimits): Promise<TextOutput<N>> {
    const timeout = setTimeout(() => this.end(TextLimitExceeded.within(`${limits.timeMs / 1000} s`)), limits.timeMs);
    const measuring = setInterval(() => void this.#measure(limits.memoryBytes), measureIntervalMs);
    // A task keeps the process alive; an idle thread does not.
    this.#worker.ref();
    try {
      return await new Promise<TextOutput<N>>((resolve, reject) => {
        // The thread runs the same task table: the value is the output of this task.
        this.#job = { resolve: (value) => resolve(value as TextOutput<N>), reject };
        const request: TaskRequest<N> = { name, input };
        this.#worker.postMessage(request);
      });
    } finally {
      this.#job = undefined;
      clearTimeout(timeout);
      clearInterval(measuring);
      this.#worker.unref();
    }
  }

  /** The highest measured use of memory, in bytes: V8 keeps much of it until the thread ends. */
  get mostMemory(): number {
    return this.#mostMemory;
  }

  /** Whether it takes no more tasks. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Ends the thread at once. @param reason the error of its current task */
  end(reason?: Error): Promise<void> {
    this.#isEnding = true;
    if (reason) this.#job?.reject(reason);
    void this.#worker.terminate();
    return this.ended;
  }

  async #measure(memoryBytes: number): Promise<void> {
    const job = this.#job;
    try {
      const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
      const memory = used_heap_size + external_memory;
      this.#mostMemory = Math.max(this.#mostMemory, memory);
      if (memory <= memoryBytes || job !== this.#job) return;
      void this.end(TextLimitExceeded.within(`${Math.round(memoryBytes / 1024 / 1024)} MiB of memory`));
    } catch {
      // The thread has ended.
    }
  }
}
