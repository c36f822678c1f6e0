import type { LocalFolder, OnFile, Problem } from './folder.ts';
import { type Layout, readLayout } from './layout.ts';
import { type Naming, pageFileProblem } from './page-files.ts';
import { type PageInfo, readInfo } from './page-info.ts';
import { PageWriter } from './page-writer.ts';
import type { Remote, RemoteFile } from './remote.ts';

/** The folder of remote pages, with paths from the docs' root. The bytes of its files are still to be fetched. */
export interface WrittenFolder {
  /** The texts of pages. */
  pages: Map<string, Uint8Array>;
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

/** @param onFile called with each file before its text is parsed */
export function writeFolder({ remote, local, pushedHashes }: WriteInput, onFile: OnFile = () => {}): WrittenFolder {
  const problems: Problem[] = [];
  const naming: Naming = { problems, ...(pushedHashes && { pushedHashes }) };
  const layout = usableLayout(readLayout(remote.layouts?.[0]), problems);
  const writer = new PageWriter(remote, layout, local, naming);
  const pages = new Map<string, Uint8Array>();
  const infos = new Map<string, PageInfo>();
  for (const page of remote.pages) {
    const file = writer.fileOf(page.id);
    if (file === undefined) continue;
    onFile(file);
    const text = writer.textOf(page, file);
    pages.set(file, Buffer.from(text));
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
  return { pages, files, ...(text !== undefined && { summary: { path, text } }), problems };
}

/** The layout without a SUMMARY.md whose path must not be written. */
function usableLayout(layout: Layout, problems: Problem[]): Layout {
  const { summary, ...rest } = layout;
  const problem = summary && pageFileProblem(summary.path);
  if (!summary || problem === undefined) return layout;
  problems.push({ file: summary.path, message: `The name ${problem}; SUMMARY.md is not written there.` });
  return rest;
}
