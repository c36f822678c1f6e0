import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { toolFolders } from '../../content/sync/file-names.ts';

/** Events that arrive within this time are one change: a checkout changes many files. */
const batchMs = 15;

export interface FolderChange {
  /** Paths from the folder, with `/` between names. */
  paths: ReadonlySet<string>;
  /** Whether files were added or removed. */
  hasOtherNames: boolean;
}

export interface FolderWatch {
  /** Resolves when nothing is missed any more. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Tells of changes in a folder, one batch at a time. */
export function watchFolder(
  folder: string,
  onChange: (change: FolderChange) => Promise<void>,
  onError: (error: unknown) => void,
): FolderWatch {
  const watcher = watch(folder, {
    ignoreInitial: true,
    followSymlinks: false,
    ignored: (path) =>
      relative(folder, path)
        .split(sep)
        .some((name) => toolFolders.has(name)),
  });
  let paths = new Set<string>();
  let hasOtherNames = false;
  let timer: NodeJS.Timeout | undefined;
  let work = Promise.resolve();
  const flush = () => {
    timer = undefined;
    const change = { paths, hasOtherNames };
    paths = new Set();
    hasOtherNames = false;
    work = work.then(() => onChange(change)).catch(onError);
  };
  watcher.on('all', (event, path) => {
    if (event !== 'change') hasOtherNames = true;
    paths.add(relative(folder, path).split(sep).join('/'));
    timer ??= setTimeout(flush, batchMs);
  });
  watcher.on('error', onError);
  const ready = new Promise<void>((resolve) => void watcher.on('ready', () => resolve()));
  return {
    ready,
    async close() {
      clearTimeout(timer);
      await watcher.close();
    },
  };
}
