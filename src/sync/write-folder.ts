import type { LocalFolder, OnFile, Problem } from '../content/folder/folder.ts';
import { type Layout, readLayout } from '../content/folder/layout.ts';
import { type Naming, pageFileProblem } from './page-files.ts';
import { type PageInfo, readInfo } from '../content/folder/page-info.ts';
import { PageWriter } from './page-writer.ts';
import type { Remote, RemoteFile } from './remote.ts';

/** The folder of remote pages, with paths from the docs' root. The bytes of its files are still to be fetched. */
export interface WrittenFolder {
  /** The texts of pages. */
  pages: Map<string, Uint8Array>;
  /** The ids of pages, by their files. */
  ids: Map<string, string>;
  /** Files that pages use. */
  files: Map<string, RemoteFile>;
  summary?: { path: string; text: string };
  /** Names in the service that must not be written. */
  problems: Problem[];
}

export interface WriteInput {
  remote: Remote;
  /** Pages that it already has keep the names of their files and, where the content is equal, their bytes. */
  local?: LocalFolder;
  pushedHashes?: Naming['pushedHashes'];
}

interface WriteOptions {
  /** In place of the layout that the content has. */
  layout?: Layout;
  /** Called with each file before its text is parsed. */
  onFile?: OnFile;
}

export function writeFolder(
  { remote, local, pushedHashes }: WriteInput,
  { layout: givenLayout, onFile = () => {} }: WriteOptions = {},
): WrittenFolder {
  const problems: Problem[] = [];
  const naming: Naming = { problems, ...(pushedHashes && { pushedHashes }) };
  const layout = usableLayout(givenLayout ?? readLayout(remote.layouts?.[0]), problems);
  const writer = new PageWriter(remote, layout, local, naming);
  const pages = new Map<string, Uint8Array>();
  const ids = new Map<string, string>();
  const infos = new Map<string, PageInfo>();
  for (const page of remote.pages) {
    const file = writer.fileOf(page.id);
    if (file === undefined) continue;
    onFile(file);
    const text = writer.textOf(page, file);
    pages.set(file, Buffer.from(text));
    ids.set(file, page.id);
    infos.set(file, readInfo(text));
  }
  const files = new Map<string, RemoteFile>();
  for (const file of remote.files) {
    const path = writer.pathOfFile(file.id);
    if (path !== undefined && !pages.has(path) && !files.has(path)) files.set(path, file);
  }
  const path = local?.summaryPath ?? layout.summary?.path ?? 'SUMMARY.md';
  onFile(path);
  const text = writer.summaryFor(infos, path, local?.summary ?? undefined);
  return { pages, ids, files, ...(text !== undefined && { summary: { path, text } }), problems };
}

/** The layout without a SUMMARY.md whose path must not be written. */
function usableLayout(layout: Layout, problems: Problem[]): Layout {
  const { summary, ...rest } = layout;
  const problem = summary && pageFileProblem(summary.path);
  if (!summary || problem === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${problem}; SUMMARY.md is not written there.` });
  return rest;
}
