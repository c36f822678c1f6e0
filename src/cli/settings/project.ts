import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';

/** What a project file may say. */
export interface Project {
  /** Path of the file. */
  file: string;
  profile?: string;
  org?: string;
  space?: string;
  site?: string;
  /** Folder of the docs, where the file lies beside them. */
  root?: string;
  openapi?: { slug?: string; path: string }[];
  content?: { space?: string; path: string; root?: string }[];
}

export const projectFileName = '.docsctl.yaml';

/** The nearest project file at or above a folder. */
export function findProjectFile(from = process.cwd()): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const file = join(folder, projectFileName);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Why a file is not taken for a project file, and what to do about it: who can write it chooses what is sent where, so it
 * has to be the caller's own, as git asks of a repository. Root's is as good, as root can do all the caller can.
 */
function distrust(file: string, { uid, mode }: Stats): string | undefined {
  // Windows tells neither owner nor mode.
  const caller = process.geteuid?.();
  if (caller === undefined) return undefined;
  const owners = [0, caller, ...(caller === 0 && process.env.SUDO_UID ? [Number(process.env.SUDO_UID)] : [])];
  const instead = 'or give what it says with flags or variables, such as --space or DOCSCTL_SPACE';
  if (!owners.includes(uid))
    return `${file} belongs to another user (${uid}) and is not read. If you trust it, make it yours with "chown ${caller}", ${instead}.`;
  if ((mode & 0o002) !== 0)
    return `${file} can be written by every user and is not read. If you trust it, run "chmod o-w" on it, ${instead}.`;
  return undefined;
}

/** A link could lead to a file that is the caller's and no project file, and errors quote what is in it. */
function leadsAway(file: string): boolean {
  return resolveInside(projectRoot(dirname(file)), file) === undefined;
}

/** @throws UsageError for what cannot be read */
function textOf(file: string): { text: string } | { distrusted: string } {
  let descriptor: number | undefined;
  try {
    if (leadsAway(file)) return { distrusted: `${file} is a link out of its project and is not read.` };
    // A pipe without a writer must not hold the command up.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    const distrusted = distrust(file, stats);
    if (distrusted !== undefined) return { distrusted };
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is no regular file');
    return { text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}.`, 'Check its permissions, or remove it.');
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * @param note is told why a file is not read
 * @param from the folder to begin in
 * @throws UsageError that names the file and what is wrong in it
 */
export async function readProject(note: (text: string) => Promise<void>, from?: string): Promise<Project | undefined> {
  const file = findProjectFile(from);
  if (file === undefined) return undefined;
  const read = textOf(file);
  if ('distrusted' in read) {
    await note(read.distrusted);
    return undefined;
  }
  const { parseProject } = await import('./project-schema.ts');
  return { file, ...parseProject(file, read.text) };
}
