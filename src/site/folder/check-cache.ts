import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { programModified } from '../../shared/program-files.ts';
import { version } from '../../shared/version.ts';
import { DiskFolder } from './disk-folder.ts';

/** Checking a smaller folder takes no longer than starting the program. */
const minFiles = 200;

/** The result of the last check of folders, which counts until a file in them changes. */
export class CheckCache<Result> {
  readonly #file: string;
  /** Undefined for small folders. */
  readonly #key: string | undefined;

  /**
   * @param check its name, and everything besides the folders that its result depends on
   * @param cacheFolder of the user
   * @throws UnreadableFolder
   */
  constructor(folders: readonly string[], check: readonly string[], cacheFolder: string) {
    const disks = folders.map((folder) => new DiskFolder(folder));
    const paths = disks.map(({ path }) => path).join('\0');
    this.#file = join(cacheFolder, 'checks', `${hash('sha256', [check[0], paths].join('\0'))}.json`);
    const count = disks.reduce((sum, { files }) => sum + files.size, 0);
    this.#key = count < minFiles ? undefined : hash('sha256', disks.map((disk) => keyOf(disk, check)).join());
  }

  get(): Result | undefined {
    if (this.#key === undefined) return undefined;
    try {
      const stored: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      return isObject(stored) && stored.key === this.#key ? (stored.result as Result) : undefined;
    } catch {
      return undefined;
    }
  }

  async set(result: Result): Promise<void> {
    if (this.#key === undefined) return;
    try {
      makeFolder(join(this.#file, '..'));
      await writeFileAtomic(this.#file, JSON.stringify({ key: this.#key, result }));
    } catch {
      // Without the cache, the next check only takes longer.
    }
  }
}

/** Of everything that a check reads: the names of files, the bytes of texts, and the size and time of other files. */
function keyOf(disk: DiskFolder, check: readonly string[]): string {
  const program = [version, programModified(), ...check];
  const parts = [JSON.stringify(program), JSON.stringify([...disk.leftOut])];
  for (const file of disk.files) {
    const { size, changedMs } = disk.stat(file) ?? {};
    const bytes = isText(file) ? disk.bytes(file) : undefined;
    parts.push(JSON.stringify([file, bytes ? hash('sha256', bytes) : [size, changedMs]]));
  }
  return hash('sha256', parts.join('\n'));
}

const isText = (file: string) => /\.(?:md|markdown|mdx|ya?ml|json|csv|svg)$/i.test(file);
