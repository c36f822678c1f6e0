import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHiddenBelow } from '../../cli/settings/project-paths.ts';
import { isHidden, isMarkdown } from '../../content/sync/file-names.ts';
import { hashOf, type LocalFile, type LocalFolder, type Problem } from '../../content/sync/folder.ts';
import { linesOf, missingFiles } from '../../content/sync/local-links.ts';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';

/** What of a folder is no regular file, by paths from the docs' root. */
export interface Irregular {
  links: readonly string[];
  /** Pipes, devices, sockets. */
  others: readonly string[];
}

/**
 * The files that pages link to by way of symbolic links, as far as these stay inside the project. What is left out is
 * among the problems, and so are symbolic links that pages lie behind.
 *
 * @param path of the docs' root
 */
export async function linkedFiles(
  path: string,
  { links, others }: Irregular,
  local: LocalFolder,
): Promise<{ files: LocalFile[]; problems: Problem[] }> {
  const missing = new Set(missingFiles(local).map((link) => link.path));
  if (links.length === 0 && others.length === 0 && missing.size === 0) return { files: [], problems: [] };
  const top = projectRoot(path);
  const files: LocalFile[] = [];
  const faults = new Map<string, string>();
  for (const target of new Set(local.unresolved.map((link) => link.path))) {
    if (missing.has(target)) faults.set(target, 'is not in the folder');
    if (others.includes(target)) faults.set(target, 'is no regular file and is left out');
    if (!links.some((link) => target === link || target.startsWith(`${link}/`))) continue;
    const read = await readInside(top, path, join(path, target));
    if (typeof read === 'string') faults.set(target, `${read} and is left out`);
    else if (read && !isMarkdown(target)) {
      faults.delete(target);
      files.push({ path: target, bytes: read, hash: hashOf(read) });
    }
  }
  return { files, problems: [...(await pagesBehind(top, path, links)), ...problemsOf(local, faults)] };
}

/** The bytes of a file that a symbolic link leads to, or why they are left out; undefined where there is no file. */
async function readInside(top: string, path: string, file: string): Promise<Uint8Array | string | undefined> {
  const real = resolveInside(top, file);
  if (real === undefined) return 'is a symbolic link that leads out of the project';
  const found = await stat(real).catch(() => undefined);
  if (!found || found.isDirectory()) return undefined;
  if (!found.isFile()) return 'is no regular file';
  return isHiddenBelow([path, top], real) ? 'is a hidden file' : readFile(real);
}

function problemsOf({ pages, unresolved }: LocalFolder, faults: ReadonlyMap<string, string>): Problem[] {
  const texts = new Map(pages.map(({ file, text }) => [file, text]));
  const faulty = Map.groupBy(
    unresolved.filter(({ path }) => faults.has(path)),
    ({ file }) => file,
  );
  return [...faulty].flatMap(([file, links]) => {
    const urls = new Map(links.map(({ url, path }) => [url, path]));
    const lines = linesOf(texts.get(file) ?? '', [...urls.keys()]);
    return [...lines].map(([url, line]) => ({
      file,
      line,
      message: `${url} ${faults.get(urls.get(url) ?? '')}.`,
    }));
  });
}

/** Pages are not taken from behind symbolic links: they could be there a second time. */
async function pagesBehind(top: string, path: string, links: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of links) {
    if (isHidden(file)) continue;
    const real = resolveInside(top, join(path, file));
    const names = real === undefined ? [] : await readdir(real).catch(() => []);
    if (isMarkdown(file)) problems.push({ file, message: 'The page is a symbolic link and is left out.' });
    else if (names.some(isMarkdown))
      problems.push({ file, message: 'The folder is a symbolic link; the pages in it are left out.' });
  }
  return problems;
}
