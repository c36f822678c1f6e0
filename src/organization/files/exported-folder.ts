import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isProgramFile, pathProblem } from '../../content/folder/file-names.ts';
import { hashOf } from '../../content/folder/folder.ts';
import type { Lock } from '../lock.ts';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { codeOf } from '../../shared/error-text.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { resolveInside } from '../../shared/project-root.ts';

type EditText = (path: string, before: string, after: string) => string;

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

  constructor(path: string, lock: Lock, options: { overwrite: boolean; dryRun: boolean }) {
    this.#path = path;
    this.#lock = lock;
    this.#options = options;
  }

  /**
   * Writes the files that differ, except those that were changed in the folder or have unsafe names.
   *
   * @param edit the text of a file, or an empty one, with the values of the other one
   */
  async write(files: ReadonlyMap<string, string | Uint8Array>, edit?: EditText): Promise<void> {
    for (const [path, content] of files) {
      const reason =
        nameProblem(path) ?? (this.#isInside(path) ? undefined : 'a symbolic link leads to a place outside the folder');
      if (reason === undefined) await this.#writeOne(path, content, edit);
      else this.refused.push({ path, reason });
    }
  }

  async #writeOne(path: string, content: string | Uint8Array, edit?: EditText): Promise<void> {
    const present = await this.#read(path);
    const isEdited = edit && typeof content === 'string';
    const bytes = Buffer.from(isEdited ? edit(path, new TextDecoder().decode(present), content) : content);
    const hash = hashOf(bytes);
    if (present !== undefined && hashOf(present) === hash) this.counts.unchanged += 1;
    else if (present === undefined ? this.#isRemoved(path) : !this.#isOwn(path, present)) {
      this.changedHere.push(path);
      return;
    } else {
      this.counts.written += 1;
      if (this.#options.dryRun) return;
      const file = join(this.#path, ...path.split('/'));
      makeFolder(dirname(file));
      await writeFileAtomic(file, bytes);
    }
    this.#lock.files.set(path, hash);
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
      await rm(join(this.#path, ...path.split('/')), { force: true });
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
    return resolveInside(this.#path, path) !== undefined;
  }

  async #read(path: string): Promise<Uint8Array | undefined> {
    const file = join(this.#path, ...path.split('/'));
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
