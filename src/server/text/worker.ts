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

// Beside this module in the sources, beside the chunks' folder in what is built.
const entry = import.meta.filename.endsWith('.ts')
  ? join(import.meta.dirname, 'thread.ts')
  : join(import.meta.dirname, '..', 'text-thread.cjs');

/**
 * V8's own limit only has to be out of reach: V8 ends the whole process, not the thread, where one large allocation goes
 * beyond it. So the memory in use is looked at while the thread works.
 */
const heapMegabytes = 1_024;
const lookEveryMs = 50;

interface Job {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A thread that does one task after another. */
export class TextWorker {
  readonly #worker = new Worker(entry, {
    name: 'texts',
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  #job: Job | undefined;
  #isEnding = false;
  #mostMemory = 0;
  /** Settles when the thread is gone. */
  readonly ended: Promise<void>;

  constructor() {
    this.#worker.unref();
    this.#worker.on('message', (answer: TaskAnswer) => {
      if ('failure' in answer) this.#job?.reject(errorOf(answer.failure));
      else this.#job?.resolve(answer.value);
    });
    this.#worker.on('error', (error) => {
      this.#isEnding = true;
      this.#job?.reject(error as Error);
    });
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#isEnding = true;
        this.#job?.reject(new Error('The thread that reads texts has ended.'));
        resolve();
      });
    });
  }

  /** @throws TextLimitExceeded when the thread is ended because the task takes too much */
  async run<N extends TextTask>(name: N, input: TextInput<N>, limits: TaskLimits): Promise<TextOutput<N>> {
    const overtime = setTimeout(() => this.end(TextLimitExceeded.within(`${limits.timeMs / 1000} s`)), limits.timeMs);
    const looking = setInterval(() => void this.#look(limits.memoryBytes), lookEveryMs);
    // Whoever waits for the answer keeps the process, an idle thread does not.
    this.#worker.ref();
    try {
      return await new Promise<TextOutput<N>>((resolve, reject) => {
        this.#job = { resolve: (value) => resolve(value as TextOutput<N>), reject };
        const request: TaskRequest<N> = { name, input };
        this.#worker.postMessage(request);
      });
    } finally {
      this.#job = undefined;
      clearTimeout(overtime);
      clearInterval(looking);
      this.#worker.unref();
    }
  }

  /** The most memory that it was seen to use, in bytes: V8 keeps much of it for as long as the thread lives. */
  get mostMemory(): number {
    return this.#mostMemory;
  }

  /** Whether it takes no more tasks. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** Ends the thread, whatever it does. @param reason what the task under way fails with */
  end(reason?: Error): Promise<void> {
    this.#isEnding = true;
    if (reason) this.#job?.reject(reason);
    void this.#worker.terminate();
    return this.ended;
  }

  async #look(memoryBytes: number): Promise<void> {
    const job = this.#job;
    try {
      const { used_heap_size, external_memory } = await this.#worker.getHeapStatistics();
      const memory = used_heap_size + external_memory;
      this.#mostMemory = Math.max(this.#mostMemory, memory);
      if (memory <= memoryBytes || job !== this.#job) return;
      void this.end(TextLimitExceeded.within(`${Math.round(memoryBytes / 1024 / 1024)} MiB of memory`));
    } catch {
      // It has ended meanwhile.
    }
  }
}
