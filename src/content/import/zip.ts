import { parentPath } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { isMarkdown, isReadme } from '../folder/file-names.ts';
import { contentTypeOf } from '../folder/files.ts';
import type { LocalPage } from '../folder/folder.ts';
import { localPath } from '../folder/local-links.ts';
import { readFolder } from '../folder/read-folder.ts';
import { unzip } from './archive.ts';
import { convertFolder } from './convert/convert.ts';
import type { Skipped } from './convert/skipped.ts';
import { ImportFailure } from './failure.ts';
import { type Imported, type ImportedPage, Refs } from './imported.ts';

/** The content of a zip archive. The links in its texts are not changed, yet. */
export interface ReadZip {
  imported: Imported;
  /** The file of each page, in order; null for a page without a file. */
  files: (string | null)[];
  /** The name for links, by path in the archive. */
  names: Map<string, string>;
}

/** Reads the pages of a zip archive, in the order of its SUMMARY.md or its folders. */
export async function readZip(bytes: Uint8Array): Promise<ReadZip> {
  const links: Skipped[] = [];
  const { files: converted, skipped: unread } = await convertFolder(await unzip(bytes, { skipped: links }));
  const skipped = [...links, ...unread];
  const local = readFolder(converted);
  if (local.pages.length === 0) throw new ImportFailure('unreadable', 'The archive contains no pages.');
  const refs = new Refs();
  const pageRefs = new Map<string | null, string>();
  const localPages = local.pages.map((page) => {
    const ref = refs.page(page.slug);
    pageRefs.set(page.key, ref);
    return { page, ref };
  });
  const files = local.files.map(({ path, bytes: content }) => {
    const ref = refs.file(path.slice(path.lastIndexOf('/') + 1));
    return { path, imported: { ref, name: ref, contentType: contentTypeOf(path, content), bytes: content } };
  });
  const pages = localPages.map(({ page, ref }): ImportedPage => {
    const { title, slug, description } = page;
    return {
      ref,
      source: page.key,
      title,
      slug,
      markdown: textOf(page),
      parent: pageRefs.get(page.parent) ?? null,
      ...(description && { description }),
    };
  });
  // Problems of other files are about their links.
  const read = new Set([local.summaryPath, ...local.pages.map(({ file }) => file)]);
  const broken = local.problems.filter(({ file }) => isMarkdown(file) && !read.has(file));
  return {
    imported: {
      pages,
      files: files.map(({ imported }) => imported),
      total: pages.length + files.length + broken.length + skipped.length,
      notImported: [...skipped.map(({ file }) => file), ...broken.map(({ file }) => file)],
    },
    files: local.pages.map(({ file }) => file),
    names: new Map([
      ...localPages.flatMap(({ page, ref }) => namesOf(page).map((name) => [name, `${ref}.md`] as const)),
      ...files.map(({ path, imported }) => [path, imported.ref] as const),
    ]),
  };
}

export interface ZipPages {
  pages: { markdown: string; file: string }[];
  names: ReadonlyMap<string, string>;
}

/** Replaces links in pages by the names of pages and files. */
export function linkZipPages({ pages, names }: ZipPages): string[] {
  return pages.map(({ markdown, file }) =>
    rewriteLinks(markdown, (url) => {
      const path = localPath(file, url);
      const name = path === undefined ? undefined : (names.get(path) ?? names.get(`${path}.md`));
      if (name === undefined) return url;
      return `./${name}${name.endsWith('.md') ? (/#.*$/s.exec(url)?.[0] ?? '') : ''}`;
    }),
  );
}

function textOf({ text, title, href }: LocalPage): string {
  return text ?? (href ? `# ${title}\n\n[${title}](<${href}>)\n` : `# ${title}\n`);
}

/** The paths of links to a page: its file, and the folder for a README or a folder without a file. */
function namesOf({ key, file }: LocalPage): string[] {
  if (file === null) return [key.replace(/\/$/, '')];
  return isReadme(file) ? [file, parentPath(file)] : [file];
}
