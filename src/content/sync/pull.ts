import { type Folder, hashOf, type LocalFolder } from './folder.ts';
import { type Layout, readLayout } from './layout.ts';
import { type Naming, pageFault } from './page-files.ts';
import { type PageInfo, readInfo } from './page-info.ts';
import { Writer } from './page-writer.ts';
import type { Remote, RemoteFile } from './remote.ts';

/** The remote file's bytes are asked for only where the folder does not have them. */
export type RemoteContents = (file: RemoteFile) => Uint8Array;

/**
 * The folder that stands for the remote pages, paths counted from the docs' root. With `local`, what is there keeps its
 * files' names and, where it says the same, its bytes.
 */
export function writeFolder(
  remote: Remote,
  contents: RemoteContents,
  local?: LocalFolder,
  naming: Naming = {},
): Map<string, Uint8Array> {
  const layout = usableLayout(readLayout(remote.layout), naming);
  const writer = new Writer(remote, layout, local, naming);
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
  const fault = summary && pageFault(summary.path);
  if (!summary || fault === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${fault}; it is not taken for SUMMARY.md.` });
  return rest;
}

/** What a pull changes in the folder that is there, paths from the docs' root. */
export function planPull(local: LocalFolder, folder: Folder): { write: Map<string, Uint8Array>; remove: string[] } {
  const there = new Map<string, string>();
  for (const { file, text } of local.pages) if (file !== null) there.set(file, hashOf(text!));
  for (const { path, hash } of local.files) there.set(path, hash);
  if (local.summary !== null) there.set(local.summaryPath, hashOf(local.summary));
  const write = new Map([...folder].filter(([path, bytes]) => there.get(path) !== hashOf(bytes)));
  return { write, remove: [...there.keys()].filter((path) => !folder.has(path)) };
}
