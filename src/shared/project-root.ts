import { existsSync, readlinkSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { codeOf } from './error-text.ts';

/** As many links in a row as Linux follows. */
const maxLinks = 40;

/**
 * The root of the project a folder belongs to: the nearest folder, itself or above, that contains `.git` (a file in
 * worktrees and submodules), else the folder itself. A real path.
 */
export function projectRoot(start: string): string {
  const folder = realPath(start, 0) ?? resolve(start);
  for (let ancestor = folder; ; ancestor = dirname(ancestor)) {
    if (existsSync(join(ancestor, '.git'))) return ancestor;
    if (dirname(ancestor) === ancestor) return folder;
  }
}

/**
 * The real path of `path`, resolved against `root`; for a path that does not exist yet, the real path of its longest
 * existing part, followed by the rest. Undefined if it is outside of `root`, or if that is unknown: a symbolic link
 * loop, a folder without permission.
 */
export function resolveInside(root: string, path: string): string | undefined {
  const real = realPath(resolve(root, path), 0);
  const realRoot = realPath(root, 0);
  return real !== undefined && realRoot !== undefined && isInside(realRoot, real) ? real : undefined;
}

/** Compares paths as text: both have to be real paths. */
function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function realPath(path: string, links: number): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    const code = codeOf(error);
    if ((code !== 'ENOENT' && code !== 'ENOTDIR') || links > maxLinks) return undefined;
  }
  const parent = dirname(path);
  if (parent === path) return undefined;
  const target = linkTarget(path);
  // A link to a path that does not exist can lead outside too: a file could be written through it.
  if (target !== undefined) return realPath(resolve(realPath(parent, links + 1) ?? parent, target), links + 1);
  const above = realPath(parent, links);
  return above === undefined ? undefined : join(above, basename(path));
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
