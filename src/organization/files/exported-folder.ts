import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProgramFile, pathProblem } from '../../content/folder/file-names.ts';
import { hashOf } from '../../content/folder/folder.ts';
import { type Lock, logOf } from '../lock.ts';
import { isSymbolicLink, replaceFile } from '../../shared/atomic-write.ts';
import { eachOf } from '../../shared/each-of.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';
import { resolveInside } from '../../shared/project-root.ts';

type EditText = (path: string, before: string, after: string) => string;

/** Files that are read or written at once. */
const maxFiles = 16;

/** A file that the folder may have, with its bytes if they have to be written. */
interface UsableFile {
  path: string;
  hash: string;
  bytes?: Uint8Array;
}

interface ExportCounts {
  written: number;
  removed: number;
  unchanged: number;
}

/**
 * The folder of an export. A file is replaced or removed only if its hash in the lock file shows that it has not changed since
 * the last export or apply.
 */
export class ExportedFolder {
  readonly counts: ExportCounts = { written: 0, removed: 0, unchanged: 0 };
  /** Files that were changed in the folder and that the export would change, too. */
  readonly changedHere: string[] = [];
  /** Files that were not written, and why. */
  readonly refused: { path: string; reason: string }[] = [];
  readonly #path: string;
  readonly #lock: Lock;
  readonly #options: { overwrite: boolean; dryRun: boolean };
  /** Whether each folder is inside. */
  readonly #inside = new Map<string, boolean>();

  constructor(path: string, lock: Lock, options: { overwrite: boolean; dryRun: boolean }) {
    this.#path = path;
    this.#lock = lock;
    this.#options = options;
  }

  /**
   * Writes the files that differ, except those that were changed in the folder or have unsafe names.
   *
   * @param edit the text of a file, or an empty one, with the values of the other one
   * @returns whether no file was changed in the folder
   */
  async write(files: ReadonlyMap<string, string | Uint8Array>, edit?: EditText): Promise<boolean> {
    const usable: UsableFile[] = [];
    const before = this.changedHere.length;
    const compare = ([path, content]: [string, string | Uint8Array]) => this.#compare(path, content, edit);
    for await (const compared of mapInOrder(files, maxFiles, compare)) {
      if ('reason' in compared) this.refused.push(compared);
      else if ('hash' in compared) usable.push(compared);
      else this.changedHere.push(compared.path);
    }
    const { length: written } = usable.filter(({ bytes }) => bytes);
    this.counts.written += written;
    this.counts.unchanged += usable.length - written;
    if (!this.#options.dryRun) await this.#writeAll(usable);
    return this.changedHere.length === before;
  }

  async #compare(
    path: string,
    content: string | Uint8Array,
    edit?: EditText,
  ): Promise<UsableFile | { path: string; reason: string } | { path: string }> {
    const reason =
      nameProblem(path) ?? (this.#isInside(path) ? undefined : 'a symbolic link leads to a place outside the folder');
    if (reason !== undefined) return { path, reason };
    const present = await this.#read(path);
    const bytes =
      typeof content === 'string'
        ? Buffer.from(edit ? edit(path, new TextDecoder().decode(present), content) : content)
        : content;
    const hash = hashOf(bytes);
    if (present !== undefined && hashOf(present) === hash) return { path, hash };
    if (present === undefined ? this.#isRemoved(path) : !this.#isOwn(path, present)) return { path };
    return { path, hash, bytes };
  }

  async #writeAll(files: readonly UsableFile[]): Promise<void> {
    const { organization, files: locked } = this.#lock;
    const unlocked = files.filter(({ path, hash }) => locked.get(path) !== hash);
    await logOf(this.#path, this.#lock).add(unlocked.map(({ path, hash }) => ({ organization, path, hash })));
    for (const folder of new Set(files.flatMap(({ path, bytes }) => (bytes ? [dirname(path)] : []))))
      makeFolder(this.#fileAt(folder));
    const write = async ({ path, hash, bytes }: UsableFile) => {
      if (bytes) await replaceFile(this.#fileAt(path), bytes);
      locked.set(path, hash);
    };
    await eachOf(files, write, maxFiles);
  }

  /** Whether all of these files are unchanged since the last export. */
  async hasAll(paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      const present = await this.#read(path);
      if (present === undefined || this.#lock.files.get(path) !== hashOf(present)) return false;
    }
    return true;
  }

  /** Removes files of objects that no longer exist. */
  async remove(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const present = this.#isInside(path) ? await this.#read(path) : undefined;
      if (present !== undefined && !this.#isOwn(path, present)) {
        this.changedHere.push(path);
        continue;
      }
      this.#lock.files.delete(path);
      if (present === undefined) continue;
      this.counts.removed += 1;
      if (this.#options.dryRun) continue;
      await rm(this.#fileAt(path), { force: true });
      await this.#removeEmptyFolders(dirname(path));
    }
  }

  async #removeEmptyFolders(path: string): Promise<void> {
    for (let folder = path; folder !== '.'; folder = dirname(folder)) {
      try {
        await rmdir(join(this.#path, folder));
      } catch {
        return;
      }
    }
  }

  /** Whether the file was removed in the folder. Git often ignores the files in `.docsctl`. */
  #isRemoved(path: string): boolean {
    return !this.#options.overwrite && this.#lock.files.has(path) && !path.startsWith('.docsctl/');
  }

  #isOwn(path: string, present: Uint8Array): boolean {
    return this.#options.overwrite || this.#lock.files.get(path) === hashOf(present);
  }

  #isInside(path: string): boolean {
    const folder = dirname(path);
    const isInside = this.#inside.get(folder) ?? resolveInside(this.#path, folder) !== undefined;
    this.#inside.set(folder, isInside);
    return isInside && (!isSymbolicLink(this.#fileAt(path)) || resolveInside(this.#path, path) !== undefined);
  }

  #fileAt(path: string): string {
    return join(this.#path, ...path.split('/'));
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    const file = this.#fileAt(path);
    try {
      if (!(await lstat(file)).isFile()) return new Uint8Array();
      return await readFile(file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes(codeOf(error))) return undefined;
      throw new Error(`${file} cannot be read: ${fileReason(error)}.`, { cause: error });
    }
  }
}

// Editors of a space choose the names of pages and files.
function nameProblem(path: string): string | undefined {
  const problem = pathProblem(path.replace(/^\.docsctl\//, ''));
  if (problem !== undefined) return `the name ${problem}`;
  return isProgramFile(path) && path.startsWith('spaces/') ? 'programs run or read files with this name' : undefined;
}
