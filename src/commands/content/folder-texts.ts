import { join } from 'node:path';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import type { folderTasks } from '../../content/sync/tasks.ts';
import { longestMs } from '../../threads/size.ts';
import type { CallableTasks, TaskInput, TaskName, TaskOutput } from '../../threads/tasks.ts';
import type { TaskLimits, TaskWorker } from '../../threads/worker.ts';

type FolderTasks = typeof folderTasks;

/** Of one file: the service refuses a text sooner. The memory is that of all files together. */
const limits: TaskLimits = { timeMs: 20_000, memoryBytes: 3 * 2 ** 30 };
const heapMegabytes = 4_096;
/** For at most this time Ctrl-C has no effect. Starting a worker takes 100 ms, which folders of some dozens of pages save. */
const longestHereMs = 5_000;

interface Work {
  /** For messages: the steps of the task are files in it. */
  folder: string;
  /** What the task may parse. */
  texts: Iterable<string | Uint8Array | null>;
}

/**
 * Work on the pages of folders: on few ones in this thread, on all others in a worker. So a page that takes very long is
 * refused by its name, and Ctrl-C has an effect meanwhile.
 */
export class FolderTexts {
  readonly #signal: AbortSignal;
  #worker: TaskWorker<FolderTasks> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /**
   * @throws CommandError beyond the limits; AbortError when the command is interrupted
   */
  async run<N extends TaskName<FolderTasks>>(
    name: N,
    input: TaskInput<FolderTasks, N>,
    { folder, texts }: Work,
  ): Promise<TaskOutput<FolderTasks, N>> {
    if (longestMs([...texts].map((text) => text ?? '')) <= longestHereMs) {
      const { folderTasks } = await import('../../content/sync/tasks.ts');
      const tasks: CallableTasks<FolderTasks> = folderTasks;
      return tasks[name](input, () => {});
    }
    const { TaskWorker, threadFile } = await import('../../threads/worker.ts');
    const worker = (this.#worker ??= new TaskWorker<FolderTasks>(
      threadFile(import.meta.filename, 'thread.ts', 'folder-thread.cjs'),
      { heapMegabytes },
    ));
    const stop = () => void worker.end(new DOMException('Interrupted.', 'AbortError'));
    this.#signal.throwIfAborted();
    this.#signal.addEventListener('abort', stop);
    let file = '';
    try {
      return await worker.run(name, input, limits, (step) => (file = step));
    } catch (error) {
      const { TextLimitExceeded } = await import('../../threads/failures.ts');
      if (!(error instanceof TextLimitExceeded)) throw error;
      this.#worker = undefined;
      throw new CommandError(`${join(folder, file)} ${error.message}`, { exitCode: exit.refused });
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }

  /** Ends the worker. */
  close(): void {
    void this.#worker?.end();
  }
}
