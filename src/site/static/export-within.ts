import { join } from 'node:path';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { limitExceeded } from '../../threads/failures.ts';
import { mayTakeLonger } from '../../threads/size.ts';
import { threadProgram } from '../../shared/program-files.ts';
import { TaskWorker, type TaskLimits } from '../../threads/worker.ts';
import { DiskFolder } from '../folder/disk-folder.ts';
import type { SiteTasks } from '../site-thread.ts';
import { type ExportedFolder, exportFolder, type FolderExport } from './export-folder.ts';
import { OutputFolder, OutputRefused, removeStage } from './output-folder.ts';

/** The time applies to one page, and to what follows the last one. */
const limits: TaskLimits = { timeMs: 60_000, memoryBytes: 3 * 2 ** 30 };
const sizes = { heapMegabytes: 4_096, youngMegabytes: 24 };
/** How long Ctrl-C may have no effect, and a page no limit. */
const longestHereMs = 5_000;

interface Watching {
  signal: AbortSignal;
  onPage(number: number, count: number): void;
}

/**
 * Exports a folder: a small one in this thread, others in a thread where a signal has an effect and a page that takes too
 * long is reported by name.
 *
 * @throws UnreadableFolder, SettingsError, OutputRefused; EngineError for a page beyond the limits
 */
export async function exportFolderWithin(request: FolderExport, { signal, onPage }: Watching): Promise<ExportedFolder> {
  const disk = new DiskFolder(request.folder);
  const texts = disk.files
    .values()
    .filter(isMarkdown)
    .map((file) => disk.bytes(file) ?? '');
  if (!mayTakeLonger(longestHereMs, texts)) return exportFolder(request, () => signal.throwIfAborted(), onPage);
  // Refuses the output before a thread starts.
  void new OutputFolder(request.out, request);
  const thread = threadProgram(import.meta.filename, '../site-thread.ts', 'site-thread.cjs');
  const worker = new TaskWorker<SiteTasks>(thread, sizes);
  const stop = () => void worker.end(new DOMException('Interrupted.', 'AbortError'));
  signal.addEventListener('abort', stop);
  let file = '';
  try {
    signal.throwIfAborted();
    const { refusal, exported } = await worker.run('exportFolder', request, limits, (step) => {
      const [, number, count] = /^(\d+)\/(\d+)$/.exec(step) ?? [];
      if (number === undefined) file = step;
      else onPage(Number(number), Number(count));
    });
    if (refusal) throw new OutputRefused(refusal.message, refusal.hint);
    return exported;
  } catch (error) {
    await worker.end();
    removeStage(request.out);
    const exceeded = limitExceeded(error);
    throw exceeded ? new EngineError('refused', `${join(request.folder, file)} ${exceeded.message}`) : error;
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.end();
  }
}
