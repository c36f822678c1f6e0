import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from '../program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';
import type { ProjectSettings } from './project-schema.ts';

export interface Project extends ProjectSettings {
  /** Path of the file. */
  file: string;
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
 * Why a project file is not read, and what to do about it. Its author decides what is sent where, so it must
 * belong to the caller, as git requires of a repository, or to root, who can do all that the caller can.
 */
function distrust(file: string, { uid, mode }: Stats): string | undefined {
  // Windows has neither owner nor mode.
  const caller = process.geteuid?.();
  if (caller === undefined) return undefined;
  const owners = [0, caller, ...(caller === 0 && process.env.SUDO_UID ? [Number(process.env.SUDO_UID)] : [])];
  const instead = 'or set its values with flags or variables, such as --space or DOCSCTL_SPACE';
  if (!owners.includes(uid))
    return `${file} belongs to another user (${uid}) and is not read. If you trust it, make it yours with "chown ${caller}", ${instead}.`;
  if ((mode & 0o002) !== 0)
    return `${file} can be written by every user and is not read. If you trust it, run "chmod o-w" on it, ${instead}.`;
  return undefined;
}

/** Such a link could point to any other file of the caller, and errors quote what is in it. */
function isLinkOutOfProject(file: string): boolean {
  return resolveInside(projectRoot(dirname(file)), file) === undefined;
}

/** @throws UsageError for what cannot be read */
function textOf(file: string): { text: string } | { distrusted: string } {
  let descriptor: number | undefined;
  try {
    if (isLinkOutOfProject(file)) return { distrusted: `${file} is a link out of its project and is not read.` };
    // Opening a pipe that has no writer would block.
    descriptor = openSync(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    const distrusted = distrust(file, stats);
    if (distrusted !== undefined) return { distrusted };
    if (!stats.isFile() && !stats.isDirectory()) throw new Error('it is not a regular file');
    return { text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${fileReason(error)}.`,
      'Check its permissions, or remove it.',
      'invalid-project-file',
    );
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/**
 * @param note called with the reason if a file is not read
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
