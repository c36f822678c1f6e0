import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isHidden, isMarkdown, isMdx, toolFolders } from '../content/folder/file-names.ts';
import { settingsFiles } from '../content/folder/folder-settings.ts';
import type { ReadOptions } from '../content/folder/read-folder.ts';
import {
  type Folder,
  hashOf,
  type LocalFile,
  type LocalFolder,
  missingFiles,
  type OnFile,
  type Problem,
} from '../content/folder/folder.ts';
import { judgeLink } from '../content/folder/linked-file.ts';
import { conflictLine, conflictMessage, conflictRule, unmergedMessage } from '../shared/conflict-marks.ts';
import type { Docs } from '../shared/docs.ts';
import { eachOf } from '../shared/each-of.ts';
import { EngineError } from '../shared/engine-error.ts';
import { type Unmerged, unmergedFiles } from '../shared/git.ts';
import { threadProgram } from '../shared/program-files.ts';
import { projectRoot, resolveInside } from '../shared/project-root.ts';
import { visible } from '../shared/visible.ts';
import { mayTakeLonger } from '../threads/size.ts';
import type { CallableTasks, TaskInput, TaskName, TaskOutput } from '../threads/tasks.ts';
import type { TaskLimits, TaskWorker } from '../threads/worker.ts';
import type { folderTasks } from './tasks.ts';

export type { Docs };

const maxReaders = 16;
const empty = new Uint8Array();

export interface ReadLocalOptions extends Pick<ReadOptions, 'mdx' | 'keepsUnreadable'> {
  mustExist?: boolean;
  /** The files that Git has not finished merging. @param path of the folder */
  unmergedIn?: (path: string) => Promise<Unmerged>;
}

/**
 * Reads the pages of a folder and the files that they use. A missing folder is empty unless it must exist.
 *
 * @throws EngineError if it is not a folder, or its settings name a folder outside of it
 */
export async function readLocal(
  texts: FolderTexts,
  { name, path }: Docs,
  { mustExist = true, unmergedIn = unmergedFiles, ...options }: ReadLocalOptions = {},
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
    (file) => isMarkdown(file) || (options.mdx && isMdx(file)) || /\.(?:docsctl|gitbook)\.ya?ml$/i.test(file),
  );
  await eachOf(pages, async (file) => void folder.set(file, await readFile(join(path, file))), maxReaders);
  const local = await parsed(texts, name, { folder, ...options });
  const root = join(path, local.root);
  // A pull would write outside of the folder.
  if (resolveInside(path, root) === undefined) {
    throw new EngineError('usage', `${name}: root "${local.root}" is a symbolic link that leads out of the folder.`);
  }
  // A folder may contain many other files, so only those that pages use are read.
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
  const linked = await linkedFiles(texts, join(name, local.root), { path: root, local, ...irregular });
  const { files: unmerged, problem } = await unmergedIn(path);
  const inMerge = [...below(unmerged, local.root), ...unmerged.filter((file) => settingsFiles.includes(file))];
  return {
    ...local,
    files: [...usedFiles, ...linked.files].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    problems: [
      ...local.problems,
      ...linked.problems,
      ...usedFiles.flatMap(conflictsIn),
      ...(problem === undefined ? [] : [{ file: '', message: problem }]),
      ...[...new Set(inMerge)].map((file) => ({ file, rule: conflictRule, message: unmergedMessage })),
    ],
    unreadable: [...local.unreadable, ...irregular.links.flatMap((link) => (isHidden(link) ? [] : [link, `${link}/`]))],
  };
}

/** Conflict marks in a file that is not a page. Those in pages are found when the pages are parsed. */
function conflictsIn({ path: file, bytes }: LocalFile): Problem[] {
  const line = /\.(?:ya?ml|json|csv)$/i.test(file) ? conflictLine(Buffer.from(bytes).toString()) : undefined;
  return line === undefined ? [] : [{ file, line, rule: conflictRule, message: conflictMessage }];
}

