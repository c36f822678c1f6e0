import { appendFile, lstat, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { hashOf } from '../content/folder/folder.ts';
import { makeFolder } from '../shared/make-folder.ts';
import { resolveInside } from '../shared/project-root.ts';

const LogEntry = z.object({ organization: z.string(), path: z.string(), hash: z.string() });
type LogEntry = z.output<typeof LogEntry>;

/**
 * The files that an export has written since it saved the lock file. The log is next to the lock file until it is saved, so
 * it is only left if the export is killed.
 */
export class LockLog {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string, lockFile: string) {
    this.#folder = folder;
    this.#file = join(folder, `${lockFile}.log`);
  }

  /** Logs files before they are written. */
  async add(entries: readonly LogEntry[]): Promise<void> {
    if (entries.length === 0) return;
    makeFolder(this.#folder);
    // A cloned repository may have a link here, to a file elsewhere.
    if (!(await this.#isRegular())) await this.remove();
    await appendFile(this.#file, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  }

  /** Hashes of the logged files that were written, by path. */
  async written(organization: string): Promise<Map<string, string>> {
    const hashes = new Map<string, string>();
    const text = (await this.#isRegular()) ? await readFile(this.#file, 'utf8').catch(() => '') : '';
    for (const entry of text.split('\n').map(parseEntry)) {
      if (entry?.organization !== organization || resolveInside(this.#folder, entry.path) === undefined) continue;
      const bytes = await readFile(join(this.#folder, ...entry.path.split('/'))).catch(() => undefined);
      if (bytes && hashOf(bytes) === entry.hash) hashes.set(entry.path, entry.hash);
    }
    return hashes;
  }

  async remove(): Promise<void> {
    await rm(this.#file, { force: true });
  }

  async #isRegular(): Promise<boolean> {
    return (await lstat(this.#file).catch(() => undefined))?.isFile() === true;
  }
}

/** The last line may be incomplete. */
function parseEntry(line: string): LogEntry | undefined {
  try {
    return LogEntry.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
