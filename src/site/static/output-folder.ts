import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { makeFolder } from '../../shared/make-folder.ts';
import type { FolderProblem } from '../folder/problem.ts';
import { hashOf } from './content-hash.ts';
import { KeptPages, PageWriter } from './page-memory.ts';

/** Lists the exported files. Hosts do not serve it, because its name starts with a dot. */
const manifestName = '.docsctl-export.json';
/** The pages of the last export. */
const pagesName = '.docsctl-export.pages';
/** Contains files until they are moved into place. */
const stageName = '.docsctl-export.tmp';

/** The folder cannot be exported to. */
export class OutputRefused extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.hint = hint;
  }
}

/** Deletes what an export of this process left behind when its thread was ended. */
export function removeStage(out: string): void {
  const stage = join(out, stageName);
  if (readText(join(stage, 'pid')) === String(process.pid)) rmSync(stage, { recursive: true, force: true });
}

interface Manifest {
  /** A hash of the sources, options and renderer; "" if the files are from different exports. */
  fingerprint: string;
  /** The hashes of files, by path. */
  files: Record<string, string>;
  problems: FolderProblem[];
}

export interface OutputResult {
  written: string[];
  removed: string[];
  unchanged: number;
}

/** A folder that is replaced as a whole: the files of the last export stay until all new ones are complete. */
export class OutputFolder {
  readonly path: string;
  readonly #isDry: boolean;
  readonly #before: Manifest | undefined;
  readonly #files = new Map<string, string>();
  readonly #changed = new Set<string>();
  readonly #overwrites: boolean;
  #pages: PageWriter | undefined;

  /** @throws OutputRefused */
  constructor(path: string, { overwrite, dryRun }: { overwrite: boolean; dryRun: boolean }) {
    this.path = path;
    this.#isDry = dryRun;
    this.#overwrites = overwrite;
    this.#before = this.#readManifest();
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && !stats.isDirectory() && !(stats.isSymbolicLink() && isFolder(path))) {
      throw new OutputRefused(`${path} is not a folder.`, 'Choose another one with --out.');
    }
    if (!stats || this.#before || overwrite) return;
    const other = readdirSync(path).find((name) => name !== stageName);
    if (other === undefined) return;
    throw new OutputRefused(
      `${path} contains ${other}, which is not from an export.`,
      'Choose a new folder, or pass --overwrite to replace files with the same names.',
    );
  }

