import { join } from 'node:path';
import type { Port } from '../client/port.ts';
import type { Folder, LocalFolder, Problem } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import { eachOf } from '../shared/each-of.ts';
import { getFrom } from '../shared/get-from.ts';
import { syncConflictsError } from './conflicts.ts';
import { type Docs, type FolderTexts, workOn } from './local-folder.ts';
import type { PushConflict } from './plan.ts';
import { type BaseFolder, baseFolder, removeMark, textsIn, writeMark } from './pull-base.ts';
import { type ContentPort, type ReadContent, readContent, type Remote, withAllTexts } from './read-remote.ts';
import { type MergedPull, mergePull } from './three-way/merge-pull.ts';
import {
  type FileChange,
  judgeRemovals,
  judgeWrites,
  presentFiles,
  type PushedFiles,
  type Refusal,
  removeLocal,
  writeLocal,
} from './write.ts';
import { equals, filesChanged, filesIn, folderOf, type WrittenFolder } from './write-folder.ts';

export interface PullOptions {
  prune?: boolean | undefined;
  overwrite?: boolean | undefined;
  prefer?: 'app' | 'folder' | undefined;
}

/** A folder, and the revision to pull into it. */
export interface Pull {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  place: { spaceId: string; revision: string; changeRequest: string | undefined };
  /** The files that pushes from this machine sent. */
  pushed: PushedFiles;
  options: PullOptions;
}

/** The changes to the files of a folder. */
export interface PlannedPull {
  target: string;
  write: ReadonlyMap<string, FileChange>;
  remove: readonly string[];
  /** Files of the folder that are not in the space, and that the pull keeps. */
  kept: readonly string[];
  merged: MergedPull;
  /** The number of unchanged files. */
  unchanged: number;
  /** Files that get other names than in the space. */
  renamed: readonly Problem[];
  refused: readonly Refusal[];
  notRemoved: readonly Refusal[];
  space: SpaceFolder;
  base: BaseFolder | undefined;
}

/** Reads the space, merges it with the folder, and decides which files to write. @throws EngineError with the conflicts */
export async function planPull(port: ContentPort, pull: Pull): Promise<PlannedPull> {
  const { docs, local, place, pushed, options } = pull;
  const target = join(docs.path, local.root);
  const space = await readSpace(port, pull);
  const base = await baseFolder(port, { ...pull, ...place, pushedHashes: pushed.hashes }, space.remote);
  const unmerged = await judgeWrites(target, filesChanged(local, space.folder).write, pushed);
  const merged = await mergeInto(pull, space, { target, base, refused: unmerged.refused });
  const planned = filesChanged(local, merged.folder);
  const { write, refused } = await judgeWrites(target, planned.write, pushed);
  const lost = new Set(options.prefer === 'folder' ? merged.lost : []);
  const absent = planned.remove.filter((path) => !lost.has(path));
  const removal = await judgeRemovals(target, options.prune ? absent : merged.renamed);
  const removed = new Set(removal.remove);
  return {
    target,
    write,
    remove: removal.remove,
    kept: planned.remove.filter((path) => !removed.has(path)),
    merged,
    unchanged: space.folder.size - write.size - refused.length - merged.changedHere.length,
    renamed: space.written.problems,
    refused,
    notRemoved: removal.refused,
    space,
    base,
  };
}

