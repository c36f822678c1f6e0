import type { LocalFolder } from '../content/folder/folder.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Remote } from './read-remote.ts';
import type { Compared } from './three-way/compare.ts';

export type Side = 'app' | 'folder';

/** The side that wins the conflicts of some files. */
export interface PreferredFiles {
  side: Side;
  /** Paths of files from the root of the docs, or of pages. */
  files: readonly string[];
}

export interface Preference {
  /** The side that wins conflicts. */
  prefer?: Side | undefined;
  /** Takes precedence over `prefer`. */
  preferFor?: PreferredFiles | undefined;
}

/** The side that wins the conflicts of a page. @param names its file and its path, now and in the base */
export function winnerOf(
  { prefer, preferFor }: Preference,
  names: readonly (string | null | undefined)[],
): Side | undefined {
  return preferFor && names.some((name) => name && preferFor.files.includes(name)) ? preferFor.side : prefer;
}

/** The side that wins the conflicts of a page, by its ID. */
export function winnersById(
  preference: Preference,
  { local, remote, compared }: { local: LocalFolder; remote: Remote; compared: Pick<Compared, 'base'> },
  ids: ReadonlyMap<string, string>,
): (id: string) => Side | undefined {
  const names = new Map<string, (string | null | undefined)[]>();
  const add = (id: string, ...more: (string | null | undefined)[]) =>
    names.set(id, [...(names.get(id) ?? []), ...more]);
  for (const { id, path } of remote.pages) add(id, path);
  for (const { id, path, file } of compared.base?.pages ?? []) add(id, path, file);
  for (const { key, path, file } of local.pages) add(ids.get(key) ?? key, path, file);
  return (id) => winnerOf(preference, names.get(id) ?? []);
}

/** @throws EngineError if a preference names a file that neither the folder nor the space has */
export function refuseUnknownFiles(
  { preferFor }: Preference,
  { local, remote, compared }: { local: LocalFolder; remote: Remote; compared: Pick<Compared, 'base'> | undefined },
): void {
  if (!preferFor) return;
  const known = new Set(
    [...local.pages, ...(compared?.base?.pages ?? []), ...remote.pages].flatMap((page) => [
      page.path,
      'file' in page ? page.file : undefined,
    ]),
  );
  for (const { path } of local.files) known.add(path);
  const unknown = preferFor.files.filter((file) => !known.has(file));
  if (unknown.length === 0) return;
  throw new EngineError('usage', `--prefer: there is no page ${unknown.join(', ')}.`, {
    hint: 'Name files as in the folder, such as guide/install.md.',
  });
}