  /** The last export, if it has this fingerprint and none of its files were changed. */
  unchanged(fingerprint: string): { problems: FolderProblem[]; files: string[] } | undefined {
    const before = this.#before;
    if (before?.fingerprint !== fingerprint || fingerprint === '') return undefined;
    const entries = Object.entries(before.files);
    const isAsBefore = entries.every(([path, hash]) => this.#hashAt(path) === hash);
    return isAsBefore ? { problems: before.problems, files: entries.map(([path]) => path) } : undefined;
  }

  /** The pages of the last export. */
  keptPages(renderer: string): KeptPages {
    return new KeptPages(this.#before ? join(this.path, pagesName) : '', renderer);
  }

  /** Stores the pages for the next export; undefined in a dry run. Call it after `begin`. */
  pageWriter(renderer: string): PageWriter | undefined {
    if (this.#isDry) return undefined;
    this.#pages ??= new PageWriter(join(this.path, stageName, pagesName), renderer);
    return this.#pages;
  }

  /** Keeps files as they are; false if one of them was changed. */
  keep(files: readonly { path: string; hash: string }[]): boolean {
    if (!files.every(({ path, hash }) => this.#before?.files[path] === hash && this.#hashAt(path) === hash))
      return false;
    for (const { path, hash } of files) this.#files.set(path, hash);
    return true;
  }

  /** Starts writing. @throws OutputRefused if another export is running */
  begin(): void {
    if (this.#isDry) return;
    makeFolder(this.path);
    const stage = join(this.path, stageName);
    const running = readText(join(stage, 'pid'));
    if (running !== undefined && isRunning(Number(running))) {
      throw new OutputRefused(
        `Another export (process ${running}) is writing to ${this.path}.`,
        `Wait until it finishes. If that process is not an export, delete ${stage}.`,
      );
    }
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage);
    writeFileSync(join(stage, 'pid'), String(process.pid));
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  /** @returns the hash of the content @throws OutputRefused if it would replace a file that is not from an export */
  write(path: string, content: string | Uint8Array): string {
    const hash = hashOf(content);
    this.#files.set(path, hash);
    const present = this.#hashAt(path);
    if (present === hash) {
      this.#changed.delete(path);
      return hash;
    }
    const isForeign = present !== undefined && this.#before?.files[path] === undefined;
    if (isForeign && !this.#overwrites) {
      throw new OutputRefused(
        `${join(this.path, path)} already exists and is not from an export.`,
        'Move it, or pass --overwrite.',
      );
    }
    this.#changed.add(path);
    if (this.#isDry) return hash;
    const staged = join(this.path, stageName, 'files', path);
    makeFolder(dirname(staged));
    writeFileSync(staged, content);
    return hash;
  }

  /** Moves everything into place. */
  commit(fingerprint: string, problems: FolderProblem[]): OutputResult {
    const before = this.#before?.files ?? {};
    const removed = Object.keys(before).filter((path) => !this.#files.has(path) && this.#hashAt(path) !== undefined);
    const written = [...this.#changed];
    const result = { written, removed, unchanged: this.#files.size - written.length };
    if (this.#isDry) return result;
    this.#requireRealFolders([...written, ...removed]);
    const files = Object.fromEntries(this.#files);
    // If the export is interrupted from here on, files of both exports remain. This manifest lets the next one replace them.
    this.#writeManifest({ fingerprint: '', files: { ...before, ...files }, problems });
    // A file may replace a folder, or the other way round.
    for (const path of removed) this.#remove(path);
    for (const path of written) {
      const target = join(this.path, path);
      makeFolder(dirname(target));
      renameSync(join(this.path, stageName, 'files', path), target);
    }
    if (this.#pages) {
      this.#pages.finish();
      renameSync(join(this.path, stageName, pagesName), join(this.path, pagesName));
    }
    this.#writeManifest({ fingerprint, files, problems });
    return result;
  }

  /** Removes files that are not in place. */
  close(): void {
    this.#pages?.close();
    if (!this.#isDry) rmSync(join(this.path, stageName), { recursive: true, force: true });
  }

  #remove(path: string): void {
    rmSync(join(this.path, path), { force: true });
    for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) {
      try {
        rmdirSync(join(this.path, folder));
      } catch {
        // Something else is in it.
        return;
      }
    }
  }

  /** Symbolic links could lead out of the folder. @throws OutputRefused */
  #requireRealFolders(paths: readonly string[]): void {
    const folders = new Set(paths.flatMap((path) => foldersOf(path)));
    for (const folder of folders) {
      if (lstatSync(join(this.path, folder), { throwIfNoEntry: false })?.isSymbolicLink()) {
        throw new OutputRefused(`${join(this.path, folder)} is a symbolic link.`, 'Remove it and export again.');
      }
    }
  }

  #hashAt(path: string): string | undefined {
    const file = join(this.path, path);
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
    return hashOf(readFileSync(file));
  }

  #readManifest(): Manifest | undefined {
    const text = readText(join(this.path, manifestName));
    if (text === undefined) return undefined;
    try {
      const value: unknown = JSON.parse(text);
      if (isManifest(value)) return value;
    } catch {
      // Reported below.
    }
    throw new OutputRefused(
      `${join(this.path, manifestName)} is damaged, so docsctl cannot tell which files are from an export.`,
      'Delete the folder, or choose another one with --out.',
    );
  }

  #writeManifest(manifest: Manifest): void {
    const staged = join(this.path, stageName, 'manifest.json');
    writeFileSync(staged, `${JSON.stringify(manifest)}\n`);
    renameSync(staged, join(this.path, manifestName));
  }
}

/** Also checks that all paths are inside the folder, because files are removed by these paths. */
function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || typeof value.fingerprint !== 'string' || !isObject(value.files)) return false;
  const areInside = Object.keys(value.files).every((path) => !/(?:^|[\\/])\.\.?(?:[\\/]|$)|^[\\/]|\\/.test(path));
  return areInside && Array.isArray(value.problems);
}

function foldersOf(path: string): string[] {
  const above = dirname(path);
  return above === '.' ? [] : [above, ...foldersOf(above)];
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}
