import { join } from 'node:path';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import type { Folder, LocalFolder } from '../content/folder/folder.ts';
import { readLayout } from '../content/folder/layout.ts';
import type { PushConflict } from './plan.ts';
import type { Remote } from './remote.ts';
import { type MergedPull, mergePull } from './three-way/merge-pull.ts';
import type { WrittenFolder } from './write-folder.ts';
import type { Docs } from './local-folder.ts';
import { type BaseFolder, textsIn } from './pull-base.ts';
import { removeMark, writeMark } from './pull-mark.ts';
import { syncConflictsError } from './conflicts.ts';
import { presentFiles } from './write.ts';

export interface PullFlags {
  prune?: boolean | undefined;
  overwrite?: boolean | undefined;
  prefer?: 'app' | 'folder' | undefined;
}

interface PullInput {
  docs: Docs;
  local: LocalFolder;
  written: WrittenFolder;
  folder: Folder;
  remote: Remote;
  base: BaseFolder | undefined;
  /** Files that are not written whatever the space has. */
  refused: ReadonlySet<string>;
  flags: PullFlags;
}

/**
 * The files to be in the folder after a pull that keeps what was changed here.
 *
 * @throws CommandError (status 6) with what both sides changed in the same places
 */
export async function mergeInto(input: PullInput): Promise<MergedPull> {
  const { docs, local, written, folder, remote, base, refused, flags } = input;
  if (flags.overwrite) return { ...nothingHere, folder: new Map(folder) };
  const target = join(docs.path, local.root);
  const own = new Set([...local.pages.map(({ file }) => file), ...local.files.map(({ path }) => path)]);
  if (local.summary !== null) own.add(local.summaryPath);
  const others = await presentFiles(
    target,
    [...folder.keys()].filter((path) => !own.has(path)),
  );
  const recorded = readLayout(remote.layouts?.[0]).base?.files.values() ?? [];
  const knownHashes = new Set([...remote.files, ...recorded].map(({ hash }) => hash));
  const merged = mergePull({ local, written, folder, base, others, knownHashes, refused, prefer: flags.prefer });
  const conflicts = [
    ...merged.conflicts,
    ...(flags.prune && flags.prefer === undefined ? deletedInApp(merged, local) : []),
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
  target: string,
  { written, base, remote }: Pick<PullInput, 'written' | 'base' | 'remote'>,
  place: { spaceId: string; changeRequest: string | undefined; revision: string },
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

/** @throws CommandError for flags that exclude each other */
export function refusePullFlags({ overwrite, prefer }: PullFlags): void {
  if (!overwrite || prefer === undefined) return;
  throw new CommandError('--overwrite and --prefer cannot be combined.', {
    exitCode: exit.usage,
    hint: '--overwrite takes the space for every file; --prefer decides only what both sides changed.',
  });
}
