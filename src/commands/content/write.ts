import { lstat, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { isDocsFile, isProgramFile, pathProblem } from '../../content/sync/file-names.ts';
import { hashOf } from '../../content/sync/folder.ts';
import { createBeside } from '../../shared/atomic-write.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { resolveInside } from '../../shared/project-root.ts';

export interface FileChange {
  bytes: Uint8Array;
  /** There is a file already. */
  before: boolean;
}

/** A file that a pull leaves as it is, and why. */
export interface Refusal {
  path: string;
  reason: string;
}

/**
 * What of a pull is written. A space's editors are not the folder's: they choose the names, the layout and the links of
 * what is pulled. So a pull
 *
 * - writes no file that programs run or read as configuration because of its name (`isProgramFile`);
 * - replaces no file that may be anything but a page or a picture (`isDocsFile`): that a page links to it says nothing,
 *   as the page may have come with the pull before;
 * - follows no symbolic link.
 *
 * Bytes that a push from this machine sent under the same path are the user's own and are written whatever their name is:
 * over others in the folder they were pushed from, elsewhere only where there is no such file. The layout file in the
 * space is no proof of a push: its editors can write one.
 *
 * @throws UsageError where a symbolic link leads out of the folder, before anything is written
 */
export async function judgeWrites(
  folder: string,
  planned: ReadonlyMap<string, Uint8Array>,
  pushed: { folder: string; hashes: ReadonlyMap<string, string> },
): Promise<{ write: Map<string, FileChange>; refused: Refusal[] }> {
  const write = new Map<string, FileChange>();
  const refused: Refusal[] = [];
  const isFolderPushed = resolveInside(folder, '.') === pushed.folder;
  for (const [path, bytes] of planned) {
    const problem = pathProblem(path);
    if (problem !== undefined) {
      refused.push({ path, reason: `the name ${problem}` });
      continue;
    }
    refuseOutside(folder, path);
    const { bytes: present, reason } = await presentAt(folder, path);
    if (present && Buffer.from(present).equals(bytes)) continue;
    const isOwn = pushed.hashes.get(path) === hashOf(bytes) && (isFolderPushed || present === undefined);
    const refusal = reason ?? (isOwn ? undefined : nameRefusal(path, present !== undefined));
    if (refusal === undefined) write.set(path, { bytes, before: present !== undefined });
    else refused.push({ path, reason: refusal });
  }
  return { write, refused };
}

function nameRefusal(path: string, isPresent: boolean): string | undefined {
  if (isProgramFile(path)) return 'programs run or read files of such a name';
  return isPresent && !isDocsFile(path) ? 'what is there may be none of the docs; move it away to have it' : undefined;
}

/** What of these files a pull with --prune removes: pages and pictures, as in `judgeWrites`, and nothing behind a link. */
export async function judgeRemovals(
  folder: string,
  planned: readonly string[],
): Promise<{ remove: string[]; refused: Refusal[] }> {
  const remove: string[] = [];
  const refused: Refusal[] = [];
  for (const path of planned) {
    const { reason } = isOutside(folder, path)
      ? { reason: 'a symbolic link leads there' }
      : isDocsFile(path)
        ? await presentAt(folder, path)
        : { reason: 'it may be none of the docs' };
    if (reason === undefined) remove.push(path);
    else refused.push({ path, reason });
  }
  return { remove, refused };
}

/** The bytes of a file that is there, or why it is left alone. */
async function presentAt(folder: string, path: string): Promise<{ bytes?: Uint8Array; reason?: string }> {
  const file = join(folder, ...path.split('/'));
  try {
    const found = await lstat(file);
    if (found.isSymbolicLink()) return { reason: 'a symbolic link has its name' };
    if (found.isDirectory()) return { reason: 'a folder has its name' };
    if (!found.isFile()) return { reason: 'what has its name is no regular file' };
    return { bytes: await readFile(file) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? {} : { reason: `it cannot be read: ${fileReason(error)}` };
  }
}

/** Puts whole files in place, each at once. @throws UsageError where a symbolic link leads out of the folder */
export async function writeLocal(path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  try {
    makeFolder(path);
  } catch (error) {
    throw notWritten(path, error);
  }
  for (const [file, bytes] of files) {
    const target = join(path, ...file.split('/'));
    refuseOutside(path, file);
    try {
      makeFolder(dirname(target));
      await replaceFile(target, bytes);
    } catch (error) {
      throw notWritten(target, error);
    }
  }
}

/** Renamed over what is there, whatever that is: `writeFileAtomic` would write into a pipe or device. */
async function replaceFile(target: string, bytes: Uint8Array): Promise<void> {
  const beside = createBeside(target);
  try {
    await writeFile(beside, bytes);
    await rename(beside, target);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

const notWritten = (path: string, error: unknown) =>
  new CommandError(`${relative(process.cwd(), path)} cannot be written: ${fileReason(error, 'folder')}.`, {
    hint: 'Files written before it are whole. Mend this and pull again.',
  });

/** Removes files, and the folders that are empty then. */
export async function removeLocal(path: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const target = join(path, ...file.split('/'));
    refuseOutside(path, file);
    await rm(target, { force: true });
    for (let folder = dirname(target); folder !== path; folder = dirname(folder)) {
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        break;
    }
  }
}

const isOutside = (folder: string, file: string) =>
  resolveInside(folder, dirname(join(folder, ...file.split('/')))) === undefined;

function refuseOutside(folder: string, file: string): void {
  if (!isOutside(folder, file)) return;
  throw new UsageError(
    `${file} lies behind a symbolic link that leads out of the folder; nothing is written there.`,
    'Remove the link, or pull into another folder.',
  );
}
