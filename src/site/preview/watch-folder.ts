import { statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { toolFolders } from '../../content/folder/file-names.ts';

/** Events within this time form one change, because a checkout changes many files. */
const batchMs = 15;
/**
 * After this time, the files of a batch are checked again. The watcher drops the second of two simultaneous events, and a
 * file may have been read while it was empty, before its new text was written.
 */
const secondLookMs = 100;

export interface FolderChange {
  /** Paths from the folder, with `/` between names. */
  paths: ReadonlySet<string>;
  /** Whether files were added or removed. */
  hasOtherNames: boolean;
}

export interface FolderWatch {
  /** Resolves as soon as all changes are noticed. */
  ready: Promise<void>;
  close(): Promise<void>;
}

/** Reports changes in a folder, one batch at a time. */
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
  const secondLooks = new Set<NodeJS.Timeout>();
  const flush = () => {
    timer = undefined;
    const change = { paths, hasOtherNames };
    paths = new Set();
    hasOtherNames = false;
    const before = new Map([...change.paths].map((path) => [path, stateOf(join(folder, path))]));
    work = work.then(() => onChange(change)).catch(onError);
    const look = setTimeout(() => {
      secondLooks.delete(look);
      for (const [path, state] of before) if (stateOf(join(folder, path)) !== state) add(path);
    }, secondLookMs);
    secondLooks.add(look);
  };
  const add = (path: string) => {
    paths.add(path);
    timer ??= setTimeout(flush, batchMs);
  };
  watcher.on('all', (event, path) => {
    if (event !== 'change') hasOtherNames = true;
    add(relative(folder, path).split(sep).join('/'));
  });
  watcher.on('error', onError);
  const ready = new Promise<void>((resolve) => void watcher.on('ready', () => resolve()));
  return {
    ready,
    async close() {
      clearTimeout(timer);
      for (const look of secondLooks) clearTimeout(look);
      await watcher.close();
    },
  };
}

/** A text that changes with the time or size of a file. */
function stateOf(file: string): string {
  try {
    const { mtimeNs, size } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size}`;
  } catch {
    return '';
  }
}
