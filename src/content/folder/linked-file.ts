import { realpathSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { resolveInside } from '../../shared/project-root.ts';
import { isHidden } from './file-names.ts';

/** The file that a symbolic link leads to, or why that file must not be read. */
export type LinkedFile =
  | { real: string; refusal?: undefined }
  | { real?: undefined; refusal: 'outside' | 'hidden' | 'missing' | 'folder' | 'irregular' };

/**
 * Decides by the real path whether a file behind symbolic links may be read: anybody who can open a pull request can add
 * a link to a file with secrets.
 *
 * @param folders The link may lead anywhere inside the last of them. Hidden files are those that are hidden below the
 *   first that contains the real path.
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

/** Whether a real path is that of a hidden file or folder, relative to the first of these folders that contains it. */
export function isHiddenBelow(folders: readonly string[], real: string): boolean {
  const base = folders.find((folder) => resolveInside(folder, real) !== undefined);
  const inner = base === undefined ? real : relative(realpathSync(base), real);
  return inner !== '' && isHidden(inner.split(sep).join('/'));
}
