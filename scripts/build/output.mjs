import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const graceMs = 10 * 60_000;

/** The files of a build in their folder. Programs of an earlier build may run from it meanwhile. */
export class OutputFolder {
  #folder;
  #written = new Set();

  constructor(folder) {
    this.#folder = folder;
  }

  /** Writes beside the file, then renames: whoever reads it gets the old content or the new one. @returns its path */
  async write(name, content) {
    const file = this.#add(name);
    await mkdir(dirname(file), { recursive: true });
    const temporary = `${file}.${process.pid}.tmp`;
    await writeFile(temporary, content);
    await rename(temporary, file);
    return file;
  }

  /** Writes a file whose name has a hash of its content. One that exists is only marked as in use. */
  async writeHashed(name, content) {
    const file = this.#add(name);
    const exists = await stat(file).catch(() => undefined);
    if (!exists) return this.write(name, content);
    await utimes(file, new Date(), new Date());
    return file;
  }

  /**
   * Removes what earlier builds left. Recent files stay unless the build is to be clean: a running program may still load
   * them.
   */
  async removeOld({ isClean }) {
    for (const entry of await readdir(this.#folder, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      if (!entry.isFile() || this.#written.has(file)) continue;
      const age = Date.now() - ((await stat(file).catch(() => undefined))?.mtimeMs ?? 0);
      if (isClean || age > graceMs) await rm(file, { force: true });
    }
  }

  #add(name) {
    const file = join(this.#folder, name);
    this.#written.add(file);
    return file;
  }
}
