import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { resolveInside } from '../../shared/project-root.ts';
import { isHidden } from './file-names.ts';

/** The target of a symbolic link, or why it must not be read. */
export type LinkedFile =
  | { real: string; refusal?: undefined }
  | { real?: undefined; refusal: 'outside' | 'hidden' | 'missing' | 'folder' | 'irregular' };

/**
 * Checks the real path of a file behind symbolic links, because everyone who can open a pull request can add a link to a
 * file with secrets.
 *
 * @param folders The target must be inside the last one. Whether it is hidden depends on its path in the first one that
 *   contains it.
 */
export function judgeLink(folders: readonly [string, ...string[]], path: string): LinkedFile {
  const real = resolveInside(folders.at(-1) ?? folders[0], path);
  if (real === undefined) return { refusal: 'outside' };
  const stats = statSync(real, { throwIfNoEntry: false });
  if (!stats) return { refusal: 'missing' };
  if (stats.isDirectory()) return { refusal: 'folder' };
  if (!stats.isFile()) return { refusal: 'irregular' };
  return isHiddenBelow(folders, real) ? { refusal: 'hidden' } : { real };
}

/** Whether a real path is hidden, relative to the first of these folders that contains it. */
export function isHiddenBelow(folders: readonly string[], real: string): boolean {
  const base = folders.find((folder) => resolveInside(folder, real) !== undefined);
  const inner = base === undefined ? real : relative(realpathSync(base), real);
  return inner !== '' && isHidden(inner.split(sep).join('/'));
}
