import { chmodSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOpen } from './config.ts';
import { CommandError } from '../program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { configDir } from './paths.ts';

const timeoutMs = 60_000;
const busy = 5;

/**
 * Runs `work` while no other command changes the settings.
 *
 * The lock is one of the operating system, which SQLite takes on an empty file: it ends with the process that holds it,
 * however that ends, so nobody has to guess from a lock file's age whether its owner is dead.
 */
export async function withLock<T>(work: () => Promise<T>): Promise<T> {
  // What is made here is for its owner alone, and readable for its owner, whatever the umask is.
  const umask = process.umask(0o077);
  let lock: DatabaseSync | undefined;
  try {
    lock = await holdLock(configDir());
    return await work();
  } finally {
    lock?.close();
    process.umask(umask);
  }
}

async function holdLock(folder: string): Promise<DatabaseSync> {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  try {
    makePrivate(folder);
    const lock = new DatabaseSync(join(folder, '.lock'), { timeout: 50 });
    for (const until = Date.now() + timeoutMs; ; await sleep(Math.random() * 20)) {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        return lock;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== busy || Date.now() > until) throw error;
      }
    }
  } catch (error) {
    const isBusy = (error as { errcode?: number }).errcode === busy;
    throw new CommandError(
      isBusy
        ? `Another command has been changing the settings in ${folder} for ${timeoutMs / 1000} s.`
        : `The settings in ${folder} cannot be written: ${fileReason(error, 'folder')}.`,
      {
        hint: isBusy
          ? 'End it, then run this again.'
          : 'Check its permissions and the room on its disk, or name another folder in DOCSCTL_CONFIG_DIR.',
      },
    );
  }
}

/** Makes the folder; one that is there and open to others is closed to them. */
function makePrivate(folder: string) {
  makeFolder(folder);
  if (!isOpen(folder)) return;
  const { mode, uid } = statSync(folder);
  // A folder that everybody is meant to write to, or that belongs to somebody else, stays as it is.
  if ((mode & 0o1000) === 0 && uid === process.getuid!()) chmodSync(folder, 0o700);
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
    // What is there was read and judged before; it is replaced, not merged.
    clearInvalidConfig: true,
  });
  conf.store = value as Record<string, unknown>;
}

/**
 * What writes for conf listens to every signal once it is loaded, and sends it to the process again. To a service that
 * is finishing its requests that is a second signal, which ends it at once.
 */
async function loadConf() {
  const before = new Map(signalListeners());
  const { default: Conf } = await import('conf');
  for (const [signal, listeners] of signalListeners()) {
    for (const listener of listeners)
      if (!before.get(signal)?.includes(listener)) process.off(signal, listener as NodeJS.SignalsListener);
  }
  return Conf;
}

const signalListeners = () =>
  process
    .eventNames()
    .filter((name) => String(name).startsWith('SIG'))
    .map((name) => [name, process.rawListeners(name)] as const);
