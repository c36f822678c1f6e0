import { isUtf8 } from 'node:buffer';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isHidden, toolFolders } from '../../content/folder/file-names.ts';
import { judgeLink, type LinkedFile } from '../../content/folder/linked-file.ts';

/** A folder with more files, such as a home folder, is not documentation. */
const maxFiles = 100_000;

/** The folder contains too many files, or cannot be read. */
export class UnreadableFolder extends Error {}

/** The files of a folder. It reads the names at once, and contents on demand. */
export class DiskFolder {
  /** The real path of the folder. */
  readonly path: string;
  #files = new Set<string>();
  readonly #leftOut = new Map<string, string>();
  readonly #texts = new Map<string, string | undefined>();
  /** Called with each file before it is read. */
  onRead: (file: string) => void = () => {};

  /** @param texts that files have instead of their own. @throws UnreadableFolder */
  constructor(path: string, texts: ReadonlyMap<string, string> = new Map()) {
    this.path = realpathSync(path);
    for (const [file, text] of texts) this.#texts.set(file, text);
    this.refresh();
  }

  /** Paths from the folder, with `/` between names, in order. */
  get files(): ReadonlySet<string> {
    return this.#files;
  }

  /** Skipped symbolic links, with the reason as the end of a sentence: `leads to a hidden file`. */
  get leftOut(): ReadonlyMap<string, string> {
    return this.#leftOut;
  }

  /** Whether pages may show a file. They may not show settings and secrets. */
  shows(path: string): boolean {
    return this.#files.has(path) && !isHidden(path);
  }

  /** Reads the names again. @throws UnreadableFolder */
  refresh(): void {
    const names: string[] = [];
    this.#leftOut.clear();
    this.#walk('', names);
    this.#files = new Set(names.sort());
  }

  /** Drops the cached texts of these files. */
  forget(paths: Iterable<string>): void {
    for (const path of paths) this.#texts.delete(path);
  }

  /** The text of a file with its byte order mark; undefined if the file does not exist or is not UTF-8. */
  text(path: string): string | undefined {
    if (!this.#texts.has(path)) this.#texts.set(path, decodeExactly(this.bytes(path)));
    return this.#texts.get(path);
  }

  /** Like `text`, but does not cache the text. */
  textOnce(path: string): string | undefined {
    return this.#texts.has(path) ? this.#texts.get(path) : decodeExactly(this.bytes(path));
  }

  bytes(path: string): Uint8Array | undefined {
    const real = this.realPath(path);
    if (real === undefined) return undefined;
    this.onRead(path);
    try {
      return readFileSync(real);
    } catch {
      return undefined;
    }
  }

  /** The size, and the time of the last change in milliseconds. */
  stat(path: string): { size: number; changedMs: number } | undefined {
    const real = this.realPath(path);
    const stats = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
    return stats?.isFile() ? { size: stats.size, changedMs: stats.mtimeMs } : undefined;
  }

  /** The bytes of a file, if pages may show it. */
  shownBytes(path: string): Uint8Array | undefined {
    return this.shows(path) ? this.bytes(path) : undefined;
  }

  /** The real path of a file; undefined if it is outside the folder. It may have become a link after the names were read. */
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
        // Links to folders are skipped, because they may form a cycle.
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
      // It may have been removed after its name was read.
      if (folder !== '') return [];
      throw error;
    }
  }
}

const refusalReasons: Readonly<Record<NonNullable<LinkedFile['refusal']>, string>> = {
  outside: 'leads out of the folder',
  hidden: 'leads to a hidden file',
  missing: 'does not exist',
  folder: 'leads to a folder',
  irregular: 'does not lead to a regular file',
};

/** Whether no part of a path is a link. This check, which every file needs, takes half as long as resolving links. */
function isReal(path: string): boolean {
  try {
    return realpathSync.native(path) === path;
  } catch {
    return false;
  }
}

function decodeExactly(bytes: Uint8Array | undefined): string | undefined {
  // Creating a decoder for each text would take 0.3 ms more.
  return bytes === undefined || !isUtf8(bytes)
    ? undefined
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString();
}
