import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { PageRule } from '../../content/blocks/page-rules.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { threadProgram } from '../../shared/program-files.ts';
import { limitExceeded } from '../../threads/failures.ts';
import { mayTakeLonger } from '../../threads/size.ts';
import type { TaskInput } from '../../threads/tasks.ts';
import { TaskWorker, type TaskLimits } from '../../threads/worker.ts';
import type { checkTasks, ReadPage } from './check-tasks.ts';

type Tasks = typeof checkTasks;

/** The time applies to one page: the service has a lower limit for a text. */
const limits: TaskLimits = { timeMs: 20_000, memoryBytes: 3 * 2 ** 30 };
/** Almost nothing outlives its page, so much memory for new objects saves no time. */
const sizes = { heapMegabytes: 4_096, youngMegabytes: 8 };
/** Each takes 100 MB. */
const maxThreads = 4;
/** Reading as many pages takes as long as starting a thread. */
const minPagesOfThread = 100;
/** How long Ctrl-C may have no effect, and a page no limit. */
const longestHereMs = 5_000;

interface Folder {
  path: string;
  /** Of pages. */
  count: number;
  texts: Iterable<string | Uint8Array>;
  optionalRules: readonly PageRule[];
  signal: AbortSignal;
}

/**
 * Renders the pages of a folder on several processors, or in one thread if the texts of a small folder may take long.
 *
 * @returns the pages of each thread; nothing if this thread is as fast
 * @throws EngineError for a page beyond the limits
 */
export async function readInThreads(folder: Folder): Promise<Map<string, ReadPage>[]> {
  const { path, count, texts, optionalRules, signal } = folder;
  const threads = Math.max(1, Math.min(maxThreads, availableParallelism(), Math.floor(count / minPagesOfThread)));
  if (threads === 1 && !mayTakeLonger(longestHereMs, texts)) return [];
  const program = threadProgram(import.meta.filename, 'check-thread.ts', 'check-thread.cjs');
  const workers = Array.from({ length: threads }, () => new TaskWorker<Tasks>(program, sizes));
  const stop = () => workers.forEach((worker) => void worker.end(new DOMException('Interrupted.', 'AbortError')));
  signal.addEventListener('abort', stop);
  try {
    return await Promise.all(
      workers.map((worker, index) => readShare(worker, { path, optionalRules, index, of: threads })),
    );
  } finally {
    signal.removeEventListener('abort', stop);
    await Promise.all(workers.map((worker) => worker.end()));
  }
}

async function readShare(worker: TaskWorker<Tasks>, share: TaskInput<Tasks, 'readPages'>) {
  let file = '';
  try {
    return await worker.run('readPages', share, limits, (next) => void (file = next));
  } catch (error) {
    const exceeded = limitExceeded(error);
    throw exceeded ? new EngineError('refused', `${join(share.path, file)} ${exceeded.message}`) : error;
  }
}
