import { messageOf } from '../../../shared/error-text.ts';
import type { Folder } from '../../folder/folder.ts';
import { isMarkdown } from '../../folder/file-names.ts';
import { parentPath } from '../../markdown/links.ts';
import { readAddresses } from '../../markdown/markdown.ts';
import { unzip, usualLimits } from '../archive.ts';
import { ImportFailure } from '../failure.ts';
import { convertDocuments, isDocument } from './documents.ts';
import type { Skipped } from './skipped.ts';
import { fromNotion, isNotion } from './notion.ts';
import { pathIn } from './paths.ts';
import { fromWiki, isWiki } from './wiki.ts';

/** A folder of Markdown, with a SUMMARY.md if the source defines an order. */
export interface Converted {
  files: Map<string, Uint8Array>;
  skipped: Skipped[];
}

/**
 * Converts the files of an export to a folder of Markdown: of Notion, Confluence, Google Docs or a GitHub wiki, and of HTML
 * and Word documents in general. A folder of Markdown stays as it is.
 */
export async function convertFolder(archive: Folder): Promise<Converted> {
  const skipped: Skipped[] = [];
  let files = withoutWrapper(await withInnerArchives(archive, skipped));
  const isFromNotion = isNotion(files);
  if (!isFromNotion && isWiki(files)) files = fromWiki(files, skipped);
  const linked = [...files.keys()].some(isDocument) ? linkedFiles(files) : new Set<string>();
  const documents = [...files.keys()].filter((file) => isDocument(file) && !linked.has(file));
  if (documents.length > 0) files = await convertDocuments(files, documents, skipped);
  // Afterwards, because the links of documents have the names of the export.
  return { files: isFromNotion ? fromNotion(files, skipped) : files, skipped };
}

/** The files that pages link to, such as a document to download. */
function linkedFiles(files: Folder): Set<string> {
  const linked = new Set<string>();
  for (const [file, bytes] of files) {
    if (!isMarkdown(file)) continue;
    for (const { url } of readAddresses(Buffer.from(bytes).toString()).addresses) {
      const path = pathIn(parentPath(file), url);
      if (path !== undefined) linked.add(path);
    }
  }
  return linked;
}

/** Large exports of Notion are archives in an archive. */
async function withInnerArchives(archive: Folder, skipped: Skipped[]): Promise<Folder> {
  const isInner = (file: string) => /(?:^|\/)(?:Export|ExportBlock)-[\w-]+\.zip$/.test(file);
  if (![...archive.keys()].some(isInner)) return archive;
  const files = new Map<string, Uint8Array>();
  let room = usualLimits.maxBytes;
  for (const [file, bytes] of archive) {
    if (!isInner(file)) {
      files.set(file, bytes);
      continue;
    }
    try {
      const limits = { ...usualLimits, maxBytes: room };
      for (const [inner, content] of await unzip(bytes, { limits, skipped })) {
        room -= content.length;
        files.set(inner, content);
      }
    } catch (error) {
      if (!(error instanceof ImportFailure) || error.code === 'too-large') throw error;
      skipped.push({ file, reason: messageOf(error) });
    }
  }
  return files;
}

/** Archives of repositories have one folder that contains everything. Archives from macOS also contain metadata files. */
export function withoutWrapper(files: Folder): Map<string, Uint8Array> {
  const entries = [...files].filter(
    ([path]) => !path.startsWith('__MACOSX/') && !path.endsWith('.DS_Store') && !path.startsWith('.git/'),
  );
  const [[first = ''] = []] = entries;
  const wrapper = first.slice(0, first.indexOf('/') + 1);
  const isWrapped = wrapper !== '' && entries.every(([path]) => path.startsWith(wrapper));
  return new Map(isWrapped ? entries.map(([path, bytes]) => [path.slice(wrapper.length), bytes]) : entries);
}
