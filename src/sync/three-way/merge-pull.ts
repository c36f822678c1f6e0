import { basename } from 'node:path/posix';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { type Hunk, marked, mergeLines } from '../../content/merge/merge-lines.ts';
import { encodePath } from '../../content/markdown/links.ts';
import { conflictLine } from '../../shared/conflict-marks.ts';
import { readInfo } from '../../content/folder/page-info.ts';
import { nameTitle } from '../../content/folder/page-tree.ts';
import { type Folder, hashOf, type LocalFolder } from '../../content/folder/folder.ts';
import { moveLinks } from '../follow-moves.ts';
import { type PushConflict, sidesOfHunks } from '../plan.ts';
import type { Side } from '../preference.ts';
import type { AddedPage } from './added-pages.ts';
import { equals, filesIn, type WrittenFolder } from '../write-folder.ts';

interface PullSides {
  local: LocalFolder;
  /** The files of the space. */
  written: WrittenFolder;
  folder: Folder;
  /** Undefined for a folder that was neither pushed nor pulled. */
  base: { written: WrittenFolder; folder: Folder; files: ReadonlySet<string> } | undefined;
  /** Existing files that do not belong to the docs, but have the name of a file of the space. */
  others: Folder;
  /** Hashes of files that are or were in the space, and are therefore not lost if they are overwritten. */
  knownHashes: ReadonlySet<string>;
  /** Files that the pull must not write. */
  refused: ReadonlySet<string>;
  /** The files of pages that were renamed in the folder, by page ID. */
  renames: ReadonlyMap<string, string>;
  /** Pages that both sides added, by page ID. */
  added: ReadonlyMap<string, AddedPage>;
  /** Existing files of pages that cannot be read. */
  broken: ReadonlySet<string>;
  /** The side that wins the conflicts of a file. @param paths of the file, now and in the base */
  winner(...paths: string[]): Side | undefined;
  /** Whether conflicts are marked in the files, instead of preventing the pull. */
  mark?: boolean | undefined;
}

export interface MergedPull {
  /** The files of the space as they will be in the folder. */
  folder: Map<string, Uint8Array>;
  /** Files that only this folder changed, which the pull keeps. */
  changedHere: string[];
  /** Files of pages that only this folder deleted, and that the pull does not write. */
  deletedHere: string[];
  /** Former files of renamed pages, and files of pages that were deleted in the space. */
  removed: string[];
  /** Files that cannot be read, of pages that were moved in the space; they stay where they are. */
  held: string[];
  /** Files with local changes whose pages were deleted in the space, and that the pull keeps. */
  lost: string[];
  /** Files that both sides changed, in different places. */
  merged: string[];
  conflicts: PushConflict[];
}

/** Merges the files of a space with a folder, and keeps local changes. */
export function mergePull(sides: PullSides): MergedPull {
  const { local, written, folder, base, added, others, refused, broken, winner } = sides;
  const merged: MergedPull = {
    folder: new Map(),
    changedHere: [],
    deletedHere: [],
    held: [],
    removed: [],
    lost: [],
    merged: [],
    conflicts: [],
  };
  const present = filesIn(local);
  const before = new Map([...added].map(([id, { file }]) => [id, file]));
  for (const [path, id] of base?.written.ids ?? []) before.set(id, path);
  const newPaths = new Map([...written.ids].map(([path, id]) => [before.get(id), path]));
  const findMoved = (path: string) => newPaths.get(path) ?? (present.has(path) || folder.has(path) ? path : undefined);
  for (const [path, bytes] of folder) {
    if (refused.has(path)) {
      merged.folder.set(path, bytes);
      continue;
    }
    // An existing SUMMARY.md is merged as a tree.
    if (path === local.summaryPath && local.summary !== null) continue;
    const id = written.ids.get(path);
    const oldPath = (id === undefined ? undefined : before.get(id)) ?? path;
    const isRenamed = oldPath !== path && present.has(oldPath) && !folder.has(oldPath) && !present.has(path);
    if (isRenamed) merged.removed.push(oldPath);
    const own = present.get(isRenamed ? oldPath : path) ?? others.get(path);
    const ancestor = isRenamed && added.get(id ?? '')?.isAlike ? own : base?.folder.get(oldPath);
    if (oldPath !== path && broken.has(oldPath)) {
      merged.held.push(oldPath);
      continue;
    }
    const prefer = winner(path, oldPath);
    if (!own && id !== undefined && ancestor && !broken.has(oldPath)) {
      if (prefer !== 'app' && (prefer === 'folder' || equals(bytes, ancestor))) {
        merged.deletedHere.push(path);
        continue;
      }
      if (prefer === undefined) {
        merged.conflicts.push(deletedHere(path, id, bytes));
        // As Git does, so that what the space has is not lost.
        if (sides.mark) merged.folder.set(path, bytes);
        continue;
      }
    }
    const move = isRenamed && own && ancestor && !equals(own, ancestor) ? { from: oldPath, to: path } : undefined;
    const [here, earlier] = [own, ancestor].map((each) => (move && each ? moved(each, move, findMoved) : each));
    const result = mergeOne(sides, { path, bytes, own: here, ancestor: earlier, prefer });
    const isMarked = sides.mark && result.kind === 'conflict';
    merged.folder.set(path, isMarked ? withMarks(result) : result.bytes);
    if (result.kind === 'folder') merged.changedHere.push(path);
    else if (result.kind === 'merged') merged.merged.push(path);
    else if (result.kind === 'conflict') merged.conflicts.push(conflictOf(path, id ?? '', local, result));
  }
  takeDeletions(sides, present, merged);
  for (const path of unusedFiles(sides, present, merged)) merged.folder.delete(path);
  return merged;
}

