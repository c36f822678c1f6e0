import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { PageRule } from '../../content/blocks/page-rules.ts';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { type ThreadProgram, threadProgram } from '../../shared/program-files.ts';
import { withHeapGrowth } from '../../shared/young-heap.ts';
import { limitExceeded } from '../../threads/failures.ts';
import { mayTakeLonger } from '../../threads/size.ts';
import type { TaskInput, TaskName, TaskOutput } from '../../threads/tasks.ts';
import { TaskWorker, type TaskLimits } from '../../threads/worker.ts';
import { checkFolder, type FolderCheck } from './check-folder.ts';
import { type OnFile, openFolder, readPages, type ReadPage, type ShareRequest } from './check-tasks.ts';
import { DiskFolder } from './disk-folder.ts';

/** The time applies to one page: the service has a lower limit for a text. */
const limits: TaskLimits = { timeMs: 20_000, memoryBytes: 3 * 2 ** 30 };
/** Few objects outlive their page. With less memory for new ones, more of those in use are moved to the old ones. */
const sizes = { heapMegabytes: 4_096, youngMegabytes: 24 };
/** The heap would grow up to fourfold until old objects are collected. */
const growingPercent = 150;
/** Each takes 100 MB. */
const maxThreads = 4;
/** Reading as many pages takes as long as starting a thread. */
const minPagesOfThread = 100;
/** How long Ctrl-C may have no effect, and a page no limit. */
const longestHereMs = 5_000;

interface FolderRequest {
  path: string;
  optionalRules: readonly PageRule[];
}

interface CheckRequest extends FolderRequest {
  /** The file of other threads that read pages. */
  thread: ThreadProgram;
  threads: number;
}

/** The work of a thread. The steps are files. */
export const threadTasks = {
  readPages: async ({ path, optionalRules, ...share }: ShareRequest, onFile: OnFile) =>
    readPages(openFolder(path, onFile), { optionalRules, share, onFile }),

  checkFolder: async ({ path, optionalRules, thread, threads }: CheckRequest, onFile: OnFile): Promise<FolderCheck> => {
    const workers = Array.from({ length: threads - 1 }, () => new Thread(thread));
    try {
      const others = workers.map((worker, index) =>
        // A step without a name says that the work goes on.
        worker.run('readPages', { path, optionalRules, index: index + 1, of: threads }, () => onFile('')),
      );
      // Their failures are thrown below, when the pages of this thread are read.
      for (const other of others) other.catch(() => {});
      const site = openFolder(path, onFile);
      const own = await readPages(site, { optionalRules, share: { index: 0, of: threads }, onFile });
      const read = new Map<string, ReadPage>(own);
      for (const [index, other] of others.entries()) {
        const pages = await other.catch((error: unknown) => {
          onFile(workers[index]?.file ?? '');
          throw error;
        });
        for (const [key, page] of pages) read.set(key, page);
      }
      return await checkFolder(site, { optionalRules, read, onFile });
    } finally {
      await Promise.all(workers.map((worker) => worker.end()));
    }
  },
};

type Tasks = typeof threadTasks;

/** A thread that knows which file it reads. */
class Thread {
  readonly #worker: TaskWorker<Tasks>;
  file = '';

  constructor(thread: ThreadProgram) {
    this.#worker = new TaskWorker<Tasks>(thread, sizes);
  }

  run<N extends TaskName<Tasks>>(
    name: N,
    input: TaskInput<Tasks, N>,
    onStep = () => {},
  ): Promise<TaskOutput<Tasks, N>> {
    return this.#worker.run(name, input, limits, (file) => {
      if (file !== '') this.file = file;
      onStep();
    });
  }

  end(reason?: Error): Promise<void> {
    return this.#worker.end(reason);
  }
}

interface CheckOptions extends FolderRequest {
  signal: AbortSignal;
}

/**
 * Renders every page of a folder: a few in this thread, more on several processors, where a signal has an effect and a page
 * that takes too long is reported by name.
 *
 * @throws SettingsError, UnreadableFolder; EngineError for a page beyond the limits
 */
export async function checkFolderAt({ path, optionalRules, signal }: CheckOptions): Promise<FolderCheck> {
  const disk = new DiskFolder(path);
  const markdown = [...disk.files].filter(isMarkdown);
  const threads = Math.max(
    1,
    Math.min(maxThreads, availableParallelism(), Math.floor(markdown.length / minPagesOfThread)),
  );
  const texts = markdown.values().map((file) => disk.bytes(file) ?? '');
  if (threads === 1 && !mayTakeLonger(longestHereMs, texts)) {
    const onFile = () => signal.throwIfAborted();
    const site = openFolder(path, onFile);
    const read = await readPages(site, { optionalRules, share: { index: 0, of: 1 }, onFile });
    return checkFolder(site, { optionalRules, read, onFile });
  }
  const thread = threadProgram(import.meta.filename, 'check-thread.ts', 'check-thread.cjs');
  const worker = new Thread(thread);
  const stop = () => void worker.end(new DOMException('Interrupted.', 'AbortError'));
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    const request = { path: disk.path, optionalRules, thread, threads };
    return await withHeapGrowth(growingPercent, () => worker.run('checkFolder', request));
  } catch (error) {
    const exceeded = limitExceeded(error);
    throw exceeded ? new EngineError('refused', `${join(path, worker.file)} ${exceeded.message}`) : error;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.end();
  }
}
