import type { Invocation } from '../../cli/command/command.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import { NeedsThread } from '../../openapi/index.ts';
import { threadProgram } from '../../shared/program-files.ts';
import type { TaskLimits, TaskWorker } from '../../threads/worker.ts';
import type { CompareRequest, descriptionTasks, ReadRequest } from './description-tasks.ts';

type Tasks = typeof descriptionTasks;

/** 50 MB of ordinary text take a minute. Patterns in a hostile text could take forever. */
const limits: TaskLimits = { timeMs: 180_000, memoryBytes: 3 * 2 ** 30 };
/**
 * Rules follow references from schema to schema, and need a large stack for long chains. Without the limit for young
 * objects, 13 MB take 180 MB more memory, and reading them is not faster.
 */
const sizes = { heapMegabytes: 3_072, youngMegabytes: 32, stackMegabytes: 512 };

/**
 * Reads and compares descriptions, except for small ones in a thread. If one takes too much time or memory, the error
 * names it, and Ctrl-C works in the meantime.
 */
export class DescriptionThread {
  readonly #signal: AbortSignal;
  #worker: TaskWorker<Tasks> | undefined;

  constructor({ signal }: Pick<Invocation<{}, {}>, 'signal'>) {
    this.#signal = signal;
  }

  /** @throws CommandError beyond the limits, with a message that starts with the subject */
  read(request: ReadRequest, subject: string): ReturnType<Tasks['read']> {
    return this.#run(
      subject,
      (tasks) => tasks.read({ ...request, onlyHarmless: true }),
      (worker) => worker.run('read', request, limits),
    );
  }

  /** @throws CommandError beyond the limits, with a message that starts with the subject */
  compare(request: CompareRequest, subject: string): ReturnType<Tasks['compare']> {
    return this.#run(
      subject,
      (tasks) => tasks.compare({ ...request, onlyHarmless: true }),
      (worker) => worker.run('compare', request, limits),
    );
  }

  /** Ends the thread and frees its memory. */
  async close(): Promise<void> {
    await this.#worker?.end();
  }

  async #run<T>(
    subject: string,
    runHere: (tasks: Tasks) => Promise<T>,
    runInThread: (worker: TaskWorker<Tasks>) => Promise<T>,
  ): Promise<T> {
    try {
      return await runHere((await import('./description-tasks.ts')).descriptionTasks);
    } catch (error) {
      if (!(error instanceof NeedsThread) && !(error instanceof RangeError)) throw error;
    }
    try {
      return await runInThread(await this.#open());
    } catch (error) {
      const { limitExceeded } = await import('../../threads/failures.ts');
      const exceeded = limitExceeded(error);
      if (!exceeded) throw error;
      throw checkFailed(`${subject} ${exceeded.message}`);
    }
  }

  async #open(): Promise<TaskWorker<Tasks>> {
    const { TaskWorker } = await import('../../threads/worker.ts');
    this.#signal.throwIfAborted();
    if (this.#worker && !this.#worker.isEnding) return this.#worker;
    const program = threadProgram(import.meta.filename, 'description-thread.ts', 'description-thread.cjs');
    const worker = new TaskWorker<Tasks>(program, sizes);
    this.#worker = worker;
    this.#signal.addEventListener('abort', () => void worker.end(new DOMException('Interrupted.', 'AbortError')), {
      once: true,
    });
    return worker;
  }
}
