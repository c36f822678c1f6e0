import { type Folder, hashOf, type LocalFolder } from './folder.ts';
import { type Layout, readLayout } from './layout.ts';
import { type Naming, pageFileProblem } from './page-files.ts';
import { type PageInfo, readInfo } from './page-info.ts';
import { PageWriter } from './page-writer.ts';
import type { Remote, RemoteFile } from './remote.ts';

/** The bytes of a remote file. */
export type RemoteContents = (file: RemoteFile) => Uint8Array;

/**
 * The folder of the remote pages, with paths from the docs' root. With `local`, pages that it already has keep the
 * names of their files and, where the content is equal, their bytes.
 */
export function writeFolder(
  remote: Remote,
  contents: RemoteContents,
  local?: LocalFolder,
  naming: Naming = {},
): Map<string, Uint8Array> {
  const layout = usableLayout(readLayout(remote.layout), naming);
  const writer = new PageWriter(remote, layout, local, naming);
  const folder = new Map<string, Uint8Array>();
  const infos = new Map<string, PageInfo>();
  for (const page of remote.pages) {
    const file = writer.fileOf(page.id);
    if (file === undefined) continue;
    const text = writer.textOf(page, file);
    folder.set(file, Buffer.from(text));
    infos.set(file, readInfo(text));
  }
  for (const file of remote.files) {
    const path = writer.pathOfFile(file.id);
    if (path !== undefined && !folder.has(path)) folder.set(path, contents(file));
  }
  const summaryPath = local?.summaryPath ?? layout.summary?.path ?? 'SUMMARY.md';
  const summary = writer.summaryFor(infos, summaryPath, local?.summary ?? undefined);
  if (summary !== undefined) folder.set(summaryPath, Buffer.from(summary));
  return folder;
}

/** The layout without a SUMMARY.md whose path must not be written. */
function usableLayout(layout: Layout, { problems = [] }: Naming): Layout {
  const { summary, ...rest } = layout;
  const problem = summary && pageFileProblem(summary.path);
  if (!summary || problem === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${problem}; SUMMARY.md is not written there.` });
  return rest;
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
