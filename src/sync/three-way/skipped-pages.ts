import { basename } from 'node:path/posix';
import type { Base, BasePage } from '../../content/folder/base.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import type { Layout } from '../../content/folder/layout.ts';
import { derivedFiles } from '../page-files.ts';
import type { PlacedFile } from '../push-text.ts';

/** A page of the base whose file is in the folder, but is skipped. */
export interface SkippedPage extends PlacedFile {
  id: string;
}

export function skippedPages(
  local: LocalFolder,
  base: Base | undefined,
  { layout, renames }: { layout: Layout; renames: ReadonlyMap<string, string> | undefined },
): SkippedPage[] {
  const { unreadable } = local;
  if (unreadable.length === 0) return [];
  const derived = derivedFiles(base?.pages ?? []);
  const named = (base?.pages ?? []).map(({ id, path = '', file }) => {
    return { id, path, name: file ?? layout.pages.get(path) ?? derived.get(id) ?? '' };
  });
  const files = new Map(unreadable.map((path) => [path, path]));
  const names = new Set(named.map(({ name }) => name));
  // Files that are not in SUMMARY.md come after those that only SUMMARY.md has.
  for (const path of unreadable.toReversed()) {
    const before = names.has(path) ? undefined : formerFile(path, names, local);
    if (before !== undefined && !files.has(before)) files.set(before, path);
  }
  // SUMMARY.md may still have the former name of a file that was renamed.
  for (const path of unreadable) {
    const before = renames?.get(path);
    if (before !== undefined) files.set(before, path);
  }
  const folders = unreadable.filter((path) => path.endsWith('/'));
  const isGone = goneFiles(local, { files, names });
  return named.flatMap(({ id, path, name }) => {
    const isKept = folders.some((folder) => name.startsWith(folder)) || isGone(name);
    const key = files.get(name) ?? (isKept ? name : undefined);
    return key === undefined ? [] : [{ id, key, path }];
  });
}

/**
 * Returns whether a file of the base is gone while SUMMARY.md has a wrong name and lacks a new file: that may be the same page,
 * renamed and changed beyond recognition.
 */
function goneFiles(
  { pages, problems, unreadable }: LocalFolder,
  { files, names }: { files: ReadonlyMap<string, string>; names: ReadonlySet<string> },
): (name: string) => boolean {
  const renamed = new Set([...files].flatMap(([before, path]) => (before === path ? [] : [path])));
  const isNew = (file: string) => unreadable.includes(file) && !names.has(file) && !renamed.has(file);
  if (!problems.some(({ rule, file }) => rule === 'not-in-summary' && isNew(file))) return () => false;
  const present = new Set(pages.map(({ file }) => file));
  return (name) => name !== '' && !present.has(name);
}

/** The only file of the base with the same name that is gone: without Git, it may have been moved. */
function formerFile(path: string, names: ReadonlySet<string>, { pages, unreadable }: LocalFolder): string | undefined {
  const present = new Set([...unreadable, ...pages.map(({ file }) => file)]);
  const same = [...names].filter((name) => !present.has(name) && basename(name) === basename(path));
  return same.length === 1 ? same[0] : undefined;
}

/** The files of the pages of the base that are kept because they cannot be read, by page ID. */
export function heldPages(
  local: LocalFolder,
  inBase: ReadonlyMap<string, BasePage>,
  skipped: readonly SkippedPage[],
): Map<string, string> {
  const unread = new Set(local.pages.flatMap(({ key, isUnreadable }) => (isUnreadable ? [key] : [])));
  const present = new Set([...inBase].flatMap(([key, { id }]) => (unread.has(key) ? [] : [id])));
  return new Map(skipped.flatMap(({ id, key }) => (present.has(id) ? [] : [[id, key] as const])));
}
