import { randomBytes } from 'node:crypto';
import { lstat, readdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { CommandError, UsageError } from '../cli/failure.ts';
import { fileReason } from '../cli/file.ts';
import { makeFolder } from '../folder.ts';
import type { Invocation } from '../cli/invocation.ts';
import { hashOf, type LocalFolder, readFolder } from '../content/folder.ts';

/** A folder of Markdown on this machine, and the space it belongs to. */
export interface Docs {
  /** As it was named. */
  name: string;
  path: string;
  space?: string;
}

/** The folder that is named, or those of the project file. @throws UsageError where there is neither */
export async function docsOf({ args, session }: Invocation): Promise<Docs[]> {
  if (typeof args.folder === 'string') return [{ name: args.folder, path: resolve(args.folder) }];
  const project = await session.project();
  const listed = project?.content ?? [];
  if (listed.length === 0) {
    throw new UsageError(
      '<folder> is missing.',
      'Name a folder of Markdown, or list folders under "content:" in .docsctl.yaml.',
    );
  }
  const base = dirname(project!.file);
  return listed.map(({ path, root, space }) => {
    const name = root === undefined ? path : join(path, root);
    return { name, path: resolve(base, name), ...(space === undefined ? {} : { space }) };
  });
}

// What tools keep for themselves, and packages with Markdown of their own.
const skipped = new Set(['.git', '.hg', '.svn', 'node_modules']);

/** Reads what of a folder matters; an empty one where it is not there and need not be. @throws UsageError */
export async function readLocal({ name, path }: Docs, { mustExist = true } = {}): Promise<LocalFolder> {
  const found = await stat(path).catch(() => undefined);
  if (!found && !mustExist) return readFolder(new Map());
  if (!found?.isDirectory()) {
    throw new UsageError(found ? `${name} is no folder.` : `${name} is not there.`, 'Name a folder of Markdown files.');
  }
  const folder = new Map<string, Uint8Array>();
  for (const file of await filesIn(path)) folder.set(file, empty);
  const texts = [...folder.keys()].filter((file) => /(?:\.(?:md|markdown)|\.(?:docsctl|gitbook)\.ya?ml)$/i.test(file));
  await eachOf(texts, async (file) => void folder.set(file, await readFile(join(path, file))));
  const local = readFolder(folder);
  // Only what the pages show is read: a folder may hold much else.
  const files = await Promise.all(
    local.files.map(async (file) => {
      const bytes = await readFile(join(path, local.root, file.path));
      return { path: file.path, bytes, hash: hashOf(bytes) };
    }),
  );
  return { ...local, files };
}

const empty = new Uint8Array();

/** Files below a folder with `/` between names. Symbolic links are not followed: they may lead anywhere. */
async function filesIn(path: string): Promise<string[]> {
  const found: string[] = [];
  const walk = async (below: string) => {
    for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!skipped.has(entry.name)) await walk(name);
      } else if (entry.isFile()) found.push(name);
    }
  };
  await walk('');
  return found.toSorted();
}

const readers = 16;

/** Runs work for each item, a few at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  most = readers,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}

/**
 * Whether a path from the service may be written. A space's editors are not the folder's: they get no say in what build
 * servers, editors and shells run.
 */
export function isWritable(path: string): boolean {
  const segments = path.split('/');
  if (segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[\\\0:]/.test(segment)))
    return false;
  if (segments.some((segment) => skipped.has(segment))) return false;
  if (!segments.some((segment) => segment.startsWith('.')) || segments[0] === '.gitbook') return true;
  return /\.(?:md|markdown|png|jpe?g|gif|webp|svg|avif|ico|bmp|tiff?|mp4|webm|pdf)$/i.test(segments.at(-1)!);
}

/** The bytes of a file below a folder; undefined where there is none. */
export async function bytesOf(path: string, file: string): Promise<Uint8Array | undefined> {
  return readFile(join(path, file)).catch(() => undefined);
}

/** Puts whole files in place, each at once. @throws UsageError where a symbolic link leads out of the folder */
export async function writeLocal(path: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  try {
    makeFolder(path);
  } catch (error) {
    throw notWritten(path, error);
  }
  const inside = await realpath(path);
  for (const [file, bytes] of files) {
    const target = join(path, ...file.split('/'));
    await refuseOutside(inside, dirname(target), file);
    const beside = join(dirname(target), `.docsctl-${randomBytes(6).toString('hex')}.tmp`);
    try {
      makeFolder(dirname(target));
      await writeFile(beside, bytes, { flag: 'wx' });
      await rename(beside, target);
    } catch (error) {
      await rm(beside, { force: true }).catch(() => {});
      throw notWritten(target, error);
    }
  }
}

const notWritten = (path: string, error: unknown) =>
  new CommandError(`${relative(process.cwd(), path)} cannot be written: ${fileReason(error, 'folder')}.`, {
    hint: 'Files written before it are whole. Mend this and pull again.',
  });

/** Removes files, and the folders that are empty then. */
export async function removeLocal(path: string, files: readonly string[]): Promise<void> {
  const inside = await realpath(path);
  for (const file of files) {
    const target = join(path, ...file.split('/'));
    await refuseOutside(inside, dirname(target), file);
    await rm(target, { force: true });
    for (let folder = dirname(target); folder !== path; folder = dirname(folder)) {
      if (
        !(await rmdir(folder).then(
          () => true,
          () => false,
        ))
      )
        break;
    }
  }
}

async function refuseOutside(inside: string, folder: string, file: string): Promise<void> {
  let there = folder;
  while (!(await lstat(there).catch(() => undefined))) there = dirname(there);
  const real = await realpath(there);
  if (real === inside || real.startsWith(inside + sep)) return;
  throw new UsageError(
    `${file} lies behind a symbolic link that leads out of the folder; nothing is written there.`,
    'Remove the link, or pull into another folder.',
  );
}