/** A file of a page that the pull moves, whose links are written from there as the space has them. */
function moved(bytes: Uint8Array, move: { from: string; to: string }, find: (path: string) => string | undefined) {
  const text = textOf(bytes);
  return text === undefined ? bytes : Buffer.from(moveLinks(text, move, find));
}

/** Files that this folder deleted after its last push or pull, and to which no page leads. A space keeps its files. */
function unusedFiles(
  { written, base, others }: PullSides,
  present: ReadonlyMap<string, Uint8Array>,
  { folder }: MergedPull,
): string[] {
  const deleted = [...written.files].flatMap(([path, { id }]) =>
    base?.files.has(id) && folder.has(path) && !present.has(path) && !others.has(path) ? [path] : [],
  );
  if (deleted.length === 0) return [];
  const texts = [...folder].flatMap(([path, bytes]) => (isMarkdown(path) ? [Buffer.from(bytes).toString()] : []));
  return deleted.filter((path) => {
    const name = basename(path);
    return !texts.some((text) => text.includes(name) || text.includes(encodePath(name)));
  });
}

/** Sorts the files of pages that were deleted in the space into those that go, those that stay, and conflicts. */
function takeDeletions(
  { local, written, folder, base, renames, broken, winner, mark }: PullSides,
  present: ReadonlyMap<string, Uint8Array>,
  merged: MergedPull,
): void {
  const ids = new Set(written.ids.values());
  const isRemoved = new Set(merged.removed);
  const pages = new Map([...renames].map(([id, path]) => [path, id]));
  const before = new Map([...(base?.written.ids ?? [])].map(([path, id]) => [id, path]));
  // A file that cannot be read was changed here.
  for (const path of new Set([...present.keys(), ...broken])) {
    const own = present.get(path);
    const page = pages.get(path) ?? base?.written.ids.get(path);
    const ancestor = base?.folder.get(before.get(page ?? '') ?? path);
    if (folder.has(path) || !ancestor || isRemoved.has(path)) continue;
    // A page that was renamed here is in the folder under its new name.
    if (page !== undefined && ids.has(page)) continue;
    const prefer = winner(path);
    if (prefer === 'app' || (own && equals(own, ancestor))) merged.removed.push(path);
    else if (prefer === 'folder' || page === undefined) merged.lost.push(path);
    else {
      merged.conflicts.push(deletedInApp(path, page, local));
      if (mark) merged.lost.push(path);
    }
  }
}

interface FileToMerge {
  path: string;
  bytes: Uint8Array;
  own: Uint8Array | undefined;
  ancestor: Uint8Array | undefined;
  prefer: Side | undefined;
}

/** Merges one file of the space with that of the folder. */
function mergeOne(
  { written, base, knownHashes }: PullSides,
  { path, bytes, own, ancestor, prefer }: FileToMerge,
): MergedFile {
  const file = written.files.get(path);
  if (!file || !own) return mergeFile({ own, app: bytes, base: ancestor }, prefer);
  const isUnchanged = base?.files.has(file.id) === true;
  return replaceFile(own, bytes, { isKnown: knownHashes.has(hashOf(own)), isUnchanged, prefer });
}

