import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isHidden, isMarkdown } from '../content/folder/file-names.ts';
import { hashOf, type LocalFile, type LocalFolder, missingFiles, type Problem } from '../content/folder/folder.ts';
import { judgeLink, type LinkedFile } from '../content/folder/linked-file.ts';
import { projectRoot, resolveInside } from '../shared/project-root.ts';
import type { FolderTexts } from './folder-texts.ts';

export interface LinkingFolder {
  /** Of the root of the docs. */
  path: string;
  local: LocalFolder;
  /** Symbolic links, as paths from the root of the docs. */
  links: readonly string[];
  /** Pipes, devices, sockets. */
  others: readonly string[];
}

/**
 * The files that pages link to through symbolic links that stay inside the project. Files that are left out are among the
 * problems, and so are symbolic links with pages behind them.
 *
 * @param name of the root of the docs, for messages
 */
export async function linkedFiles(
  texts: FolderTexts,
  name: string,
  { path, local, links, others }: LinkingFolder,
): Promise<{ files: LocalFile[]; problems: Problem[] }> {
  const missing = new Set(missingFiles(local).map((link) => link.path));
  if (links.length === 0 && others.length === 0 && missing.size === 0) return { files: [], problems: [] };
  const project = projectRoot(path);
  const files: LocalFile[] = [];
  const reasons = new Map<string, string>();
  for (const target of new Set(local.unresolved.map((link) => link.path))) {
    if (missing.has(target)) reasons.set(target, 'is not in the folder');
    if (others.includes(target)) reasons.set(target, 'is not a regular file and is left out');
    if (!links.some((link) => target === link || target.startsWith(`${link}/`))) continue;
    const read = await readInside(project, path, join(path, target));
    if (typeof read === 'string') reasons.set(target, `${read} and is left out`);
    else if (read && !isMarkdown(target)) {
      reasons.delete(target);
      files.push({ path: target, bytes: read, hash: hashOf(read) });
    }
  }
  const problems = await pagesBehind(project, path, links);
  return { files, problems: [...problems, ...(await problemsOf(texts, name, local, reasons))] };
}

/** The bytes of a file that a symbolic link leads to, or why they are left out; undefined where there is no file. */
async function readInside(project: string, path: string, file: string): Promise<Uint8Array | string | undefined> {
  const { real, refusal } = judgeLink([path, project], file);
  return real === undefined ? refusalReasons[refusal] : readFile(real);
}

const refusalReasons: Readonly<Record<NonNullable<LinkedFile['refusal']>, string | undefined>> = {
  outside: 'is a symbolic link that leads out of the project',
  hidden: 'is a hidden file',
  missing: undefined,
  folder: undefined,
  irregular: 'is not a regular file',
};

async function problemsOf(
  folderTexts: FolderTexts,
  name: string,
  { pages, includes, unresolved }: LocalFolder,
  reasons: ReadonlyMap<string, string>,
): Promise<Problem[]> {
  const texts = new Map([...pages, ...includes].map(({ file, text }) => [file, text]));
  const byFile = Map.groupBy(
    unresolved.filter(({ path }) => reasons.has(path)),
    ({ file }) => file,
  );
  const linking = [...byFile].map(([file, links]) => ({
    file,
    text: texts.get(file) ?? '',
    urls: links.map(({ url }) => url),
  }));
  const linesByFile = await folderTexts.run('linesOf', linking, {
    folder: name,
    texts: linking.map(({ text }) => text),
  });
  return linesByFile.flatMap(({ file, lines }) => {
    const urls = new Map(byFile.get(file)?.map(({ url, path }) => [url, path]));
    return [...lines].map(([url, line]) => ({
      file,
      line,
      message: `${url} ${reasons.get(urls.get(url) ?? '')}.`,
    }));
  });
}

/** Symbolic links with pages behind them. The pages are left out: they could be in the folder a second time. */
async function pagesBehind(project: string, path: string, links: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of links) {
    if (isHidden(file)) continue;
    const real = resolveInside(project, join(path, file));
    const names = real === undefined ? [] : await readdir(real).catch(() => []);
    if (isMarkdown(file)) problems.push({ file, message: 'The page is a symbolic link and is left out.' });
    else if (names.some(isMarkdown)) {
      problems.push({ file, message: 'The folder is a symbolic link; the pages in it are left out.' });
    }
  }
  return problems;
}
