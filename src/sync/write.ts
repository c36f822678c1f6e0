import { realpathSync } from 'node:fs';
import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { codeOf } from '../shared/error-text.ts';
import { fileReason } from '../shared/file-reason.ts';
import { isDocsFile, isProgramFile, pathProblem } from '../content/folder/file-names.ts';
import { hashOf, type LocalFolder } from '../content/folder/folder.ts';
import { replaceFile } from '../shared/atomic-write.ts';
import { isObject } from '../shared/is-object.ts';
import { makeFolder } from '../shared/make-folder.ts';
import { resolveInside } from '../shared/project-root.ts';

export interface FileChange {
  bytes: Uint8Array;
  /** Whether a file exists already. */
  before: boolean;
}

/** A file that a pull does not change, and the reason. */
export interface Refusal {
  path: string;
  reason: string;
}

/**
 * Decides which files a pull writes. The names, the layout and the links come from the editors of the space, who may not be
 * trusted with the folder. Therefore, a pull
 *
 * - writes no file that programs run or read as configuration because of its name (`isProgramFile`);
 * - replaces only pages and pictures (`isDocsFile`), even if a page links to another file: an earlier pull may have written
 *   that page;
 * - follows no symbolic link.
 *
 * Bytes that a push from this machine sent under the same path belong to the user. These are written under any name. In the
 * folder that they were pushed from, they also replace existing files. The layout file in the space does not prove that
 * there was a push, because the editors of the space can write one.
 *
 * @throws EngineError if a symbolic link leads out of the folder; nothing has been written then
 */
export async function judgeWrites(
  folder: string,
  planned: ReadonlyMap<string, Uint8Array>,
  pushed: PushedFiles,
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

/** Decides which of these files a pull deletes: pages and pictures that are not behind a symbolic link. */
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

/** The bytes of these files, if they exist and may be replaced. */
export async function presentFiles(folder: string, paths: readonly string[]): Promise<Map<string, Uint8Array>> {
  const files = new Map<string, Uint8Array>();
  for (const path of paths) {
    if (pathProblem(path) !== undefined || isOutside(folder, path)) continue;
    const { bytes } = await presentAt(folder, path);
    if (bytes) files.set(path, bytes);
  }
  return files;
}

/** The bytes of an existing file, or the reason why it must not be changed. */
async function presentAt(folder: string, path: string): Promise<{ bytes?: Uint8Array; reason?: string }> {
  const file = join(folder, ...path.split('/'));
  try {
    const stats = await lstat(file);
    if (stats.isSymbolicLink()) return { reason: 'a symbolic link has its name' };
    if (stats.isDirectory()) return { reason: 'a folder has its name' };
    if (!stats.isFile()) return { reason: 'the existing file is not a regular file' };
    return { bytes: await readFile(file) };
  } catch (error) {
    const isMissing = ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
    return isMissing ? {} : { reason: `it cannot be read: ${fileReason(error)}` };
  }
}

/** Writes files, each atomically. @throws EngineError if a symbolic link leads out of the folder */
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

const notWritten = (path: string, error: unknown) =>
  new EngineError('failed', `${relative(process.cwd(), path)} cannot be written: ${fileReason(error, 'folder')}.`, {
    hint: 'Files written before it are complete. Fix this and pull again.',
  });

/** Deletes files, and folders that become empty. */
export async function removeLocal(path: string, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const target = join(path, ...file.split('/'));
    refuseOutside(path, file);
    await rm(target, { force: true });
    try {
      for (let folder = dirname(target); folder !== path; folder = dirname(folder)) await rmdir(folder);
    } catch {
      // The folder is not empty.
    }
  }
}

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

/**
 * The files with names of programs or their configuration, and the files that are neither pages nor pictures, that the last
 * push from this machine sent to a space. They are recorded on this machine, where the editors of the space cannot change
 * the record.
 */
export interface PushedFiles {
  /** Real path of the folder that they were pushed from. */
  folder: string;
  /** SHA-256 of the bytes, by path. */
  hashes: ReadonlyMap<string, string>;
}

interface RecordPlace {
  /** The folder for docsctl's data. */
  dataFolder: string;
  /** The address of the service. */
  address: string;
  spaceId: string;
}

const recordOf = ({ dataFolder, address, spaceId }: RecordPlace) => ({
  folder: join(dataFolder, 'pushed'),
  name: `${hashOf(`${address}\n${spaceId}`)}.json`,
});

/** @param docs the folder with the docs */
export async function recordPushed(place: RecordPlace, docs: string, { files, pages }: LocalFolder): Promise<void> {
  const hashes: Record<string, string> = {};
  for (const { path, hash } of files) if (!isDocsFile(path)) hashes[path] = hash;
  for (const { file, text } of pages) if (file !== null && !isDocsFile(file)) hashes[file] = hashOf(text ?? '');
  const { folder, name } = recordOf(place);
  try {
    if (Object.keys(hashes).length === 0) return await rm(join(folder, name), { force: true });
    const record = JSON.stringify({ folder: realpathSync(docs), hashes });
    await writeLocal(folder, new Map([[name, Buffer.from(record)]]));
  } catch {
    // CI machines may have no folder for data. Without the record, a pull skips more files, and reports them.
  }
}

/** Empty if there is no record. */
export async function readPushed(place: RecordPlace): Promise<PushedFiles> {
  const { folder, name } = recordOf(place);
  try {
    const record: unknown = JSON.parse(await readFile(join(folder, name), 'utf8'));
    if (isRecord(record)) return { folder: record.folder, hashes: new Map(Object.entries(record.hashes)) };
  } catch {
    // There is no record yet.
  }
  return { folder: '', hashes: new Map() };
}

const isRecord = (value: unknown): value is { folder: string; hashes: Record<string, string> } =>
  isObject(value) &&
  typeof value.folder === 'string' &&
  isObject(value.hashes) &&
  Object.values(value.hashes).every((hash) => typeof hash === 'string');
