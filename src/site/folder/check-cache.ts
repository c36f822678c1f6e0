import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeFileAtomic } from '../../shared/atomic-write.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import { version } from '../../shared/version.ts';
import type { FolderCheck } from './check-folder.ts';
import { DiskFolder } from './disk-folder.ts';

/** Checking a smaller folder takes no longer than starting the program. */
const minFiles = 200;

type Result = Pick<FolderCheck, 'problems' | 'files'>;

/** The result of the last check of a folder, which counts until a file of the folder changes. */
export class CheckCache {
  readonly #file: string;
  /** Undefined for a small folder. */
  readonly #key: string | undefined;

  /**
   * @param rules the optional rules of the check
   * @param cacheFolder of the user
   * @throws UnreadableFolder
   */
  constructor(folder: string, rules: readonly string[], cacheFolder: string) {
    const disk = new DiskFolder(folder);
    this.#file = join(cacheFolder, 'checks', `${hash('sha256', disk.path)}.json`);
    this.#key = disk.files.size < minFiles ? undefined : keyOf(disk, rules);
  }

  get(): Result | undefined {
    if (this.#key === undefined) return undefined;
    try {
      const stored: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
      return isObject(stored) && stored.key === this.#key && isResult(stored.result) ? stored.result : undefined;
    } catch {
      return undefined;
    }
  }

  async set({ problems, files }: Result): Promise<void> {
    if (this.#key === undefined) return;
    try {
      makeFolder(join(this.#file, '..'));
      await writeFileAtomic(this.#file, JSON.stringify({ key: this.#key, result: { problems, files } }));
    } catch {
      // Without the cache, the next check only takes longer.
    }
  }
}

const isResult = (value: unknown): value is Result =>
  isObject(value) && Array.isArray(value.problems) && Array.isArray(value.files);

/** Of everything that a check reads: the names of files, the bytes of texts, and the size and time of other files. */
function keyOf(disk: DiskFolder, rules: readonly string[]): string {
  const program = [version, statSync(import.meta.filename).mtimeMs, ...rules];
  const parts = [JSON.stringify(program), JSON.stringify([...disk.leftOut])];
  for (const file of disk.files) {
    const { size, changedMs } = disk.stat(file) ?? {};
    const bytes = isText(file) ? disk.bytes(file) : undefined;
    parts.push(JSON.stringify([file, bytes ? hash('sha256', bytes) : [size, changedMs]]));
  }
  return hash('sha256', parts.join('\n'));
}

const isText = (file: string) => /\.(?:md|markdown|mdx|ya?ml|json|csv|svg)$/i.test(file);
