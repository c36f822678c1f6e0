import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHidden, isMarkdown, isMdx, toolFolders } from '../content/folder/file-names.ts';
import { settingsFiles } from '../content/folder/folder-settings.ts';
import {
  type Folder,
  hashOf,
  type LocalFile,
  type LocalFolder,
  missingFiles,
  type Problem,
} from '../content/folder/folder.ts';
import { judgeLink, type LinkedFile } from '../content/folder/linked-file.ts';
import { conflictLine, conflictMessage, conflictRule } from '../shared/conflict-marks.ts';
import { eachOf } from '../shared/each-of.ts';
import { EngineError } from '../shared/engine-error.ts';
import { projectRoot, resolveInside } from '../shared/project-root.ts';
import { visible } from '../shared/visible.ts';
import type { FolderTexts } from './folder-texts.ts';

/** A folder of Markdown on this machine, and the space it belongs to. */
export interface Docs {
  /** The path as it was given. */
  name: string;
  path: string;
  space?: string;
}

/**
 * Reads the pages of a folder and the files that they use. A folder that does not exist is empty, unless it must exist.
 *
 * @throws EngineError where it is not a folder, or its settings name a folder outside of it
 */
export async function readLocal(
  texts: FolderTexts,
  { name, path }: Docs,
  { mustExist = true, mdx = false }: { mustExist?: boolean; mdx?: boolean | undefined } = {},
): Promise<LocalFolder> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats && !mustExist) return parsed(texts, name, { folder: new Map() });
  if (!stats?.isDirectory()) {
    const problem = stats ? 'is not a folder' : 'does not exist';
    throw new EngineError('usage', `${name} ${problem}.`, { hint: 'Name a folder of Markdown files.' });
  }
  const { files, links, others } = await entriesIn(path);
  const folder = new Map(files.map((file) => [file, empty]));
  const pages = files.filter(
    (file) => isMarkdown(file) || (mdx && isMdx(file)) || /\.(?:docsctl|gitbook)\.ya?ml$/i.test(file),
  );
  await eachOf(pages, async (file) => void folder.set(file, await readFile(join(path, file))), maxReaders);
  const local = await parsed(texts, name, { folder, mdx });
  const root = join(path, local.root);
  // A pull would write outside of the folder.
  if (resolveInside(path, root) === undefined) {
    throw new EngineError('usage', `${name}: root "${local.root}" is a symbolic link that leads out of the folder.`);
  }
  // Only the files that pages use are read: a folder may hold many others.
  const usedFiles: LocalFile[] = [];
  await eachOf(
    local.files,
    async ({ path: file }) => {
      const bytes = await readFile(join(root, file));
      usedFiles.push({ path: file, bytes, hash: hashOf(bytes) });
    },
    maxReaders,
  );
  const irregular = { links: below(links, local.root), others: below(others, local.root) };
  const beyond = await linkedFiles(texts, join(name, local.root), { path: root, local, ...irregular });
  return {
    ...local,
    files: [...usedFiles, ...beyond.files].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    problems: [...local.problems, ...beyond.problems, ...usedFiles.flatMap(conflictsIn)],
  };
}

/** Pages have been searched already. */
function conflictsIn({ path: file, bytes }: LocalFile): Problem[] {
  const line = /\.(?:ya?ml|json|csv)$/i.test(file) ? conflictLine(Buffer.from(bytes).toString()) : undefined;
  return line === undefined ? [] : [{ file, line, rule: conflictRule, message: conflictMessage }];
}

/** @throws EngineError with the files that have conflict marks: nobody meant to publish these */
export function refuseConflictMarks({ name }: Docs, { root, problems }: LocalFolder): void {
  const places = problems.flatMap(({ rule, file, line }) =>
    rule === conflictRule ? `${join(name, settingsFiles.includes(file) ? '' : root, file)}:${line}` : [],
  );
  if (places.length === 0) return;
  const text = [`${conflictMessage} Nothing was sent.`, ...places.map((place) => `  ${visible(place)}`)].join('\n');
  throw new EngineError('refused', text, {
    hint: 'If they are an example, put all of them into one fenced code block.',
  });
}

const empty = new Uint8Array();
const maxReaders = 16;

/** The paths that lie below a folder, relative to it. */
const below = (paths: readonly string[], folder: string) =>
  folder === ''
    ? paths
    : paths.flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));

async function parsed(
  texts: FolderTexts,
  name: string,
  input: { folder: Folder; mdx?: boolean },
): Promise<LocalFolder> {
  const work = { folder: name, texts: [...input.folder.values()] };
  const { local, problem } = await texts.run('readFolder', input, work);
  if (problem !== undefined)
    throw new EngineError('usage', `${name}/${problem}`, { hint: 'Name a folder inside it, or none.' });
  return local;
}

interface Entries {
  files: string[];
  /** Symbolic links, to files and folders. */
  links: string[];
  /** Pipes, devices, sockets. */
  others: string[];
}

/** All below a folder, as paths with `/`. Symbolic links are not followed: they may lead anywhere. */
async function entriesIn(path: string): Promise<Entries> {
  const entries: Entries = { files: [], links: [], others: [] };
  const walk = async (folder: string) => {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (toolFolders.has(entry.name)) continue;
      if (entry.isDirectory()) await walk(name);
      else if (entry.isFile()) entries.files.push(name);
      else if (entry.isSymbolicLink()) entries.links.push(name);
      else entries.others.push(name);
    }
  };
  await walk('');
  entries.files.sort();
  return entries;
}

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