/** Writes and deletes files. */
export async function carryOut({ target, write, remove }: PlannedPull): Promise<void> {
  await writeLocal(target, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
  await removeLocal(target, remove);
}

/** The content of a space as a folder. */
interface SpaceFolder {
  remote: Remote;
  written: WrittenFolder;
  folder: Folder;
}

async function readSpace(port: ContentPort, pull: Pull): Promise<SpaceFolder> {
  const { texts, local, place, pushed } = pull;
  const { spaceId, revision: revisionId } = place;
  const content = await readContent(port, { spaceId, revisionId }, local.files);
  const remote = await withAllTexts(port, spaceId, content);
  const input = { remote, local, pushedHashes: pushed.hashes };
  const remoteTexts = remote.pages.map(({ text }) => text);
  const written = await texts.run('writeFolder', input, workOn(pull, remoteTexts));
  return { remote, written, folder: await withFiles(port, content, written) };
}

const maxDownloads = 8;

/** All files of a written folder. Only files that pages use are fetched. */
export async function withFiles({ progress }: Port, { bytesOf }: ReadContent, written: WrittenFolder): Promise<Folder> {
  const bytes = new Map<string, Uint8Array>();
  const ids = new Set([...written.files.values()].map(({ id }) => id));
  if (ids.size > 0) progress.say('Fetching files');
  await eachOf(
    [...ids],
    async (id) => {
      bytes.set(id, await bytesOf(id));
      progress.count(bytes.size, ids.size);
    },
    maxDownloads,
  );
  return folderOf(written, ({ id }) => getFrom(bytes, id));
}

interface MergeInput {
  target: string;
  base: BaseFolder | undefined;
  /** Files that the pull must not write. */
  refused: readonly Refusal[];
}

/** The files after a pull that keeps local changes. @throws EngineError if both sides changed the same places */
async function mergeInto(
  { docs, local, options }: Pull,
  { remote, written, folder }: SpaceFolder,
  { target, base, refused }: MergeInput,
): Promise<MergedPull> {
  if (options.overwrite) return { ...nothingMerged, folder: new Map(folder) };
  const own = filesIn(local);
  const others = await presentFiles(
    target,
    [...folder.keys()].filter((path) => !own.has(path)),
  );
  const recorded = readLayout(remote.layouts?.[0]).base?.files.values() ?? [];
  const merged = mergePull({
    local,
    written,
    folder,
    base,
    others,
    knownHashes: new Set([...remote.files, ...recorded].map(({ hash }) => hash)),
    refused: new Set(refused.map(({ path }) => path)),
    prefer: options.prefer,
  });
  const lost = options.prune && options.prefer === undefined ? deletedInApp(merged, local) : [];
  const conflicts = [...merged.conflicts, ...lost];
  if (conflicts.length === 0) return merged;
  throw await syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: 'nothing was written.',
    hint: base
      ? 'Resolve all of them with --prefer app or --prefer folder, or use --overwrite to overwrite every file.'
      : 'There is no record of the last pull. Use --overwrite to overwrite every file, or --prefer folder to keep the files.',
  });
}

const nothingMerged = { changedHere: [], renamed: [], lost: [], merged: [], conflicts: [] };

/** Files with local changes that a pull with `prune` would delete. */
function deletedInApp({ lost }: MergedPull, local: LocalFolder): PushConflict[] {
  return lost.flatMap((file): PushConflict[] => {
    const page = local.pages.find((each) => each.file === file);
    return page ? [{ page: '', title: page.title, path: page.path, file, kind: 'deleted', deletedIn: 'app' }] : [];
  });
}

/** Records what the folder was pulled from, unless the space knows it. */
export async function markPulled(
  { place }: Pull,
  { target, base, space: { remote, written } }: PlannedPull,
): Promise<void> {
  const isAsBase = base !== undefined && hasSameTexts(base.folder, textsIn(written)) && hasFiles(base, written);
  if (isAsBase && base.mark) return;
  if (isAsBase || written.pages.size === 0) return removeMark(target);
  const { serial } = readLayout(remote.layouts?.[0]);
  const { spaceId: space, changeRequest, revision } = place;
  await writeMark(target, { space, changeRequest, revision, serial });
}

const hasFiles = ({ files }: BaseFolder, written: WrittenFolder) =>
  [...written.files.values()].every(({ id }) => files.has(id));

const hasSameTexts = (one: Folder, other: Folder) =>
  one.size === other.size &&
  [...one].every(([path, bytes]) => {
    const text = other.get(path);
    return text !== undefined && equals(bytes, text);
  });
