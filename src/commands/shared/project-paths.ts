import { dirname, resolve } from 'node:path';
import { isHiddenBelow } from '../../content/folder/linked-file.ts';
import { projectRoot, resolveInside } from '../../shared/project-root.ts';
import { UsageError } from '../../cli/program/failure.ts';
import type { Project } from '../../cli/settings/project.ts';

/**
 * The real path of a path in the project file. The file may come with a cloned repository, so it must not name folders
 * outside of it.
 *
 * @param entry as messages call it: `content[0].path`
 * @throws UsageError where it lies outside of the project, or in a hidden folder
 */
export function projectPath({ file }: Project, entry: string, path: string): string {
  const folder = dirname(file);
  const root = projectRoot(folder);
  const real = resolveInside(root, resolve(folder, path));
  const hint = 'Name it on the command line if you mean it.';
  if (real === undefined)
    throw new UsageError(`${file}: ${entry} "${path}" lies outside of the project's root ${root}.`, hint);
  if (isHiddenBelow([folder, root], real))
    throw new UsageError(`${file}: ${entry} "${path}" lies in a hidden folder.`, hint);
  return real;
}
