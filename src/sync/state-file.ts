import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isMarkdown } from '../content/folder/file-names.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import { isObject } from '../shared/is-object.ts';
import { resolveInside } from '../shared/project-root.ts';
import { blobId, type Checkout } from './checkout.ts';
import { removeLocal, writeLocal } from './write.ts';
import { filesIn } from './write-folder.ts';

/**
 * What a folder was last synchronized with. It is a file of the folder: in a repository it describes the pages next to it, on
 * every branch and in every clone.
 */
export interface FolderState {
  space: string;
  /** ID of the change request; undefined for main content. */
  changeRequest?: string | undefined;
  /** Of the space or request after the pull or push. */
  revision: string;
  /** Serial of the layout in the revision. */
  serial: number;
  /** The push that wrote this; undefined after a pull. */
  push?: string | undefined;
  /** HEAD at that time; undefined outside of Git. */
  commit?: string | undefined;
  /** By path. */
  files: ReadonlyMap<string, FileState>;
  /** Paths of files that pulls have removed since the commit. */
  removed?: readonly string[] | undefined;
}

export interface FileState {
  /** The ID of the page; "" for another file. */
  page: string;
  /** Git's ID of the bytes; "" if they are not those of the page. */
  blob: string;
  /** The path in the space, if the file was renamed only here. */
  from?: string | undefined;
  /** Whether the pull marked conflicts in it. */
  isMarked?: boolean | undefined;
}

const stateFile = '.docsctl/state.json';
/** What earlier versions wrote. */
const earlierFile = '.docsctl/pulled.json';

/** The states of a folder: of main content and of the last change request. */
export async function readStates(docs: string): Promise<FolderState[]> {
  const states = await readAt(docs, stateFile);
  return states.length > 0 ? states : readAt(docs, earlierFile);
}

async function readAt(docs: string, name: string): Promise<FolderState[]> {
  const file = resolveInside(docs, join(docs, name));
  try {
    return file === undefined ? [] : statesIn(await readFile(file, 'utf8'));
  } catch {
    return [];
  }
}

function statesIn(text: string): FolderState[] {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return [];
    return (Array.isArray(value.places) ? value.places : [value]).flatMap((place: unknown) => stateOf(place) ?? []);
  } catch {
    return [];
  }
}

function stateOf(value: unknown): FolderState | undefined {
  if (!isObject(value)) return undefined;
  const { space, changeRequest, revision, serial, push, commit, files, removed } = value;
  if (typeof space !== 'string' || typeof revision !== 'string' || typeof serial !== 'number') return undefined;
  return {
    space,
    revision,
    serial,
    ...(typeof changeRequest === 'string' && { changeRequest }),
    ...(typeof push === 'string' && { push }),
    ...(typeof commit === 'string' && { commit }),
    ...(Array.isArray(removed) && { removed: removed.filter((path) => typeof path === 'string') }),
    files: new Map(
      Object.entries(isObject(files) ? files : {}).flatMap(([path, entry]): [string, FileState][] => {
        const [page, blob, from, isMarked] = Array.isArray(entry) ? (entry as unknown[]) : [];
        if (typeof page !== 'string' || typeof blob !== 'string') return [];
        const file = { page, blob, ...(typeof from === 'string' && { from }), ...(isMarked === true && { isMarked }) };
        return [[path, file]];
      }),
    ),
  };
}

/** Whether a commit has the state. */
export async function isCommitted(
  state: FolderState,
  local: LocalFolder,
  { checkout, commit }: { checkout: Checkout; commit: string },
): Promise<boolean> {
  const blob = await checkout.blobAt(commit, join(local.root, stateFile));
  const text = blob === undefined ? undefined : await checkout.text(blob);
  return statesIn(text ?? '').some((each) => each.revision === state.revision && each.commit === state.commit);
}

