import { join } from 'node:path';
import type { Port } from '../client/port.ts';
import { maxInlineBytes } from '../contract/content.ts';
import type { Folder, LocalFolder, Problem } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import { readSummary, type SummaryEntry, writeSummary } from '../content/folder/summary.ts';
import { parentPath } from '../content/markdown/links.ts';
import { eachOf } from '../shared/each-of.ts';
import type { EngineError } from '../shared/engine-error.ts';
import { getFrom } from '../shared/get-from.ts';
import { conflictHint, syncConflictsError } from './conflicts.ts';
import { laterPush } from './find-base.ts';
import type { PushConflict } from './plan.ts';
import { type Docs, type FolderTexts, workOn } from './local-folder.ts';
import type { Checkout } from './checkout.ts';
import { type BaseFolder, baseFolder, comparedFolder, type ReadBase, readBase, renamedHere } from './pull-base.ts';
import { stateFiles, writeState } from './state-file.ts';
import { type ContentPort, type ReadContent, readContent, type Remote, withAllTexts } from './read-remote.ts';
import { type Preference, refuseUnknownFiles, winnerOf } from './preference.ts';
import type { AddedPage } from './three-way/added-pages.ts';
import { type MergedPull, mergePull } from './three-way/merge-pull.ts';
import type { MergedTree } from './three-way/merge-tree.ts';
import type { Compared } from './three-way/compare.ts';
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
import { equals, filesChanged, filesIn, folderOf, targetFrom, type WrittenFolder } from './write-folder.ts';

export interface PullOptions extends Preference {
  prune?: boolean | undefined;
  overwrite?: boolean | undefined;
  /** Whether conflicts are marked in the files, instead of preventing the pull. */
  mark?: boolean | undefined;
}

/** A folder, and the revision to pull into it. */
export interface Pull {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  /** Undefined outside of Git. */
  checkout: Checkout | undefined;
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
  const base = await baseFolder(port, { ...pull, ...place, pushedHashes: pushed.hashes }, space.base, space.remote);
  const unmerged = await judgeWrites(target, filesChanged(local, space.folder).write, pushed);
  const merged = await mergeInto(pull, space, { target, base, refused: unmerged.refused });
  const tree = await treeOf(pull, space, merged);
  const lost = new Set(merged.lost);
  // The text of an existing SUMMARY.md is added below.
  const isWritten = (path: string) => tree !== undefined && path === local.summaryPath;
  // A space cannot have these, so that they are not missing there.
  const large = new Set(local.files.flatMap(({ path, bytes }) => (bytes.length > maxInlineBytes ? [path] : [])));
  const stays = (path: string) => isWritten(path) || lost.has(path) || large.has(path);
  const absent = filesChanged(local, merged.folder).remove.filter((path) => !stays(path));
  const planRemoval = options.prune ? absent : merged.removed;
  const removal = await judgeRemovals(target, planRemoval);
  const removed = new Set(removal.remove);
  if (tree) await writeTree(pull, space, { tree, merged, removed });
  else listOwnPages(local, space, merged, { base, stays: (path) => !removed.has(path) });
  await correctIncludes(pull, space, { merged, base, removed });
  const planned = filesChanged(local, merged.folder);
  const { write, refused } = await judgeWrites(target, planned.write, pushed);
  return {
    target,
    write,
    remove: removal.remove,
    kept: planned.remove.filter((path) => !removed.has(path)),
    merged,
    unchanged: merged.folder.size - write.size - refused.length - merged.changedHere.length,
    renamed: space.written.problems,
    refused,
    notRemoved: removal.refused,
    space,
    base,
  };
}

/** Lets the links of included texts, which only the folder has, lead to the files that the pull moves. */
async function correctIncludes(
  pull: Pull,
  { written, renames }: SpaceFolder,
  { merged, base, removed }: Pick<PlannedPull, 'merged' | 'base'> & { removed: ReadonlySet<string> },
): Promise<void> {
  const { includes } = pull.local;
  if (includes.length === 0 || !base || pull.options.overwrite) return;
  const before = new Map([...[...base.written.ids].map(([path, id]) => [id, path] as const), ...renames]);
  const moved = new Map(
    [...written.ids].flatMap(([path, id]): [string, string][] => {
      const former = before.get(id);
      return former !== undefined && former !== path && removed.has(former) ? [[former, path]] : [];
    }),
  );
  const texts = includes.filter(({ file, text }) => {
    const bytes = merged.folder.get(file);
    return bytes !== undefined && equals(bytes, Buffer.from(text));
  });
  if (moved.size === 0 || texts.length === 0) return;
  const work = workOn(
    pull,
    texts.map(({ text }) => text),
  );
  for (const { file, text } of await pull.texts.run('followMoves', { texts, moved }, work)) {
    merged.folder.set(file, Buffer.from(text));
    merged.merged.push(file);
  }
}

