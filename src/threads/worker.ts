import { MessagePort, Worker } from 'node:worker_threads';
import { isObject } from '../shared/is-object.ts';
import type { ThreadProgram } from '../shared/program-files.ts';
import { errorOf, TextLimitExceeded } from './failures.ts';
import type { TaskInput, TaskMessage, TaskName, TaskOutput, TaskRequest, Tasks } from './tasks.ts';

export interface TaskLimits {
  /** Processor time of one step, or of a task that reports no steps. */
  timeMs: number;
  memoryBytes: number;
}

/**
 * V8's own limit must never be reached: V8 ends the whole process, not the thread, when one large allocation exceeds it.
 * So the memory is measured while the thread works.
 */
const defaultHeapMegabytes = 1_024;
const measureIntervalMs = 50;

/**
 * A text takes as much processor time on a busy machine as on an idle one, so that is what is limited. Time on the clock
 * may be this many times as long: a thread in one long call of the platform cannot be asked for its processor time.
 */
const clockFactor = 10;

/** When a step began: on the clock, and in the processor time of the thread as soon as it was measured. */
interface StepStart {
  clockMs: number;
  cpuMs: number | undefined;
}

interface Job {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onStep(step: string): void;
}

/** A thread that runs one task after another. */
export class TaskWorker<T extends Tasks> {
  readonly #worker: Worker;
  #job: Job | undefined;
  #isEnding = false;
  #isMeasuring = false;
  #mostMemory = 0;
  /** Resolves when the thread has ended. */
  readonly ended: Promise<void>;

  /**
   * @param program the module of the thread, which runs the tasks of the table `T`
   * @param sizes the stack is the platform's by default
   */
  constructor(
    program: ThreadProgram,
    sizes: { heapMegabytes?: number; youngMegabytes?: number; stackMegabytes?: number } = {},
  ) {
    const { heapMegabytes = defaultHeapMegabytes, youngMegabytes, stackMegabytes } = sizes;
    this.#worker = new Worker(program.file, {
      ...program.options,
      name: 'texts',
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: heapMegabytes,
        ...(youngMegabytes === undefined ? {} : { maxYoungGenerationSizeMb: youngMegabytes }),
        ...(stackMegabytes === undefined ? {} : { stackSizeMb: stackMegabytes }),
      },
    });
    this.#worker.unref();
    this.#worker.on('message', (message: TaskMessage) => {
      if ('step' in message) this.#job?.onStep(message.step);
      else if ('failure' in message) this.#job?.reject(errorOf(message.failure));
      else this.#job?.resolve(message.value);
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

  /**
   * @param onStep called when the task reports a step; each step has its own time limit
   * @throws TextLimitExceeded when a step takes too much time, or the task too much memory, and so its thread was ended
   */
  async run<N extends TaskName<T>>(
    name: N,
    input: TaskInput<T, N>,
    limits: TaskLimits,
    onStep: (step: string) => void = () => {},
  ): Promise<TaskOutput<T, N>> {
    const start: StepStart = { clockMs: performance.now(), cpuMs: undefined };
    const measuring = setInterval(() => void this.#measure(limits, start), measureIntervalMs);
    // A task keeps the process alive; an idle thread does not.
    this.#worker.ref();
    try {
      return await new Promise<TaskOutput<T, N>>((resolve, reject) => {
        this.#job = {
          // The thread runs the same table: the value is the output of this task.
          resolve: (value) => resolve(value as TaskOutput<T, N>),
          reject,
          onStep: (step) => {
            Object.assign(start, { clockMs: performance.now(), cpuMs: undefined });
            onStep(step);
          },
        };
        const request: TaskRequest = { name, input };
        this.#worker.postMessage(request, portsIn(input));
      });
    } finally {
      this.#job = undefined;
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

  async #measure({ timeMs, memoryBytes }: TaskLimits, start: StepStart): Promise<void> {
    if (performance.now() - start.clockMs > timeMs * clockFactor)
      void this.end(TextLimitExceeded.within(seconds(timeMs * clockFactor)));
    if (this.#isMeasuring || this.#isEnding) return;
    const job = this.#job;
    this.#isMeasuring = true;
    try {
      const [cpu, heap] = await Promise.all([this.#worker.cpuUsage(), this.#worker.getHeapStatistics()]);
      const memory = heap.used_heap_size + heap.external_memory;
      this.#mostMemory = Math.max(this.#mostMemory, memory);
      if (job !== this.#job) return;
      const cpuMs = (cpu.user + cpu.system) / 1000;
      start.cpuMs ??= cpuMs;
      if (memory > memoryBytes) {
        void this.end(TextLimitExceeded.within(`${Math.round(memoryBytes / 1024 / 1024)} MiB of memory`));
      } else if (cpuMs - start.cpuMs > timeMs) void this.end(TextLimitExceeded.within(seconds(timeMs)));
    } catch {
      // The thread has not begun, or it has ended.
    } finally {
      this.#isMeasuring = false;
    }
  }
}

const seconds = (ms: number) => `${ms / 1000} s`;

/** Ports by which a task asks for more while it works: they move into the thread. */
function portsIn(input: unknown): MessagePort[] {
  return isObject(input) ? Object.values(input).filter((member) => member instanceof MessagePort) : [];
}
