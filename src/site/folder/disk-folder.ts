import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHidden, toolFolders } from '../../content/folder/file-names.ts';
import { judgeLink, type LinkedFile } from '../../content/folder/linked-file.ts';

/** A folder with more files is not one of documentation: the home folder, for example. */
const maxFiles = 100_000;

/** The folder holds too much, or cannot be read. */
export class UnreadableFolder extends Error {}

/** The files of a folder: their names are read at once, and what is in them when it is asked for. */
export class DiskFolder {
  /** The real path of the folder. */
  readonly path: string;
  #files = new Set<string>();
  readonly #leftOut = new Map<string, string>();
  readonly #texts = new Map<string, string | undefined>();

  /** @throws UnreadableFolder */
  constructor(path: string) {
    this.path = realpathSync(path);
    this.refresh();
  }

  /** Paths from the folder, with `/` between names, in order. */
  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /** Symbolic links that are left out, and why, as the end of a sentence: `leads to a hidden file`. */
  get leftOut(): ReadonlyMap<string, string> {
    return this.#leftOut;
  }

  /** Whether a file is one that pages may show: not one with settings or secrets. */
  shows(path: string): boolean {
    return this.#files.has(path) && !isHidden(path);
  }

  /** Reads the names anew. @throws UnreadableFolder */
  refresh(): void {
    const names: string[] = [];
    this.#leftOut.clear();
    this.#walk('', names);
    this.#files = new Set(names.sort());
  }

  /** What was read of these files is not true any more. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.#texts.delete(path);
  }

  /** The text of a file, byte order mark included; undefined where there is none, or it is not UTF-8. */
  text(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, decodeExactly(this.bytes(path)));
    return this.#texts.get(path);
  }

  /** Like `text`, for a text that is needed once. */
  textOnce(path: string): string | undefined {
    return this.#texts.has(path) ? this.#texts.get(path) : decodeExactly(this.bytes(path));
  }

  bytes(path: string): Uint8Array | undefined {
    const real = this.realPath(path);
    if (real === undefined) return undefined;
    try {
      return readFileSync(real);
    } catch {
      return undefined;
    }
  }

  /** Size, and time of the last change in milliseconds. */
  stat(path: string): { size: number; changedMs: number } | undefined {
    const real = this.realPath(path);
    const stats = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
    return stats?.isFile() ? { size: stats.size, changedMs: stats.mtimeMs } : undefined;
  }

  /** The bytes of a file that pages may show. */
  shownBytes(path: string): Uint8Array | undefined {
    return this.shows(path) ? this.bytes(path) : undefined;
  }

  /** Where the file is; undefined where it is none of the folder. It may have become a link since the names were read. */
  realPath(path: string): string | undefined {
    if (!this.#files.has(path)) return undefined;
    const whole = join(this.path, path);
    return isReal(whole) ? whole : judgeLink([this.path], whole).real;
  }

  #walk(folder: string, names: string[]): void {
    for (const entry of this.#entriesOf(folder)) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (toolFolders.has(entry.name)) continue;
      if (entry.isDirectory()) this.#walk(name, names);
      else if (entry.isFile()) names.push(name);
      else if (entry.isSymbolicLink()) {
        // Folders behind links are left out: they may lead round in a circle.
        const { refusal } = judgeLink([this.path], join(this.path, name));
        if (refusal === undefined) names.push(name);
        else this.#leftOut.set(name, refusalReasons[refusal]);
      }
      if (names.length > maxFiles) {
        throw new UnreadableFolder(`The folder has more than ${maxFiles.toLocaleString('en')} files.`);
      }
    }
  }

  #entriesOf(folder: string) {
    try {
      return readdirSync(join(this.path, folder), { withFileTypes: true });
    } catch (error) {
      // It may have been removed since its name was read.
      if (folder !== '') return [];
      throw error;
    }
  }
}

const refusalReasons: Readonly<Record<NonNullable<LinkedFile['refusal']>, string>> = {
  outside: 'leads out of the folder',
  hidden: 'leads to a hidden file',
  missing: 'leads nowhere',
  folder: 'leads to a folder',
  irregular: 'leads to no regular file',
};

/** Whether no part of a path is a link. This is asked of every file, and takes half of the time that resolving does. */
function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

function decodeExactly(bytes: Uint8Array | undefined): string | undefined {
  // A decoder for each text takes 0.3 ms more.
  return bytes === undefined || !isUtf8(bytes)
    ? undefined
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
