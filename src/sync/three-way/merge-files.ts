import { isOwnFile } from '../../content/folder/file-names.ts';
import type { Layout } from '../../content/folder/layout.ts';
import { derivedPath } from '../page-files.ts';
import type { RemoteFile } from '../read-remote.ts';

interface FileSides {
  /** The names of files in the space, by path. */
  names: ReadonlyMap<string, string>;
  /** Of the base; undefined if it is the last one. */
  baseLayout: Layout | undefined;
  last: Layout;
  files: readonly Pick<RemoteFile, 'name'>[];
}

/** The names of the files of a folder, by path, with what only others replaced or renamed since the base. */
export function mergeFileNames({ names, baseLayout, last, files }: FileSides): Map<string, string> {
  if (!baseLayout) return new Map(names);
  const [before, now] = [namesIn(baseLayout, files), namesIn(last, files)];
  return new Map(
    [...names].flatMap(([path, name]) => {
      if (before.get(path) !== name) return [[path, name]];
      const theirs = now.get(path);
      return theirs === undefined ? [] : [[path, theirs]];
    }),
  );
}

/** Names of files in the space, where the folder has another file at the same path: a newer or an older one. */
export function otherFiles(
  names: ReadonlyMap<string, string>,
  files: FileSides['files'],
  { files: paths, old }: Layout,
): Set<string> {
  const isOther = ({ name }: FileSides['files'][number]) => {
    const own = names.get(paths.get(name) ?? old.get(name) ?? derivedPath(name));
    return own !== undefined && own !== name && !isOwnFile(name);
  };
  return new Set(files.flatMap((file) => (isOther(file) ? [file.name] : [])));
}

function namesIn({ files: paths, old }: Layout, files: FileSides['files']): Map<string, string> {
  const current = files.filter(({ name }) => !isOwnFile(name) && !old.has(name));
  // What the layout names comes last, because it counts more.
  const inOrder = current.toSorted((one, other) => Number(paths.has(one.name)) - Number(paths.has(other.name)));
  return new Map(inOrder.map(({ name }) => [paths.get(name) ?? derivedPath(name), name]));
}