interface ThreeFiles {
  own: Uint8Array | undefined;
  app: Uint8Array;
  base: Uint8Array | undefined;
}

type MergedFile =
  | { kind: 'app' | 'folder' | 'merged'; bytes: Uint8Array }
  | { kind: 'conflict'; bytes: Uint8Array; hunks?: Hunk[]; texts?: { app: string; folder: string; base: string } };

const sideNames = { ours: 'folder', theirs: 'app' };

/** The file with conflict marks. A file that is not text stays as in the folder. */
function withMarks({ bytes, texts }: Extract<MergedFile, { kind: 'conflict' }>): Uint8Array {
  if (!texts) return bytes;
  const { text } = mergeLines(texts.base, texts.folder, texts.app, sideNames);
  // Marks inside one code block look like an example, and could be published.
  const isNoticed = conflictLine(text, { isMarkdown: true }) !== undefined;
  return Buffer.from(isNoticed ? text : marked({ ours: texts.folder, theirs: texts.app }, sideNames));
}

function mergeFile({ own, app, base }: ThreeFiles, prefer: Side | undefined): MergedFile {
  if (!own || equals(own, app)) return { kind: 'app', bytes: app };
  if (base && equals(own, base)) return { kind: 'app', bytes: app };
  if (base && equals(app, base)) return { kind: 'folder', bytes: own };
  const texts = [base ?? new Uint8Array(), own, app].map(textOf);
  const [before, here, there] = texts;
  if (before === undefined || here === undefined || there === undefined) {
    if (prefer !== undefined) return { kind: prefer, bytes: prefer === 'app' ? app : own };
    return { kind: 'conflict', bytes: own };
  }
  const { text, hunks } = prefer === 'app' ? mergeLines(before, there, here) : mergeLines(before, here, there);
  const bytes = Buffer.from(text);
  if (hunks.length === 0 || prefer !== undefined) {
    if (prefer === 'app' && equals(bytes, app)) return { kind: 'app', bytes: app };
    return { kind: equals(bytes, own) ? 'folder' : 'merged', bytes };
  }
  return { kind: 'conflict', bytes: own, hunks, texts: { app: there, folder: here, base: before } };
}

interface FileState {
  /** Whether the bytes of the existing file are or were in the space. */
  isKnown: boolean;
  /** Whether the file in the space is that of the base. */
  isUnchanged: boolean;
  prefer: Side | undefined;
}

/** Merges a file that is not a page: one side wins. */
function replaceFile(own: Uint8Array, app: Uint8Array, { isKnown, isUnchanged, prefer }: FileState): MergedFile {
  if (isKnown || equals(own, app)) return { kind: 'app', bytes: app };
  if (isUnchanged) return { kind: 'folder', bytes: own };
  if (prefer === undefined) return { kind: 'conflict', bytes: own };
  return { kind: prefer, bytes: prefer === 'app' ? app : own };
}

/** Undefined if the bytes are not text. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function deletedHere(path: string, page: string, bytes: Uint8Array): PushConflict {
  return { page, title: titleIn(bytes, path), path, file: path, kind: 'deleted', deletedIn: 'folder' };
}

function deletedInApp(file: string, page: string, { pages }: LocalFolder): PushConflict {
  const { title = file, path = file } = pages.find((each) => each.file === file) ?? {};
  return { page, title, path, file, kind: 'deleted', deletedIn: 'app' };
}

/** The title of a page that is not in the folder. */
const titleIn = (bytes: Uint8Array, path: string) => readInfo(Buffer.from(bytes).toString()).title ?? nameTitle(path);

function conflictOf(
  path: string,
  page: string,
  { pages }: LocalFolder,
  { hunks = [], texts }: Extract<MergedFile, { kind: 'conflict' }>,
): PushConflict {
  const local = pages.find(({ file }) => file === path);
  return {
    page,
    title: local?.title ?? path,
    path: local?.path ?? path,
    file: path,
    kind: 'content',
    hunks: sidesOfHunks(hunks),
    ...(texts && { texts: { app: texts.app, folder: texts.folder } }),
  };
}
