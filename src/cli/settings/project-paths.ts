import { dirname, resolve } from 'node:path';
import { isHiddenBelow } from '../../content/folder/linked-file.ts';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';
import { UsageError } from '../program/failure.ts';
import type { Project } from './project.ts';

/**
 * The real path of a path in the project file. The file may be part of a cloned repository, so it must not refer to
 * folders outside of it.
 *
 * @param entry its name in messages: `content[0].path`
 * @throws UsageError if it is outside of the project or in a hidden folder
 */
export function projectPath({ file }: Project, entry: string, path: string): string {
  const folder = dirname(file);
  const root = projectRoot(folder);
  const real = resolveInside(root, resolve(folder, path));
  const hint = 'To use it anyway, pass it on the command line.';
  if (real === undefined)
    throw new UsageError(`${file}: ${entry} "${path}" is outside of the project's root ${root}.`, hint);
  if (isHiddenBelow([folder, root], real))
    throw new UsageError(`${file}: ${entry} "${path}" is in a hidden folder.`, hint);
  return real;
}
