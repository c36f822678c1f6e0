import { join } from 'node:path';
import type { Port } from '../client/port.ts';
import type { Folder, LocalFolder, Problem } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import { eachOf } from '../shared/each-of.ts';
import { getFrom } from '../shared/get-from.ts';
import { syncConflictsError } from './conflicts.ts';
import type { FolderTexts } from './folder-texts.ts';
import type { Docs } from './local-folder.ts';
import type { PushConflict } from './plan.ts';
import { type BaseFolder, baseFolder, removeMark, textsIn, writeMark } from './pull-base.ts';
import type { PushedFiles } from './pushed.ts';
import { type ContentPort, type ReadContent, readContent, withAllTexts } from './read-remote.ts';
import type { Remote } from './remote.ts';
import { type MergedPull, mergePull } from './three-way/merge-pull.ts';
import {
  type FileChange,
  judgeRemovals,
  judgeWrites,
  presentFiles,
  type Refusal,
  removeLocal,
  writeLocal,
} from './write.ts';
import { filesChanged, folderOf, type WrittenFolder } from './write-folder.ts';

export interface PullOptions {
  prune?: boolean | undefined;
  overwrite?: boolean | undefined;
  prefer?: 'app' | 'folder' | undefined;
}

/** A folder, and where it is pulled from. */
export interface Pull {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  place: { spaceId: string; revision: string; changeRequest: string | undefined };
  /** What pushes from this machine sent. */
  pushed: PushedFiles;
  options: PullOptions;
}

/** What a pull does to the files of a folder. */
export interface PlannedPull {
  target: string;
  write: ReadonlyMap<string, FileChange>;
  remove: readonly string[];
  /** Files of the folder that the space does not have, and that stay. */
  kept: readonly string[];
  merged: MergedPull;
  /** How many files stay as they are. */
  unchanged: number;
  /** Names in the space that are written in another way. */
  renamed: readonly Problem[];
  refused: readonly Refusal[];
  notRemoved: readonly Refusal[];
  space: SpaceFolder;
  base: BaseFolder | undefined;
}

/** Reads what the space has, and decides what of it is written. @throws EngineError (status 6) with conflicts */
export async function planPull(port: ContentPort, pull: Pull): Promise<PlannedPull> {
  const { texts, docs, local, place, pushed, options } = pull;
  const target = join(docs.path, local.root);
  const space = await readSpace(port, pull);
  const { remote, written, folder } = space;
  const base = await baseFolder(port, {
    texts,
    target,
    name: docs.name,
    local,
    ...place,
    remote,
    pushedHashes: pushed.hashes,
  });
  const beforehand = await judgeWrites(target, filesChanged(local, folder).write, pushed);
  const left = new Set(beforehand.refused.map(({ path }) => path));
  const merged = await mergeInto(pull, space, { target, base, refused: left });
  const planned = filesChanged(local, merged.folder);
  const { write, refused } = await judgeWrites(target, planned.write, pushed);
  const isLost = new Set(options.prefer === 'folder' ? merged.lost : []);
  const absent = planned.remove.filter((path) => !isLost.has(path));
  const removal = await judgeRemovals(target, options.prune ? absent : merged.renamed);
  const removed = new Set(removal.remove);
  return {
    target,
    write,
    remove: removal.remove,
    kept: planned.remove.filter((path) => !removed.has(path)),
    merged,
    unchanged: folder.size - write.size - refused.length - merged.changedHere.length,
    renamed: written.problems,
    refused,
    notRemoved: removal.refused,
    space,
    base,
  };
}