/** The pages that SUMMARY.md lists after the pull; undefined if there is none. @throws EngineError with the conflicts */
async function treeOf(
  pull: Pull,
  { remote, compared, written }: SpaceFolder,
  merged: MergedPull,
): Promise<MergedTree | undefined> {
  const { texts, local, options } = pull;
  if (local.summary === null || !compared) return undefined;
  const { prefer, preferFor, overwrite } = options;
  const input = { local, remote, compared, prefer, preferFor, overwrite };
  let tree = await texts.run('mergeTree', input, workOn(pull));
  if (tree.conflicts.length > 0 && options.mark) {
    // A place in the list cannot be marked.
    merged.conflicts.push(...tree.conflicts);
    tree = await texts.run('mergeTree', { ...input, prefer: prefer ?? 'folder' }, workOn(pull));
  }
  if (tree.conflicts.length > 0) throw await pullConflicts(pull, remote, tree.conflicts);
  const inSpace = new Set(written.ids.values());
  const files = new Set(tree.pages.flatMap(({ id, file }) => (inSpace.has(id) ? [] : [file])));
  // With --prefer folder, a page that was deleted in the space stays if it was moved here.
  const isKept = (path: string) =>
    (winnerOf(options, [path]) ?? (options.mark && 'folder')) === 'folder' &&
    files.has(path) &&
    !merged.folder.has(path);
  merged.lost.push(...merged.removed.filter(isKept));
  merged.removed = merged.removed.filter((path) => !isKept(path));
  return tree;
}

interface TreeToWrite {
  tree: MergedTree;
  merged: MergedPull;
  removed: ReadonlySet<string>;
}

/** Adds the text of SUMMARY.md to the merged files. */
async function writeTree(pull: Pull, { written }: SpaceFolder, { tree, merged, removed }: TreeToWrite): Promise<void> {
  const { local, texts } = pull;
  const { summaryPath } = local;
  const paths = new Map([...written.ids].map(([path, id]) => [id, path]));
  const files = new Map<string, string>();
  const gone = new Set<string>();
  for (const { id, file } of tree.pages) {
    const path = paths.get(id);
    if (path !== undefined && merged.folder.has(path)) files.set(id, path);
    else if (file !== null && !removed.has(file)) files.set(id, file);
    else if (path !== undefined || file !== null) gone.add(id);
  }
  const text = await texts.run('summaryOfTree', { local, tree, files, gone }, workOn(pull, [local.summary]));
  merged.folder.set(summaryPath, Buffer.from(text));
  if (!tree.isChangedHere || text === written.summary?.text) return;
  if (text === local.summary) merged.changedHere.push(summaryPath);
  else merged.merged.push(summaryPath);
}

/**
 * Adds the pages that only the folder has to a new SUMMARY.md, because a push skips pages that are not listed, and removes
 * those that were deleted only in the folder.
 */
function listOwnPages(
  { pages, summary }: LocalFolder,
  { written }: SpaceFolder,
  { folder, deletedHere, held }: MergedPull,
  { base, stays }: { base: BaseFolder | undefined; stays: (file: string) => boolean },
): void {
  if (summary !== null || !written.summary) return;
  const { path, text } = written.summary;
  const targetOf = (file: string) => targetFrom(parentPath(path), file);
  const targets = new Set(deletedHere.map(targetOf));
  const paths = new Map([...written.ids].map(([file, id]) => [id, file]));
  const unread = new Map(
    held.map((file) => [targetOf(paths.get(base?.written.ids.get(file) ?? '') ?? file), targetOf(file)]),
  );
  const present = (entries: readonly SummaryEntry[]): SummaryEntry[] =>
    entries.flatMap((entry) => {
      const children = present(entry.children);
      const target = unread.get(entry.target ?? '') ?? entry.target;
      return target !== undefined && targets.has(target)
        ? children
        : [{ ...entry, ...(target && { target }), children }];
    });
  const added = pages.flatMap(({ file, title }): SummaryEntry[] => {
    const isOwn = file !== null && !folder.has(file) && !held.includes(file) && stays(file);
    return isOwn ? [{ kind: 'page', title, target: targetOf(file), children: [] }] : [];
  });
  if (added.length + targets.size + unread.size === 0) return;
  folder.set(path, Buffer.from(writeSummary([...present(readSummary(text)), ...added])));
}

