import { existsSync } from 'node:fs';
import { lstat, mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { EngineError } from '../shared/engine-error.ts';
import { messageOf } from '../shared/error-text.ts';
import { visible } from '../shared/visible.ts';
import type { PackedFile } from './payload.ts';

/** All files of a proposal together. */
export const maxPackedBytes = 4 * 1024 * 1024;
const maxPackedFiles = 2000;

/** Folders that no command reads. */
const skipped = new Set(['.git', 'node_modules']);

/** Collects the files that the command lines of a proposal read. */
export class FilePack {
  readonly files: PackedFile[] = [];
  /** The packed path by the path on this machine. */
  readonly #paths = new Map<string, string>();
  #bytes = 0;

  /** Packs a file or a folder. @returns its packed path @throws EngineError if it cannot be packed */
  async add(path: string): Promise<string> {
    const full = resolve(path);
    const packed = this.#paths.get(full) ?? `${this.#paths.size + 1}/${safeName(basename(full))}`;
    if (this.#paths.has(full)) return packed;
    this.#paths.set(full, packed);
    await this.#pack(full, packed, { shown: path, root: await realpath(full) });
    return packed;
  }

  /** Packs a folder at a path of its own. */
  async addFolder(path: string, packed: string): Promise<void> {
    await this.#pack(resolve(path), packed, { shown: path, root: await realpath(path) });
  }

  /** Packs a text as a file. @throws EngineError for a path that is not safe */
  addText(packed: string, text: string): void {
    if (!isSafePath(packed)) throw unpackable(packed, 'its name has characters that not every system allows');
    this.#push(packed, Buffer.from(text), packed);
  }

  async #pack(full: string, packed: string, { shown, root }: { shown: string; root: string }): Promise<void> {
    const real = await realpath(full);
    if (real !== root && !real.startsWith(root + sep))
      throw unpackable(shown, 'it is a link to a place outside of the folder', 'Replace the link with a copy.');
    const stats = await lstat(real);
    if (stats.isDirectory()) {
      for (const name of (await readdir(real)).toSorted()) {
        if (skipped.has(name)) continue;
        if (!isSafeName(name))
          throw unpackable(join(shown, name), 'its name has characters that not every system allows');
        await this.#pack(join(full, name), `${packed}/${name}`, { shown: join(shown, name), root });
      }
      return;
    }
    if (!stats.isFile()) throw unpackable(shown, 'it is neither a file nor a folder');
    if (this.#bytes + stats.size > maxPackedBytes) throw tooLarge();
    this.#push(packed, await readFile(real), shown);
  }

  #push(path: string, bytes: Buffer, shown: string): void {
    this.#bytes += bytes.length;
    if (this.#bytes > maxPackedBytes || this.files.length >= maxPackedFiles) throw tooLarge();
    if (path.length > maxPath) throw unpackable(shown, 'its path is too long');
    const text = bytes.toString('utf8');
    const isText = Buffer.from(text).equals(bytes);
    this.files.push({ path, ...(isText ? { text } : { base64: bytes.toString('base64') }) });
  }
}

const unpackable = (path: string, reason: string, hint?: string) =>
  new EngineError(
    'refused',
    `${visible(path)} cannot be part of a proposal: ${reason}.`,
    hint === undefined ? {} : { hint },
  );

const tooLarge = () =>
  new EngineError(
    'refused',
    `The files of a proposal are larger than ${maxPackedBytes / 1024 / 1024} MiB, or more than ${maxPackedFiles}.`,
    { hint: 'Propose a smaller folder, or several proposals, one after the other.' },
  );

const maxPath = 1000;

const forbidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069/\\:*?"<>|]/;

/** Whether a name is that of one file or folder on every system. */
const isSafeName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && name.length <= 255 && !forbidden.test(name) && !/[. ]$/.test(name);

/** Whether a packed path stays in its folder. */
export const isSafePath = (path: string): boolean => path.length <= maxPath && path.split('/').every(isSafeName);

const safeName = (name: string): string => (isSafeName(name) ? name : 'files');

/**
 * Writes packed files below a folder that nobody else can write to.
 *
 * @throws EngineError before anything is written if a path would lead out of it: a proposal can contain any path
 */
export async function unpackFiles(files: readonly PackedFile[], folder: string): Promise<void> {
  const hostile = files.find(({ path }) => !isSafePath(path));
  if (hostile || files.length > maxPackedFiles) throw unsafePath(hostile?.path ?? 'too many files');
  for (const { path, text, base64 } of files) {
    const target = join(folder, ...path.split('/'));
    if (relative(folder, target).startsWith('..')) throw new Error(`${path} leads out of the folder`);
    const bytes = text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
    try {
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      // Two paths that differ in case only may be one file.
      await writeFile(target, bytes, { mode: 0o600, flag: 'wx' });
    } catch (error) {
      throw new EngineError(
        'refused',
        `A file of the proposal cannot be written: ${visible(path)}: ${messageOf(error)}.`,
        {
          cause: error,
        },
      );
    }
  }
}

/** The error for a path that docsctl would not have packed. */
export const unsafePath = (path: string) =>
  new EngineError('refused', `The proposal has a file with an unsafe path: ${visible(path)}. Nothing was sent.`, {
    hint: 'Reject it. docsctl does not pack such paths, so somebody edited the proposal.',
  });

/** Whether there is a file or folder at a path. */
export const isPath = (path: string): boolean => path !== '' && !path.includes('\0') && existsSync(resolve(path));
