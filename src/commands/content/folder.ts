import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { projectPath } from '../../cli/settings/project-paths.ts';
import { isMarkdown, toolFolders } from '../../content/sync/file-names.ts';
import { type Folder, hashOf, type LocalFolder } from '../../content/sync/folder.ts';
import { readFolder } from '../../content/sync/read-folder.ts';
import { SettingsError } from '../../content/sync/folder-settings.ts';
import { resolveInside } from '../../shared/project-root.ts';
import { linkedFiles } from './links.ts';

/** A folder of Markdown on this machine, and the space it belongs to. */
export interface Docs {
  /** As it was named. */
  name: string;
  path: string;
  space?: string;
}

/** The folder that is named, or those of the project file. @throws UsageError where there is neither */
export async function docsOf({ args, session }: Invocation): Promise<Docs[]> {
  if (typeof args.folder === 'string') return [{ name: args.folder, path: resolve(args.folder) }];
  const project = await session.project();
  if (!project?.content?.length) {
    throw new UsageError(
      '<folder> is missing.',
      'Name a folder of Markdown, or list folders under "content:" in .docsctl.yaml.',
    );
  }
  if (project.root !== undefined) projectPath(project, 'root', project.root);
  return project.content.map(({ path, root, space }, at) => {
    const name = root === undefined ? path : join(path, root);
    const real = projectPath(project, `content[${at}].path`, path);
    return {
      name,
      path: root === undefined ? real : projectPath(project, `content[${at}].root`, name),
      ...(space === undefined ? {} : { space }),
    };
  });
}

/**
 * Reads what of a folder matters; an empty one where it is not there and need not be.
 *
 * @throws UsageError where it is no folder, or its settings name another one
 */
export async function readLocal({ name, path }: Docs, { mustExist = true } = {}): Promise<LocalFolder> {
  const found = await stat(path).catch(() => undefined);
  if (!found && !mustExist) return readFolder(new Map());
  if (!found?.isDirectory()) {
    throw new UsageError(found ? `${name} is no folder.` : `${name} is not there.`, 'Name a folder of Markdown files.');
  }
  const { files, links, others } = await entriesIn(path);
  const folder = new Map(files.map((file) => [file, empty]));
  const texts = files.filter((file) => isMarkdown(file) || /\.(?:docsctl|gitbook)\.ya?ml$/i.test(file));
  await eachOf(texts, async (file) => void folder.set(file, await readFile(join(path, file))));
  const local = parsed(name, folder);
  const at = join(path, local.root);
  // A pull writes there.
  if (resolveInside(path, at) === undefined)
    throw new UsageError(`${name}: root "${local.root}" is a symbolic link that leads out of the folder.`);
  // Only what the pages show is read: a folder may hold much else.
  const shown = await Promise.all(
    local.files.map(async (file) => {
      const bytes = await readFile(join(at, file.path));
      return { path: file.path, bytes, hash: hashOf(bytes) };
    }),
  );
  const beyond = await linkedFiles(at, { links: below(links, local.root), others: below(others, local.root) }, local);
  return {
    ...local,
    files: [...shown, ...beyond.files].toSorted((one, other) => (one.path < other.path ? -1 : 1)),
    problems: [...local.problems, ...beyond.problems],
  };
}

const empty = new Uint8Array();

/** Of these paths those below a folder, counted from there. */
const below = (paths: readonly string[], folder: string) =>
  folder === ''
    ? paths
    : paths.flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []));

function parsed(name: string, folder: Folder): LocalFolder {
  try {
    return readFolder(folder);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    throw new UsageError(`${name}/${error.message}`, 'Name a folder inside, or none.');
  }
}

interface Entries {
  files: string[];
  /** Symbolic links, to files and folders. */
  links: string[];
  /** Pipes, devices, sockets. */
  others: string[];
}

/** What lies below a folder, with `/` between names. Symbolic links are not followed: they may lead anywhere. */
async function entriesIn(path: string): Promise<Entries> {
  const entries: Entries = { files: [], links: [], others: [] };
  const walk = async (below: string) => {
    for (const entry of await readdir(join(path, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
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

const readers = 16;

/** Runs work for each item, a few at a time. */
export async function eachOf<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
  most = readers,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++]!);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
}
