import { type Folder, type LocalFolder, localPath, type LocalPage, readFolder } from '../folder.ts';
import { parentPath } from '../links.ts';
import { contentTypeOf } from '../files.ts';
import { rewriteLinks } from '../markdown.ts';
import { unzip } from './archive.ts';
import { fetchBytes, ImportFailure } from './fetcher.ts';
import { type Imported, type ImportedPage, Refs } from './imported.ts';
import { type SourceOptions, sourceLimits } from './sources.ts';

/** The pages of a zip archive of Markdown, as its SUMMARY.md or its folders order them. */
export async function importZip(address: string, options: SourceOptions): Promise<Imported> {
  const { bytes } = await fetchBytes(address, sourceLimits(options));
  return importFolder(await unzip(bytes));
}

export function importFolder(files: Folder): Imported {
  const local = readFolder(withoutWrapper(files));
  if (local.pages.length === 0) throw new ImportFailure('unreadable', 'The archive holds no Markdown files.');
  const refs = new Refs();
  const pageRefs = new Map(local.pages.map((page) => [page.key, refs.page(page.slug)]));
  const fileRefs = new Map(local.files.map(({ path }) => [path, refs.file(path.slice(path.lastIndexOf('/') + 1))]));
  const pages = local.pages.map((page): ImportedPage => {
    const { title, slug, description } = page;
    return {
      ref: pageRefs.get(page.key)!,
      title,
      slug,
      markdown: markdownOf(page, local, pageRefs, fileRefs),
      parent: page.parent === null ? null : pageRefs.get(page.parent)!,
      ...(description && { description }),
    };
  });
  return {
    pages,
    files: local.files.map(({ path, bytes }) => {
      const ref = fileRefs.get(path)!;
      return { ref, name: ref, contentType: contentTypeOf(path, bytes), bytes };
    }),
    found:
      pages.length +
      local.files.length +
      local.problems.filter(({ file }) => /\.(?:md|markdown)$/i.test(file) && file !== local.summaryPath).length,
  };
}

function markdownOf(
  { text, file, title, href }: LocalPage,
  local: LocalFolder,
  pageRefs: ReadonlyMap<string, string>,
  fileRefs: ReadonlyMap<string, string>,
): string {
  if (text === null || file === null) return href ? `# ${title}\n\n[${title}](<${href}>)\n` : `# ${title}\n`;
  const pages = new Map(local.pages.flatMap((page) => namesOf(page).map((name) => [name, page] as const)));
  return rewriteLinks(text, (url) => {
    const path = localPath(file, url);
    if (path === undefined) return url;
    const fileRef = fileRefs.get(path);
    if (fileRef) return `./${fileRef}`;
    const page = pages.get(path) ?? pages.get(`${path}.md`);
    return page ? `./${pageRefs.get(page.key)}.md${/#.*$/s.exec(url)?.[0] ?? ''}` : url;
  });
}

/** The paths that lead to a page: its file, and of a README or a folder without one the folder. */
function namesOf({ key, file }: LocalPage): string[] {
  if (file === null) return [key.replace(/\/$/, '')];
  return /(?:^|\/)(?:readme|index)\.[a-z]+$/i.test(file) ? [file, parentPath(file)] : [file];
}

// Archives of a repository hold one folder with everything in it, and those of one system a folder of its own notes.
function withoutWrapper(files: Folder): Folder {
  const own = [...files].filter(([path]) => !path.startsWith('__MACOSX/') && !path.endsWith('.DS_Store'));
  const [top] = own[0]?.[0].split('/', 1) ?? [];
  const isWrapped = own.length > 0 && own.every(([path]) => path.startsWith(`${top}/`));
  return new Map(isWrapped ? own.map(([path, bytes]) => [path.slice(top!.length + 1), bytes]) : own);
}