/** Writes the state of a place, and keeps that of main content. */
export async function writeState(docs: string, state: FolderState): Promise<void> {
  // A push that was merged is part of main content.
  const isOther = (other: FolderState) =>
    other.space === state.space &&
    other.changeRequest !== state.changeRequest &&
    (other.push === undefined || other.push !== state.push);
  const before = await readStates(docs);
  const others = before.filter(isOther);
  const kept =
    state.changeRequest === undefined ? others.slice(-1) : others.filter((each) => each.changeRequest === undefined);
  const removed = before.flatMap((each) => (each.commit === state.commit ? (each.removed ?? []) : []));
  const stillRemoved = [...new Set([...removed, ...(state.removed ?? [])])].filter((path) => !state.files.has(path));
  const places = [...kept, { ...state, removed: stillRemoved.length > 0 ? stillRemoved : undefined }];
  const text = `{\n "version": 1,\n "places": [\n${places.map(placeText).join(',\n')}\n ]\n}\n`;
  await writeLocal(docs, new Map([[stateFile, Buffer.from(text)]]));
  await removeLocal(docs, [earlierFile]);
}

/** One line for each file, so that a change of one page is a change of one line. */
function placeText({ files, ...place }: FolderState): string {
  const lines = [...files].map(([path, { page, blob, from, isMarked }]) => {
    const more = isMarked ? [from ?? null, true] : from === undefined ? [] : [from];
    return `    ${JSON.stringify(path)}: ${JSON.stringify([page, blob, ...more])}`;
  });
  return `  ${JSON.stringify(place).slice(0, -1)},"files":{\n${lines.join(',\n')}\n  }}`;
}

/** Deletes the state, because another record knows it. */
export async function removeState(docs: string): Promise<void> {
  if (resolveInside(docs, join(docs, stateFile)) === undefined) return;
  await removeLocal(docs, [stateFile, earlierFile]);
}

/** The bytes of a folder by path, as the state records them. @param ids of pages by path */
export const stateFiles = (
  folder: ReadonlyMap<string, Uint8Array>,
  ids: ReadonlyMap<string, string>,
): FolderState['files'] =>
  new Map(
    [...folder]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([path, bytes]) => [path, { page: ids.get(path) ?? '', blob: blobId(bytes) }]),
  );

/** The bytes of files by path. */
export type PresentFiles = ReadonlyMap<string, Uint8Array>;

/** The files of a folder, also those that a push skips: pages that SUMMARY.md does not have, and texts that cannot be read. */
export async function presentFiles(
  { files, removed = [] }: FolderState,
  local: LocalFolder,
  docs: string,
): Promise<PresentFiles> {
  return withPages(filesIn(local), [...files.keys(), ...removed], docs);
}

/** The same with the pages at these paths, if they exist. */
export async function withPages(present: PresentFiles, paths: Iterable<string>, docs: string): Promise<PresentFiles> {
  const all = new Map(present);
  for (const path of paths) {
    const bytes = all.has(path) || !isMarkdown(path) ? undefined : await readFileIn(docs, path);
    if (bytes) all.set(path, bytes);
  }
  return all;
}

async function readFileIn(folder: string, path: string): Promise<Uint8Array | undefined> {
  const file = resolveInside(folder, join(folder, path));
  const isFile = file !== undefined && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  return isFile ? readFile(file).catch(() => undefined) : undefined;
}

/**
 * Whether the state describes the files that are in the folder now. In a checkout, an untracked state stays behind if the
 * files are reset or another commit is checked out.
 */
export async function describes(
  state: FolderState,
  { local, checkout, present }: { local: LocalFolder; checkout: Checkout; present: PresentFiles },
): Promise<boolean> {
  if (state.commit === undefined) return true;
  if (!(await checkout.isAncestor(state.commit, checkout.head.id))) return false;
  const committed = await checkout.blobsAt(state.commit);
  // What removes files that are not committed removes the state, too.
  const isAsCommitted = (path: string) => {
    const now = present.get(path);
    return now !== undefined && blobId(now) === committed.get(join(local.root, path));
  };
  const isReset = [...state.files].some(
    ([path, { blob }]) => blob !== '' && blob !== committed.get(join(local.root, path)) && isAsCommitted(path),
  );
  return !isReset && state.removed?.some(isAsCommitted) !== true;
}
