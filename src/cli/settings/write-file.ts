import { chmodSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { isBusy } from '../../shared/sqlite-error.ts';
import { CommandError } from '../program/failure.ts';
import { handledSignals, signalListeners } from '../program/signals.ts';
import { isOpen } from './file.ts';
import { configDir } from './paths.ts';

const timeoutMs = 60_000;

/**
 * Runs `work` while no other command changes the settings, or the journal.
 *
 * The lock is one of the operating system, which SQLite takes on an empty file: it ends with the process that holds it,
 * however that ends, so nobody has to guess from a lock file's age whether its owner is dead.
 */
export async function withLock<T>(
  work: () => Promise<T>,
  { folder = configDir(), what = 'settings' }: { folder?: string; what?: 'settings' | 'journal' } = {},
): Promise<T> {
  // What is made here is for its owner alone, and readable for its owner, whatever the umask is.
  const umask = process.umask(0o077);
  let lock: DatabaseSync | undefined;
  try {
    lock = await holdLock(folder, what);
    return await work();
  } finally {
    lock?.close();
    process.umask(umask);
  }
}

async function holdLock(folder: string, what: string): Promise<DatabaseSync> {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  try {
    makePrivate(folder);
    const lock = new DatabaseSync(join(folder, '.lock'), { timeout: 50 });
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
      ? new CommandError(`Another command has been changing the ${what} in ${folder} for ${timeoutMs / 1000} s.`, {
          hint: 'End it, then run this again.',
        })
      : new CommandError(`The ${what} in ${folder} cannot be written: ${fileReason(error, 'folder')}.`, {
          hint: 'Check its permissions and the free space on its disk, or set DOCSCTL_CONFIG_DIR to another folder.',
        });
  }
}

/** Makes the folder; one that exists and is open to others is closed to them. */
export function makePrivate(folder: string): void {
  makeFolder(folder, 0o700);
  if (!isOpen(folder)) return;
  const { mode, uid } = statSync(folder);
  // A folder that everybody is meant to write to, or that belongs to somebody else, stays as it is.
  if ((mode & 0o1000) === 0 && uid === process.getuid?.()) chmodSync(folder, 0o700);
}

/** Replaces a file of settings whole: written beside it, then renamed, with mode 0600. */
export async function writeJson(file: string, value: object): Promise<void> {
  const Conf = await loadConf();
  const conf = new Conf<Record<string, unknown>>({
    cwd: dirname(file),
    configName: basename(file, '.json'),
    projectName: 'docsctl',
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    // The file was read and checked before; it is replaced, not merged.
    clearInvalidConfig: true,
  });
  conf.store = { ...value };
}

/**
 * Loads conf without the listeners that its file writer adds for signals. They send the signal to the process again; as a
 * second one it would end a server at once instead of letting it finish its requests.
 */
async function loadConf() {
  const signals = handledSignals.map((signal) => ({ signal, before: signalListeners(signal) }));
  const { default: Conf } = await import('conf');
  for (const { signal, before } of signals) {
    for (const listener of signalListeners(signal)) if (!before.includes(listener)) process.off(signal, listener);
  }
  return Conf;
}
