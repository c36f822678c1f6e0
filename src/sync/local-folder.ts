import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { visible } from '../cli/output/index.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../cli/program/failure.ts';
import type { Invocation } from '../cli/command/command.ts';
import { scopeOf } from '../cli/command/invocation.ts';
import { projectPath } from '../commands/shared/project-paths.ts';
import { isMarkdown, isMdx, toolFolders } from '../content/folder/file-names.ts';
import { type Folder, hashOf, type LocalFile, type LocalFolder, type Problem } from '../content/folder/folder.ts';
import { settingsFiles } from '../content/folder/folder-settings.ts';
import { conflictLine, conflictMessage, conflictRule } from '../shared/conflict-marks.ts';
import { eachOf } from '../shared/each-of.ts';
import { resolveInside } from '../shared/project-root.ts';
import type { FolderTexts } from './folder-texts.ts';
import { linkedFiles } from './links.ts';

/** A folder of Markdown on this machine, and the space it belongs to. */
export interface Docs {
  /** The path as it was given. */
  name: string;
  path: string;
  space?: string;
}

/** The folder that is named, or those of the project file. @throws UsageError where there is neither */
export async function docsOf({
  args,
  session,
}: Pick<Invocation<{ folder?: string | undefined }, {}>, 'args' | 'session'>): Promise<Docs[]> {
  if (args.folder !== undefined) return [{ name: args.folder, path: resolve(args.folder) }];
  const project = await session.project();
  if (!project?.content?.length) {
    throw new UsageError(
      '<folder> is missing.',
      'Name a folder of Markdown, or list folders under "content:" in .docsctl.yaml.',
    );
  }
  if (project.root !== undefined) projectPath(project, 'root', project.root);
  return project.content.map(({ path, root, space }, index) => {
    const name = root === undefined ? path : join(path, root);
    const real = projectPath(project, `content[${index}].path`, path);
    return {
      name,
      path: root === undefined ? real : projectPath(project, `content[${index}].root`, name),
      ...(space === undefined ? {} : { space }),
    };
  });
}

/** The space that a folder belongs to: that of --space, else its own in the project file, else the default. @throws UsageError */
export async function spaceOf(invocation: Invocation<Invocation['args'], {}>, { space }: Docs): Promise<string> {
  const file = (await invocation.session.project())?.file ?? '';
  const own = space === undefined ? undefined : { value: space, origin: 'project' as const, source: file };
  return scopeOf(invocation, 'space', own);
}

/**
 * The one folder of the project file, else the working directory.
 *
 * @param verb what is to be done with it
 * @throws UsageError where the project names several
 */
export async function oneFolder(invocation: Pick<Invocation, 'session'>, verb: string): Promise<string> {
  const project = await invocation.session.project();
  if (!project?.content?.length) return '.';
  const docs = await docsOf({ session: invocation.session, args: {} });
  const [first, ...others] = docs;
  if (first && others.length === 0) return first.path;
  throw new UsageError(
    `${project.file} names ${docs.length} folders.`,
    `Name the one to ${verb}: ${docs.map(({ name }) => name).join(', ')}.`,
  );
}

/**
 * Reads the pages of a folder and the files that they use. A folder that does not exist is empty, unless it must exist.
 *
 * @throws UsageError where it is not a folder, or its settings name a folder outside of it
 */
export async function readLocal(
  texts: FolderTexts,
  { name, path }: Docs,
  { mustExist = true, mdx = false } = {},
): Promise<LocalFolder> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats && !mustExist) return parsed(texts, name, { folder: new Map() });
  if (!stats?.isDirectory()) {
    const problem = stats ? 'is not a folder' : 'does not exist';
    throw new UsageError(`${name} ${problem}.`, 'Name a folder of Markdown files.');
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
    throw new UsageError(`${name}: root "${local.root}" is a symbolic link that leads out of the folder.`);
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

/** @throws CommandError with the files that have conflict marks: nobody meant to publish these */
export function refuseConflictMarks({ name }: Docs, { root, problems }: LocalFolder): void {
  const places = problems.flatMap(({ rule, file, line }) =>
    rule === conflictRule ? `${join(name, settingsFiles.includes(file) ? '' : root, file)}:${line}` : [],
  );
  if (places.length === 0) return;
  const text = [`${conflictMessage} Nothing was sent.`, ...places.map((place) => `  ${visible(place)}`)].join('\n');
  throw new CommandError(text, {
    exitCode: exit.refused,
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
  if (problem !== undefined) throw new UsageError(`${name}/${problem}`, 'Name a folder inside it, or none.');
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
