import { lstat, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { codeOf } from '../shared/error-text.ts';
import { fileReason } from '../shared/file-reason.ts';
import { isDocsFile, isProgramFile, pathProblem } from '../content/folder/file-names.ts';
import { hashOf } from '../content/folder/folder.ts';
import { createBeside } from '../shared/atomic-write.ts';
import { makeFolder } from '../shared/make-folder.ts';
import { resolveInside } from '../shared/project-root.ts';

export interface FileChange {
  bytes: Uint8Array;
  /** Whether a file exists already. */
  before: boolean;
}

/** A file that a pull leaves as it is, and why. */
export interface Refusal {
  path: string;
  reason: string;
}

/**
 * Decides which files of a pull are written. The editors of the space choose the names, the layout and the links of what
 * is pulled, but the folder is not theirs. So a pull
 *
 * - writes no file that programs run or read as configuration because of its name (`isProgramFile`);
 * - replaces no file that may be anything but a page or a picture (`isDocsFile`), even if a page links to it: the page may
 *   have come with the pull before;
 * - follows no symbolic link.
 *
 * Bytes that a push from this machine sent under the same path belong to the user, and are written whatever their name
 * is: they replace other bytes in the folder they were pushed from, elsewhere only where there is no such file. The layout
 * file in the space does not prove a push: the editors of the space can write one.
 *
 * @throws EngineError where a symbolic link leads out of the folder, before anything is written
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
  if (isProgramFile(path)) return 'programs run or read files with this name';
  return isPresent && !isDocsFile(path)
    ? 'the existing file may not belong to the docs; move it to get this one'
    : undefined;
}

/** Decides which of these files a pull with --prune removes: pages and pictures, and nothing behind a symbolic link. */
export async function judgeRemovals(
  folder: string,
  planned: readonly string[],
): Promise<{ remove: string[]; refused: Refusal[] }> {
  const remove: string[] = [];
  const refused: Refusal[] = [];
  for (const path of planned) {
    const { reason } = isOutside(folder, path)
      ? { reason: 'a symbolic link points there' }
      : isDocsFile(path)
        ? await presentAt(folder, path)
        : { reason: 'it may not belong to the docs' };
    if (reason === undefined) remove.push(path);
    else refused.push({ path, reason });
  }
  return { remove, refused };
}

/** The bytes of those of these files that exist and may be replaced. */
export async function presentFiles(folder: string, paths: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of paths) {
    if (pathProblem(path) !== undefined || isOutside(folder, path)) continue;
    const { bytes } = await presentAt(folder, path);
    if (bytes) files.set(path, bytes);
  }
  return files;
}

/** The bytes of a file that exists, or why it is not touched. */
async function presentAt(folder: string, path: string): Promise<{ bytes?: Uint8Array; reason?: string }> {
  const file = join(folder, ...path.split('/'));
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return { reason: 'a symbolic link has its name' };
    if (stats.isDirectory()) return { reason: 'a folder has its name' };
    if (!stats.isFile()) return { reason: 'what has its name is not a regular file' };
    return { bytes: await readFile(file) };
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
    return isMissing ? {} : { reason: `it cannot be read: ${fileReason(error)}` };
  }
}

/** Writes files, each of them whole or not at all. @throws EngineError where a symbolic link leads out of the folder */
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

/** Replaces whatever has the name: `writeFileAtomic` would write into a pipe or device. */
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
  new EngineError('failed', `${relative(process.cwd(), path)} cannot be written: ${fileReason(error, 'folder')}.`, {
    hint: 'Files written before it are complete. Fix this and pull again.',
  });

/** Removes files, and the folders that are empty then. */
export async function removeLocal(path: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const target = join(path, ...file.split('/'));
    refuseOutside(path, file);
    await rm(target, { force: true });
    for (let folder = dirname(target); folder !== path; folder = dirname(folder)) {
      if (!(await isRemoved(folder))) break;
    }
  }
}

/** Removes a folder if it is empty. */
const isRemoved = (folder: string) =>
  rmdir(folder).then(
    () => true,
    () => false,
  );

const isOutside = (folder: string, file: string) =>
  resolveInside(folder, dirname(join(folder, ...file.split('/')))) === undefined;

function refuseOutside(folder: string, file: string): void {
  if (!isOutside(folder, file)) return;
  throw new EngineError(
    'usage',
    `${file} is behind a symbolic link that leads out of the folder; nothing is written there.`,
    { hint: 'Remove the link, or pull into another folder.' },
  );
}
