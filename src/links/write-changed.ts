import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isBeside, writeFileAtomic } from '../shared/atomic-write.ts';
import { messageOf } from '../shared/error-text.ts';
import type { DiskFolder } from '../site/folder/disk-folder.ts';

/** Replaces a file of a folder in one step, unless it has changed or is a symbolic link. @returns why it was not written */
export async function writeChanged(
  disk: DiskFolder,
  file: string,
  { before, after }: { before: string; after: string },
  dryRun = false,
): Promise<string | undefined> {
  const path = join(disk.path, file);
  if (disk.realPath(file) !== path) return 'it is a symbolic link';
  const stats = lstatSync(path);
  if (!stats.isFile()) return 'it is not a regular file';
  if (dryRun) return undefined;
  if (!Buffer.from(before).equals(readFileSync(path))) return 'it has changed';
  try {
    await writeFileAtomic(path, after, stats.mode & 0o777);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Deletes what an earlier run was writing when it was killed. */
export function removeHalfWritten(disk: DiskFolder): void {
  for (const file of disk.files) {
    if (!isBeside(file)) continue;
    const path = join(disk.path, file);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    // A newer one may belong to another command.
    if (stats?.isFile() && stats.mtimeMs < performance.timeOrigin) rmSync(path, { force: true });
  }
}