/** Writes and removes files. */
export async function carryOut({ target, write, remove }: PlannedPull): Promise<void> {
  await writeLocal(target, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
  await removeLocal(target, remove);
}

/** What a space has, as a folder. */
interface SpaceFolder {
  remote: Remote;
  written: WrittenFolder;
  folder: Folder;
}

async function readSpace(port: ContentPort, { texts, docs, local, place, pushed }: Pull): Promise<SpaceFolder> {
  const { spaceId, revision: revisionId } = place;
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(port, { spaceId, revisionId }, sizes);
  const remote = await withAllTexts(port, spaceId, content);
  const input = { remote, local, pushedHashes: pushed.hashes };
  const written = await texts.run('writeFolder', input, {
    folder: join(docs.name, local.root),
    texts: [...local.pages, ...remote.pages].map(({ text }) => text),
  });
  return { remote, written, folder: await withFiles(port, content, written) };
}

const maxDownloads = 8;

/** All files of a written folder. Only those that the pages use are fetched. */
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

/**
 * The files to be in the folder after a pull that keeps what was changed here.
 *
 * @throws EngineError (status 6) with what both sides changed in the same places
 */
async function mergeInto(
  { docs, local, options }: Pull,
  { remote, written, folder }: SpaceFolder,
  { target, base, refused }: { target: string; base: BaseFolder | undefined; refused: ReadonlySet<string> },
): Promise<MergedPull> {
  if (options.overwrite) return { ...nothingHere, folder: new Map(folder) };
  const own = new Set([...local.pages.map(({ file }) => file), ...local.files.map(({ path }) => path)]);
  if (local.summary !== null) own.add(local.summaryPath);
  const others = await presentFiles(
    target,
    [...folder.keys()].filter((path) => !own.has(path)),
  );
  const recorded = readLayout(remote.layouts?.[0]).base?.files.values() ?? [];
  const knownHashes = new Set([...remote.files, ...recorded].map(({ hash }) => hash));
  const merged = mergePull({ local, written, folder, base, others, knownHashes, refused, prefer: options.prefer });
  const conflicts = [
    ...merged.conflicts,
    ...(options.prune && options.prefer === undefined ? deletedInApp(merged, local) : []),
  ];
  if (conflicts.length === 0) return merged;
  throw await syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: 'nothing was written.',
    hint: base
      ? 'Resolve all of them with --prefer app or --prefer folder, or use --overwrite to overwrite every file.'
      : 'There is no record of the last pull. Use --overwrite to overwrite every file, or --prefer folder to keep the files.',
  });
}

const nothingHere = { changedHere: [], renamed: [], lost: [], merged: [], conflicts: [] };

/** Files that a pull with --prune would remove although they were changed here. */
function deletedInApp({ lost }: MergedPull, local: LocalFolder): PushConflict[] {
  return lost.flatMap((file): PushConflict[] => {
    const page = local.pages.find((each) => each.file === file);
    return page ? [{ page: '', title: page.title, path: page.path, file, kind: 'deleted', deletedIn: 'app' }] : [];
  });
}

/** Writes down what the folder was pulled from, where the space does not know it. */
export async function markPulled(
  { place }: Pull,
  { target, base, space: { remote, written } }: PlannedPull,
): Promise<void> {
  const isAsBase = base !== undefined && hasSameTexts(base.folder, textsIn(written)) && hasFiles(base, written);
  if (isAsBase && base.mark) return;
  if (isAsBase || written.pages.size === 0) return removeMark(target);
  const { serial } = readLayout(remote.layouts?.[0]);
  const { spaceId: space, changeRequest, revision } = place;
  await writeMark(target, { space, ...(changeRequest !== undefined && { changeRequest }), revision, serial });
}

const hasFiles = ({ files }: BaseFolder, written: WrittenFolder) =>
  [...written.files.values()].every(({ id }) => files.has(id));

function hasSameTexts(one: Folder, other: Folder): boolean {
  const isSame = ([path, bytes]: [string, Uint8Array]) => Buffer.compare(bytes, other.get(path) ?? nothing) === 0;
  return one.size === other.size && [...one].every((file) => other.has(file[0]) && isSame(file));
}

const nothing = new Uint8Array();
