import { type Folder, hashOf, type LocalFolder } from '../content/folder/folder.ts';
import type { WrittenFolder } from './write-folder.ts';
import type { RemoteFile } from './remote.ts';

/** All files of a folder with their bytes. @param contents the bytes of a remote file */
export function folderOf({ pages, files, summary }: WrittenFolder, contents: (file: RemoteFile) => Uint8Array): Folder {
  const folder = new Map(pages);
  for (const [path, file] of files) folder.set(path, contents(file));
  if (summary) folder.set(summary.path, Buffer.from(summary.text));
  return folder;
}

/** The changes of a pull in the existing folder, with paths from the docs' root. */
export function planPull(local: LocalFolder, folder: Folder): { write: Map<string, Uint8Array>; remove: string[] } {
  const hashes = new Map<string, string>();
  for (const { file, text } of local.pages) if (file !== null) hashes.set(file, hashOf(text ?? ''));
  for (const { path, hash } of local.files) hashes.set(path, hash);
  if (local.summary !== null) hashes.set(local.summaryPath, hashOf(local.summary));
  const write = new Map([...folder].filter(([path, bytes]) => hashes.get(path) !== hashOf(bytes)));
  return { write, remove: [...hashes.keys()].filter((path) => !folder.has(path)) };
}
