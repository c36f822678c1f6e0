import { messageOf } from '../../../shared/error-text.ts';
import type { Folder } from '../../folder/folder.ts';
import { isMarkdown } from '../../folder/file-names.ts';
import { unzip } from '../archive.ts';
import { ImportFailure } from '../failure.ts';
import { convertDocuments, isDocument } from './documents.ts';
import type { Skipped } from './skipped.ts';
import { fromNotion, isNotion } from './notion.ts';
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
  if (isNotion(files)) files = fromNotion(files);
  else if (isWiki(files)) files = fromWiki(files, skipped);
  const texts = [...files].filter(([file]) => isMarkdown(file)).map(([, bytes]) => Buffer.from(bytes).toString());
  const isLinked = (file: string) => {
    const name = file.slice(file.lastIndexOf('/') + 1);
    return texts.some((text) => text.includes(name) || text.includes(encodeURIComponent(name)));
  };
  const documents = [...files.keys()].filter((file) => isDocument(file) && !isLinked(file));
  if (documents.length > 0) files = await convertDocuments(files, documents, skipped);
  return { files, skipped };
}

/** Large exports of Notion are archives in an archive. */
async function withInnerArchives(archive: Folder, skipped: Skipped[]): Promise<Folder> {
  const isInner = (file: string) => /(?:^|\/)(?:Export|ExportBlock)-[\w-]+\.zip$/.test(file);
  if (![...archive.keys()].some(isInner)) return archive;
  const files = new Map<string, Uint8Array>();
  let room = 200_000_000;
  for (const [file, bytes] of archive) {
    if (!isInner(file)) {
      files.set(file, bytes);
      continue;
    }
    try {
      for (const [inner, content] of await unzip(bytes, { maxBytes: room, maxEntries: 20_000 })) {
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
