import { messageOf } from '../../../shared/error-text.ts';
import type { Folder } from '../../folder/folder.ts';
import { nameTitle } from '../../folder/page-tree.ts';
import { parentPath, relativeAddress } from '../../markdown/links.ts';
import { rewriteLinks } from '../../markdown/markdown.ts';
import { firstFree } from '../../markdown/slug.ts';
import { unzip, usualLimits } from '../archive.ts';
import { readParts } from '../docx.ts';
import { ImportFailure } from '../failure.ts';
import { type HtmlPage, readHtml } from '../html/html.ts';
import { prepareConfluence, summaryOfConfluence } from './confluence.ts';
import type { Skipped } from './skipped.ts';
import { prepareGoogleDocs } from './google-docs.ts';
import { pathIn } from './paths.ts';
import { withUnlisted } from './unlisted.ts';

const isHtml = (file: string): boolean => /\.x?html?$/i.test(file);
const isWord = (file: string): boolean => /\.docx$/i.test(file);

/** Whether a file is a page in another format. */
export const isDocument = (file: string): boolean => isHtml(file) || isWord(file);

/** Addresses are relative to the root of the folder. */
const origin = 'https://import.invalid';

/** Replaces documents by their Markdown. Those that cannot be read are left out and named. */
export async function convertDocuments(
  files: Folder,
  documents: readonly string[],
  skipped: Skipped[],
): Promise<Map<string, Uint8Array>> {
  const converted = new Map([...files].filter(([file]) => !documents.includes(file)));
  const names = newNames(converted, documents);
  const pages = new Map<string, HtmlPage>();
  const summary = documents.includes('index.html')
    ? summaryOfConfluence(textOf(files, 'index.html'), names)
    : undefined;
  let room = usualLimits.maxBytes;
  for (const file of documents) {
    const name = names.get(file) ?? file;
    // The table of contents of the space says nothing else.
    if (file === 'index.html' && summary !== undefined) continue;
    try {
      if (isWord(file)) {
        const limits = { ...usualLimits, maxBytes: room };
        const parts = await unzip(files.get(file) ?? new Uint8Array(), { limits });
        for (const part of parts.values()) room -= part.length;
        await addWord(converted, parts, name);
      } else pages.set(file, readPage(file, textOf(files, file)));
    } catch (error) {
      const isDeep = error instanceof RangeError;
      if (!isDeep && !(error instanceof ImportFailure)) throw error;
      skipped.push({ file, reason: isDeep ? 'its elements are nested too deeply' : messageOf(error) });
    }
  }
  for (const [file, page] of pages) {
    const markdown = withLinks(page, file, names, pages);
    converted.set(names.get(file) ?? file, Buffer.from(markdown));
  }
  if (summary !== undefined && !converted.has('SUMMARY.md'))
    converted.set('SUMMARY.md', Buffer.from(withUnlisted(summary, converted)));
  return converted;
}

const textOf = (files: Folder, file: string): string => Buffer.from(files.get(file) ?? '').toString();

function newNames(others: ReadonlyMap<string, unknown>, documents: readonly string[]): Map<string, string> {
  const taken = new Set(others.keys());
  return new Map(
    documents.map((file) => {
      const stem = file.replace(/\.\w+$/, '');
      const name = firstFree(taken, `${stem}.md`, (count) => (count === 1 ? `${stem}.md` : `${stem}-${count}.md`));
      taken.add(name);
      return [file, name];
    }),
  );
}

function readPage(file: string, html: string): HtmlPage {
  const address = `${origin}/${file.split('/').map(encodeURIComponent).join('/')}`;
  return readHtml(html, address, nameTitle(file), (root) => {
    prepareConfluence(root);
    prepareGoogleDocs(root);
  });
}

function withLinks(
  { markdown }: HtmlPage,
  file: string,
  names: ReadonlyMap<string, string>,
  pages: ReadonlyMap<string, HtmlPage>,
): string {
  const folder = parentPath(names.get(file) ?? file);
  return rewriteLinks(markdown, (url) => {
    if (!url.startsWith(`${origin}/`)) return url;
    const path = pathIn('', url.slice(origin.length));
    if (path === undefined) return url;
    const hash = url.includes('#') ? (pathIn('', url.slice(url.indexOf('#') + 1)) ?? '') : '';
    const anchor = pages.get(path)?.anchors.get(hash) ?? '';
    if (path === file) return `#${anchor}`;
    return relativeAddress(folder, names.get(path) ?? path) + (anchor === '' ? '' : `#${anchor}`);
  });
}

/** A Word document becomes a page, with its pictures next to it. */
async function addWord(
  converted: Map<string, Uint8Array>,
  parts: ReadonlyMap<string, Uint8Array>,
  name: string,
): Promise<void> {
  const { pages, files } = await readParts(parts, nameTitle(name));
  const [page] = pages;
  if (!page) return;
  const stem = name.replace(/\.md$/, '');
  const refs = new Map<string, string>();
  for (const { ref, bytes } of files) {
    const place = (count: number) => `${stem}-files${count === 1 ? '' : `-${count}`}/${ref}`;
    const path = firstFree(converted, place(1), place);
    converted.set(path, bytes);
    refs.set(`./${ref}`, path);
  }
  const text = rewriteLinks(page.markdown, (url) => {
    const target = refs.get(url);
    return target === undefined ? url : relativeAddress(parentPath(name), target);
  });
  converted.set(name, Buffer.from(text));
}
