import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { type Lock, lockFile, newLock, readLock, UnreadableLock, writeLock } from '../lock.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';

/** The lock file of the folder; an empty lock where there is none. @throws CommandError where it is that of another organization */
export async function lockIn(path: string, orgId: string): Promise<Lock> {
  const file = join(path, lockFile);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return newLock(orgId);
    throw new CommandError(`${file} cannot be read: ${fileReason(error)}.`);
  }
  const lock = lockOf(file, text);
  if (lock.organization === orgId) return lock;
  throw new CommandError(`${path} is the export of another organization, ${lock.organization}.`, {
    exitCode: exit.refused,
    hint: 'Name another folder, or that organization with --org.',
  });
}

function lockOf(file: string, text: string): Lock {
  try {
    return readLock(text);
  } catch (error) {
    if (!(error instanceof UnreadableLock)) throw error;
    throw new CommandError(`${file} cannot be used: ${error.message}.`, {
      hint: 'Restore it, for example from git. Without it, objects are found by their names.',
    });
  }
}

export async function saveLock(path: string, lock: Lock): Promise<void> {
  makeFolder(path);
  await writeFileAtomic(join(path, lockFile), writeLock(lock));
}
