import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UsageError } from './failure.ts';
import { fileReason } from './file.ts';

/** What a project file may say. */
export interface Project {
  /** Path of the file. */
  file: string;
  profile?: string;
  org?: string;
  space?: string;
  site?: string;
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

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${fileReason(error)}.`, 'Check its permissions, or remove it.');
  }
}

/** @throws UsageError that names the file and what is wrong in it */
export async function readProject(from?: string): Promise<Project | undefined> {
  const file = findProjectFile(from);
  if (file === undefined) return undefined;
  const { parseProject } = await import('./project-schema.ts');
  return { file, ...parseProject(file, textOf(file)) };
}
