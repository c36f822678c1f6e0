import { relative, sep } from 'node:path';
import type { Port } from '../../client/port.ts';
import { type Unmerged, unmergedFiles } from '../../shared/git.ts';
import { projectRoot } from '../../shared/project-root.ts';
import { below } from '../../sync/local-folder.ts';

/** Asks Git once for all content folders of an organization, unless one is a repository of its own. */
export function unmergedOnce({ path, port }: { path: string; port: Port }): (docs: string) => Promise<Unmerged> {
  const root = projectRoot(path);
  let whole: Promise<Unmerged> | undefined;
  const readWhole = async () => {
    const unmerged = await unmergedFiles(path);
    if (unmerged.problem !== undefined) await port.note(unmerged.problem);
    return unmerged;
  };
  return async (docs) => {
    if (projectRoot(docs) !== root) return unmergedFiles(docs);
    const { files } = await (whole ??= readWhole());
    return { files: [...below(files, relative(path, docs).split(sep).join('/'))] };
  };
}
