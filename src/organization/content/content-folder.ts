import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { toolFolders } from '../../content/folder/file-names.ts';
import { hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import type { Lock } from '../lock.ts';
import { eachOf } from '../../shared/each-of.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { resolveInside } from '../../shared/project-root.ts';
import { readLocal, refuseConflictMarks } from '../../sync/local-folder.ts';
import type { FolderTexts } from '../../sync/folder-texts.ts';

/** Where the content of a space is in the folder of its organization. */
export const contentPath = (space: string): string => `spaces/${space}/content`;

/** Hashes of all files in the content folder of a space, by path in it. @throws CommandError where one cannot be read */
export async function hashesIn(folder: string, space: string): Promise<Map<string, string>> {
  const top = contentPath(space);
  if (resolveInside(folder, top) === undefined)
    throw new UsageError(`${top} is a symbolic link that leads out of the folder.`);
  const files: string[] = [];
  const walk = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, top, path), { withFileTypes: true })) {
      const name = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !toolFolders.has(entry.name)) await walk(name);
      else if (entry.isFile()) files.push(name);
    }
  };
  const hashes = new Map<string, string>();
  const hash = async (name: string) =>
    void hashes.set(name, hashOf(await readFile(join(folder, top, ...name.split('/')))));
  await readable(join(folder, top), async () => {
    await walk('');
    await eachOf(files, hash, maxReaders);
  });
  return hashes;
}

const maxReaders = 16;

/** The pages and files in the content folder of a space. @throws CommandError where one cannot be read */
export async function contentOf(
  texts: FolderTexts,
  docs: { name: string; path: string },
  options: { mustExist: boolean },
): Promise<LocalFolder> {
  const local = await readable(docs.path, () => readLocal(texts, docs, options));
  refuseConflictMarks(docs, local);
  return local;
}

// What cannot be read must never count as removed.
async function readable<Result>(path: string, read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    const place = 'path' in error && typeof error.path === 'string' ? error.path : path;
    throw new CommandError(`${place} cannot be read: ${fileReason(error)}. Nothing was sent.`);
  }
}

/** Whether a content folder has what the lock file says, and nothing else. */
export function isAsLocked({ files }: Lock, space: string, hashes: ReadonlyMap<string, string>): boolean {
  const under = `${contentPath(space)}/`;
  const locked = [...files].filter(([path]) => path.startsWith(under));
  return locked.length === hashes.size && locked.every(([path, hash]) => hashes.get(path.slice(under.length)) === hash);
}

/** The hashes of what a push sends of a content folder, by path from the folder of the organization. */
export function sentHashes(
  space: string,
  local: LocalFolder,
  hashes: ReadonlyMap<string, string>,
): Record<string, string> {
  const sent = [
    ...local.pages.flatMap(({ file }) => file ?? []),
    ...local.files.map(({ path }) => path),
    ...(local.summary === null ? [] : [local.summaryPath]),
  ];
  const entries = sent.flatMap((file) => {
    const path = local.root === '' ? file : `${local.root}/${file}`;
    const hash = hashes.get(path);
    return hash === undefined ? [] : [[`${contentPath(space)}/${path}`, hash] as const];
  });
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