/** @throws EngineError that lists the files with merge conflicts: publishing these is never intended */
export function refuseMergeConflicts({ name }: Docs, { root, problems }: LocalFolder): void {
  const conflicts = problems.filter(({ rule }) => rule === conflictRule);
  const marked = conflicts.filter(({ line }) => line !== undefined);
  const [message, hint] =
    marked.length > 0
      ? [conflictMessage, 'If they are an example, put all of them into one fenced code block.']
      : [unmergedMessage, '"git status" shows how to finish or cancel the merge.'];
  const places = (marked.length > 0 ? marked : conflicts).map(({ file, line }) => {
    const path = join(name, settingsFiles.includes(file) ? '' : root, file);
    return `  ${visible(line === undefined ? path : `${path}:${line}`)}`;
  });
  if (places.length > 0)
    throw new EngineError('refused', [`${message} Nothing was sent.`, ...places].join('\n'), { hint });
}

/** The paths below a folder, relative to it. */
export const below = (paths: readonly string[], folder: string) =>
  folder === ''
    ? paths
    : paths.flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));

async function parsed(texts: FolderTexts, name: string, input: { folder: Folder } & ReadOptions): Promise<LocalFolder> {
  const work = { folder: name, texts: [...input.folder.values()] };
  const { local, problem } = await texts.run('readFolder', input, work);
  if (problem !== undefined)
    throw new EngineError('usage', `${name}/${problem}`, { hint: 'Name a folder inside it, or none.' });
  return local;
}

interface IrregularFiles {
  /** Symbolic links to files and folders. */
  links: readonly string[];
  /** Pipes, devices, sockets. */
  others: readonly string[];
}

/** All paths below a folder, with `/`. Symbolic links are not followed, because they may lead anywhere. */
async function entriesIn(path: string): Promise<IrregularFiles & { files: string[] }> {
  const [files, links, others]: [string[], string[], string[]] = [[], [], []];
  const walk = async (folder: string) => {
    for (const entry of await readdir(join(path, folder), { withFileTypes: true })) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (toolFolders.has(entry.name)) continue;
      if (entry.isDirectory()) await walk(name);
      else (entry.isFile() ? files : entry.isSymbolicLink() ? links : others).push(name);
    }
  };
  await walk('');
  return { files: files.toSorted(), links, others };
}

/**
 * The files that pages link to through symbolic links that stay inside the project. The problems list the files that are
 * skipped, and symbolic links to pages.
 */
async function linkedFiles(
  texts: FolderTexts,
  name: string,
  { path, local, links, others }: IrregularFiles & { path: string; local: LocalFolder },
): Promise<{ files: LocalFile[]; problems: Problem[] }> {
  const missing = new Set(missingFiles(local).map((link) => link.path));
  if (links.length === 0 && others.length === 0 && missing.size === 0) return { files: [], problems: [] };
  const project = projectRoot(path);
  const files: LocalFile[] = [];
  const reasons = new Map<string, string>();
  for (const target of new Set(local.unresolved.map((link) => link.path))) {
    if (missing.has(target)) reasons.set(target, 'is not in the folder');
    if (others.includes(target)) reasons.set(target, 'is not a regular file and is skipped');
    if (!links.some((link) => target === link || target.startsWith(`${link}/`))) continue;
    const { real, refusal } = judgeLink([path, project], join(path, target));
    const reason = refusal && refusalReasons[refusal];
    if (reason !== undefined) reasons.set(target, `${reason} and is skipped`);
    else if (real !== undefined && !isMarkdown(target)) {
      reasons.delete(target);
      const bytes = await readFile(real);
      files.push({ path: target, bytes, hash: hashOf(bytes) });
    }
  }
  const problems = await pagesBehind(project, path, links);
  return { files, problems: [...problems, ...(await problemsOf(texts, name, local, reasons))] };
}

const refusalReasons = {
  outside: 'is a symbolic link that leads out of the project',
  hidden: 'is a hidden file',
  missing: undefined,
  folder: undefined,
  irregular: 'is not a regular file',
} as const;

async function problemsOf(
  folderTexts: FolderTexts,
  name: string,
  { pages, includes, unresolved }: LocalFolder,
  reasons: ReadonlyMap<string, string>,
): Promise<Problem[]> {
  const texts = new Map([...pages, ...includes].map(({ file, text }) => [file, text ?? '']));
  const byFile = Map.groupBy(
    unresolved.filter(({ path }) => reasons.has(path)),
    ({ file }) => file,
  );
  const linking = [...byFile].map(([file, links]) => ({
    file,
    text: texts.get(file) ?? '',
    urls: links.map(({ url }) => url),
  }));
  const work = { folder: name, texts: linking.map(({ text }) => text) };
  const linesByFile = await folderTexts.run('linesOf', linking, work);
  return linesByFile.flatMap(({ file, lines }) => {
    const urls = new Map(byFile.get(file)?.map(({ url, path }) => [url, path]));
    return [...lines].map(([url, line]) => ({ file, line, message: `${url} ${reasons.get(urls.get(url) ?? '')}.` }));
  });
}

