import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineError } from './engine-error.ts';
import { fileReason } from './file-reason.ts';
import { makeFolder } from './make-folder.ts';
import { isBusy } from './sqlite-error.ts';

const defaultTimeoutMs = 60_000;

/** A folder whose files one command at a time may change. */
export interface LockedFolder {
  folder: string;
  /** What the folder holds, for messages. */
  what: 'settings' | 'journal' | 'request budget';
  /** How long to wait for another command. */
  timeoutMs?: number;
}

/**
 * Runs `work` while no other command changes the files of a folder.
 *
 * The lock is one of the operating system, which SQLite takes on an empty file. It ends with the process that holds it,
 * so no command has to guess from the age of a lock file whether its owner is dead.
 *
 * @throws EngineError
 */
export async function withLock<T>(place: LockedFolder, work: () => T | Promise<T>): Promise<T> {
  const lock = await holdLock(place);
  try {
    return await work();
  } finally {
    lock.close();
  }
}

async function holdLock({ folder, what, timeoutMs = defaultTimeoutMs }: LockedFolder): Promise<DatabaseSync> {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  try {
    const lock = privately(() => {
      makePrivate(folder);
      const file = join(folder, '.lock');
      // SQLite would let everybody read it.
      closeSync(openSync(file, 'a', 0o600));
      return new DatabaseSync(file, { timeout: 50 });
    });
    for (const until = Date.now() + timeoutMs; ; await sleep(Math.random() * 20)) {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        return lock;
      } catch (error) {
        if (!isBusy(error) || Date.now() > until) throw error;
      }
    }
  } catch (error) {
    throw isBusy(error)
      ? new EngineError(
          'failed',
          `Another command has been changing the ${what} in ${folder} for ${timeoutMs / 1000} s.`,
          { hint: 'Stop that command, then try again.' },
        )
      : new EngineError('failed', `The ${what} in ${folder} cannot be written: ${fileReason(error, 'folder')}.`, {
          hint: 'Check its permissions and the free space on its disk, or set DOCSCTL_CONFIG_DIR to another folder.',
        });
  }
}

/** Creates files that only their owner can read, whatever the umask is. The umask is the process's, so nothing may wait. */
export function privately<T>(create: () => T): T {
  const umask = process.umask(0o077);
  try {
    return create();
  } finally {
    process.umask(umask);
  }
}

/** Creates the folder, and closes one that is open to other users. */
export function makePrivate(folder: string): void {
  makeFolder(folder, 0o700);
  if (!isOpen(folder)) return;
  const { mode, uid } = statSync(folder);
  // A folder that everybody is meant to write to, or that belongs to another user, stays as it is.
  if ((mode & 0o1000) === 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
}

/** Whether other users may read a file or folder. Windows keeps permissions elsewhere. */
export const isOpen = (path: string) => process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0;
