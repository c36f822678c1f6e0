import { join } from 'node:path';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { OnFile } from '../content/folder/folder.ts';
import type { folderTasks } from './tasks.ts';
import { mayTakeLonger } from '../threads/size.ts';
import type { CallableTasks, TaskInput, TaskName, TaskOutput } from '../threads/tasks.ts';
import type { TaskLimits, TaskWorker } from '../threads/worker.ts';

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
  texts: readonly (string | Uint8Array | null)[];
}

/**
 * Work on the pages of folders: on a few in this thread, on more in a worker. So a page that takes very long is refused by
 * its name, and Ctrl-C has an effect meanwhile.
 */
export class FolderTexts {
  readonly #signal: AbortSignal;
  #worker: TaskWorker<FolderTasks> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws CommandError beyond the limits; AbortError when the command is interrupted */
  async run<N extends TaskName<FolderTasks>>(
    name: N,
    input: TaskInput<FolderTasks, N>,
    { folder, texts }: Work,
  ): Promise<TaskOutput<FolderTasks, N>> {
    const isLong = mayTakeLonger(
      longestHereMs,
      texts.filter((text) => text !== null),
    );
    let file = '';
    const onFile = (next: string) => void (file = next);
    try {
      return await (isLong ? this.#runInWorker(name, input, onFile) : runHere(name, input, onFile));
    } catch (error) {
      const { limitExceeded } = await import('../threads/failures.ts');
      const exceeded = limitExceeded(error);
      if (!exceeded) throw error;
      throw new CommandError(`${join(folder, file)} ${exceeded.message}`, { exitCode: exit.refused });
    }
  }

  /** Ends the worker. */
  close(): void {
    void this.#worker?.end();
  }

  async #runInWorker<N extends TaskName<FolderTasks>>(name: N, input: TaskInput<FolderTasks, N>, onFile: OnFile) {
    const { TaskWorker, threadFile } = await import('../threads/worker.ts');
    const thread = threadFile(import.meta.filename, 'folder-thread.ts', 'folder-thread.cjs');
    this.#signal.throwIfAborted();
    // A worker that exceeded a limit takes no more tasks.
    if (!this.#worker || this.#worker.isEnding) this.#worker = new TaskWorker<FolderTasks>(thread, { heapMegabytes });
    const worker = this.#worker;
    const stop = () => void worker.end(new DOMException('Interrupted.', 'AbortError'));
    this.#signal.addEventListener('abort', stop);
    try {
      return await worker.run(name, input, limits, onFile);
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }
}

async function runHere<N extends TaskName<FolderTasks>>(name: N, input: TaskInput<FolderTasks, N>, onFile: OnFile) {
  const { folderTasks } = await import('./tasks.ts');
  const tasks: CallableTasks<FolderTasks> = folderTasks;
  return tasks[name](input, onFile);
}