/** Symbolic links to pages. They are skipped, because the folder may contain these pages already. */
async function pagesBehind(project: string, path: string, links: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  for (const file of links) {
    if (isHidden(file)) continue;
    const real = resolveInside(project, join(path, file));
    const names = real === undefined ? [] : await readdir(real).catch(() => []);
    if (isMarkdown(file)) problems.push({ file, message: 'The page is a symbolic link and is skipped.' });
    else if (names.some(isMarkdown)) {
      problems.push({ file, message: 'The folder is a symbolic link; the pages in it are skipped.' });
    }
  }
  return problems;
}

type FolderTasks = typeof folderTasks;

/** The time applies to one file: the service has a lower limit for a text. The memory applies to all files together. */
const limits: TaskLimits = { timeMs: 20_000, memoryBytes: 3 * 2 ** 30 };
/** Little outlives its page, so more memory for new objects saves no time. */
const sizes = { heapMegabytes: 4_096, youngMegabytes: 8 };
/** How long Ctrl-C may have no effect. Starting a worker takes 100 ms, which small folders save. */
const longestHereMs = 5_000;

interface Work {
  /** For messages: the steps of the task are files in this folder. */
  folder: string;
  /** What the task parses. */
  texts: readonly (string | Uint8Array | null)[];
}

/** A task that parses the pages of a folder and these texts. */
export const workOn = (
  { docs, local }: { docs: Docs; local: LocalFolder },
  texts: Iterable<string | null> = [],
): Work => ({ folder: join(docs.name, local.root), texts: [...local.pages.map(({ text }) => text), ...texts] });

/**
 * Parses the pages of folders: a few in this thread, more in a worker, where Ctrl-C has an effect and a page that takes too
 * long is reported by name.
 */
export class FolderTexts {
  readonly #signal: AbortSignal;
  #worker: TaskWorker<FolderTasks> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** @throws EngineError if a limit is exceeded; AbortError when the command is interrupted */
  async run<N extends TaskName<FolderTasks>>(
    name: N,
    input: TaskInput<FolderTasks, N>,
    { folder, texts }: Work,
  ): Promise<TaskOutput<FolderTasks, N>> {
    const isLong = mayTakeLonger(
      longestHereMs,
      texts.filter((text) => text !== null),
    );
    let file = '';
    const onFile = (next: string) => void (file = next);
    try {
      if (isLong) return await this.#runInWorker(name, input, onFile);
      const tasks: CallableTasks<FolderTasks> = (await import('./tasks.ts')).folderTasks;
      return await tasks[name](input, onFile);
    } catch (error) {
      const { limitExceeded } = await import('../threads/failures.ts');
      const exceeded = limitExceeded(error);
      if (!exceeded) throw error;
      throw new EngineError('refused', `${join(folder, file)} ${exceeded.message}`);
    }
  }

  /** Terminates the worker. */
  close(): void {
    void this.#worker?.end();
  }

  async #runInWorker<N extends TaskName<FolderTasks>>(name: N, input: TaskInput<FolderTasks, N>, onFile: OnFile) {
    const { TaskWorker } = await import('../threads/worker.ts');
    const thread = threadProgram(import.meta.filename, 'folder-thread.ts', 'folder-thread.cjs');
    this.#signal.throwIfAborted();
    // A worker that exceeded a limit accepts no more tasks.
    if (!this.#worker || this.#worker.isEnding) this.#worker = new TaskWorker<FolderTasks>(thread, sizes);
    const worker = this.#worker;
    const stop = () => void worker.end(new DOMException('Interrupted.', 'AbortError'));
    this.#signal.addEventListener('abort', stop);
    try {
      return await worker.run(name, input, limits, onFile);
    } finally {
      this.#signal.removeEventListener('abort', stop);
    }
  }
}