/** Writes and deletes files. */
export async function carryOut({ target, write, remove }: PlannedPull): Promise<void> {
  await writeLocal(target, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
  await removeLocal(target, remove);
}

/** The content of a space as a folder. */
interface SpaceFolder {
  base: ReadBase;
  /** The files of pages that were renamed here, by page ID. */
  renames: ReadonlyMap<string, string>;
  /** Undefined for an empty folder. */
  compared: Compared | undefined;
  remote: Remote;
  written: WrittenFolder;
  folder: Folder;
}

async function readSpace(port: ContentPort, pull: Pull): Promise<SpaceFolder> {
  const { texts, local, place, pushed } = pull;
  const { spaceId, revision: revisionId } = place;
  const content = await readContent(port, { spaceId, revisionId }, local.files);
  const remote = await withAllTexts(port, spaceId, content);
  const base = await readBase(port, { ...pull, ...place }, { ...content, remote });
  const compared = await comparedFolder({ ...pull, ...place }, base, remote);
  refuseUnknownFiles(pull.options, { local, remote, compared });
  const renames = renamedHere(local, compared);
  const input = { remote, local, pushedHashes: pushed.hashes, names: renames, correctsLinks: true };
  const remoteTexts = remote.pages.map(({ text }) => text);
  const written = await texts.run('writeFolder', input, workOn(pull, remoteTexts));
  return {
    remote,
    written,
    renames,
    compared,
    base,
    folder: await withFiles(port, content, written),
  };
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
  pull: Pull,
  { remote, compared, written, folder, renames }: SpaceFolder,
  { target, base, refused }: MergeInput,
): Promise<MergedPull> {
  const { local, options, texts } = pull;
  if (options.overwrite) return { ...nothingMerged, folder: new Map(folder) };
  const own = filesIn(local);
  const others = await presentFiles(
    target,
    [...folder.keys()].filter((path) => !own.has(path)),
  );
  const recorded = readLayout(remote.layouts?.[0]).base?.files.values() ?? [];
  const remoteTexts = remote.pages.map(({ text }) => text);
  const hasAdded = compared && local.pages.some(({ key }) => !compared.inBase.has(key));
  const added = hasAdded
    ? await texts.run('addedPages', { local, remote, compared }, workOn(pull, remoteTexts))
    : new Map<string, AddedPage>();
  const merged = mergePull({
    local,
    written,
    folder,
    base,
    others,
    knownHashes: new Set([...remote.files, ...recorded].map(({ hash }) => hash)),
    refused: new Set(refused.map(({ path }) => path)),
    renames,
    added,
    broken: new Set((await presentFiles(target, local.unreadable)).keys()),
    winner: (...paths) => winnerOf(options, paths),
    mark: options.mark,
  });
  if (merged.conflicts.length === 0 || options.mark) return merged;
  throw await pullConflicts(pull, remote, merged.conflicts, base !== undefined);
}

async function pullConflicts(
  { docs, checkout }: Pull,
  remote: Remote,
  conflicts: readonly PushConflict[],
  hasBase = true,
): Promise<EngineError> {
  const later = hasBase ? await laterPush(checkout, remote) : undefined;
  return syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: 'nothing was written.',
    hint: !hasBase
      ? 'There is no record of the last pull. Use --overwrite to overwrite every file, or --prefer folder to keep the files.'
      : later === undefined
        ? conflictHint
        : `${later} Run "git pull" first, because Git may have merged these changes already. ${conflictHint}`,
  });
}

const nothingMerged = { changedHere: [], deletedHere: [], held: [], removed: [], lost: [], merged: [], conflicts: [] };

/** The conflicts of a pull that marked them in the files. */
export const markedConflicts = ({ name }: Docs, conflicts: readonly PushConflict[]): Promise<EngineError> =>
  syncConflictsError(conflicts, {
    folder: name,
    outcome: 'the rest was merged.',
    hint: 'Resolve the conflicts in these files, remove the conflict marks, and push.',
  });

/** Records what the folder was pulled from. */
export async function recordPulled(
  { place, checkout }: Pull,
  { target, remove, merged, base, space: { remote, written, renames } }: PlannedPull,
): Promise<void> {
  // What was not pulled is not known here: the earlier record stays, and what was pulled is the same on both sides.
  if (written.pages.size === 0 || (merged.held.length > 0 && base)) return;
  const { spaceId: space, changeRequest, revision } = place;
  const names = new Map([...(base?.written.ids ?? [])].map(([path, id]) => [id, path]));
  const files = new Map(stateFiles(merged.folder, written.ids));
  for (const [id, path] of renames) {
    const file = files.get(path);
    if (file && names.get(id) !== path) files.set(path, { ...file, from: names.get(id) });
  }
  for (const { file: path = '' } of merged.conflicts) {
    const file = files.get(path);
    if (file) files.set(path, { ...file, isMarked: true });
  }
  // A page that is not in the folder is recorded where it is now: the next pull would take other relative links for an edit.
  for (const path of merged.deletedHere) {
    const page = written.ids.get(path);
    if (page !== undefined) files.set(path, { page, blob: '' });
  }
  await writeState(target, {
    space,
    changeRequest,
    revision,
    serial: readLayout(remote.layouts?.[0]).serial,
    commit: checkout?.head.id,
    files,
    removed: remove,
  });
}
