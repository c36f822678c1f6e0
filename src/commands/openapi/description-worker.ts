import type { Invocation } from '../../cli/command/command.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { NeedsThread } from '../../openapi/index.ts';
import type { TaskLimits, TaskWorker } from '../../threads/worker.ts';
import type { CompareRequest, descriptionTasks, ReadRequest } from './description-tasks.ts';

type Tasks = typeof descriptionTasks;
type Harmless = { onlyHarmless?: boolean };

/** 50 MB of ordinary text take a minute. Patterns of a hostile one could take for ever. */
const limits: TaskLimits = { timeMs: 180_000, memoryBytes: 3 * 2 ** 30 };
/**
 * Rules follow references from schema to schema, and in long rows of them need much stack. Without the limit of what is
 * young, 13 MB take 180 MB more, and are read no faster.
 */
const sizes = { heapMegabytes: 3_072, youngMegabytes: 32, stackMegabytes: 512 };

/**
 * Does the work on descriptions, all but small ones in a thread: so one that takes very long or very much memory is refused
 * by its name, and Ctrl-C has an effect meanwhile.
 */
export class DescriptionThread {
  readonly #signal: AbortSignal;
  #worker: TaskWorker<Tasks> | undefined;

  constructor({ signal }: Pick<Invocation<{}, {}>, 'signal'>) {
    this.#signal = signal;
  }

  /** @throws CommandError beyond the limits, which begins with the subject */
  read(request: ReadRequest, subject: string): ReturnType<Tasks['read']> {
    return this.#run(subject, {
      here: async (harmless) => (await tasks()).read({ ...request, ...harmless }),
      there: (worker) => worker.run('read', request, limits),
    });
  }

  /** @throws CommandError beyond the limits, which begins with the subject */
  compare(request: CompareRequest, subject: string): ReturnType<Tasks['compare']> {
    return this.#run(subject, {
      here: async (harmless) => (await tasks()).compare({ ...request, ...harmless }),
      there: (worker) => worker.run('compare', request, limits),
    });
  }

  /** Ends the thread; its memory is free afterwards. */
  async close(): Promise<void> {
    await this.#worker?.end();
  }

  async #run<T>(
    subject: string,
    work: { here: (harmless: Harmless) => Promise<T>; there: (worker: TaskWorker<Tasks>) => Promise<T> },
  ): Promise<T> {
    try {
      return await work.here({ onlyHarmless: true });
    } catch (error) {
      if (!(error instanceof NeedsThread) && !(error instanceof RangeError)) throw error;
    }
    try {
      return await work.there(await this.#open());
    } catch (error) {
      const { limitExceeded } = await import('../../threads/failures.ts');
      const exceeded = limitExceeded(error);
      if (!exceeded) throw error;
      throw new CommandError(`${subject} ${exceeded.message}`, { exitCode: exit.checkFailed });
    }
  }

  async #open(): Promise<TaskWorker<Tasks>> {
    const { TaskWorker, threadFile } = await import('../../threads/worker.ts');
    this.#signal.throwIfAborted();
    if (this.#worker && !this.#worker.isEnding) return this.#worker;
    const file = threadFile(import.meta.filename, 'description-thread.ts', 'description-thread.cjs');
    const worker = new TaskWorker<Tasks>(file, sizes);
    this.#worker = worker;
    this.#signal.addEventListener('abort', () => void worker.end(new DOMException('Interrupted.', 'AbortError')), {
      once: true,
    });
    return worker;
  }
}

const tasks = async () => (await import('./description-tasks.ts')).descriptionTasks;
