import { join } from 'node:path';
import { buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { createProgress } from '../../cli/output/index.ts';
import type { Folder, LocalFolder, Problem } from '../../content/folder/folder.ts';
import { folderOf, planPull } from '../../sync/plan-pull.ts';
import type { MergedPull } from '../../sync/three-way/merge-pull.ts';
import type { WrittenFolder } from '../../sync/write-folder.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { type Docs, docsOf, readLocal, spaceOf } from '../../sync/local-folder.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { eachOf } from '../../shared/each-of.ts';
import { getFrom } from '../../shared/get-from.ts';
import { printDryRun, printPlan } from './plan.ts';
import { baseFolder } from '../../sync/pull-base.ts';
import { markPulled, mergeInto, type PullFlags, refusePullFlags } from '../../sync/pull-plan.ts';
import { readPushed } from './pushed.ts';
import { type ReadContent, readContent, withAllTexts } from '../../sync/read-remote.ts';
import {
  type FileChange,
  judgeRemovals,
  judgeWrites,
  type Refusal,
  removeLocal,
  writeLocal,
} from '../../sync/write.ts';

type PullInvocation = Invocation<{ folder?: string | undefined }, PullFlags & { ci?: boolean | undefined }>;

interface Pulled {
  folder: string;
  pages: number;
  written: number;
  removed: number;
  /** How many files of the folder the space does not have. */
  kept: number;
  /** How many files were changed here only, and are kept so. */
  changedHere: number;
  /** How many files both changed, in different places. */
  merged: number;
  /** How many files and names of the space are not written as they are there. */
  leftOut: number;
  unchanged: number;
  revision: string;
}

/** Pulls into the folder that is named, or into those of the project file. */
export async function pullAll(invocation: PullInvocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  refusePullFlags(flags);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  const results: Pulled[] = [];
  const texts = new FolderTexts(invocation.signal);
  try {
    for (const docs of folders) results.push(await pullOne(invocation, docs, texts));
  } finally {
    texts.close();
  }
  if (globals.dryRun) return;
  server.summary(
    [
      '### Docs pulled',
      '',
      '| folder | pages | written | removed |',
      '|---|---|---|---|',
      ...results.map((each) => `| ${markdownCell(each.folder)} | ${each.pages} | ${each.written} | ${each.removed} |`),
    ].join('\n'),
  );
  const options = outputOptions(invocation, { idKey: 'revision' });
  server.outputs(outputsOf(results.map(({ revision }) => ({ revision }))));
  const [first, ...others] = results;
  if (!first || others.length > 0) return print(invocation, results, undefined, options);
  await print(invocation, first, undefined, options);
}

async function pullOne(invocation: PullInvocation, docs: Docs, texts: FolderTexts): Promise<Pulled> {
  const { flags, globals } = invocation;
  const local = await readLocal(texts, docs, { mustExist: false });
  const target = join(docs.path, local.root);
  const spaceId = await spaceOf(invocation, docs);
  const place = { spaceId, ...(await placeOf(invocation, spaceId)) };
  const { remote, written, folder, pushed } = await readSpace(invocation, { docs, local, texts, place });
  const base = await baseFolder(invocation, {
    texts,
    target,
    name: docs.name,
    local,
    ...place,
    remote,
    pushedHashes: pushed.hashes,
  });
  const beforehand = await judgeWrites(target, planPull(local, folder).write, pushed);
  const left = new Set(beforehand.refused.map(({ path }) => path));
  const merged = await mergeInto({ docs, local, written, folder, remote, base, refused: left, flags });
  const planned = planPull(local, merged.folder);
  const { write, refused } = await judgeWrites(target, planned.write, pushed);
  const isLost = new Set(flags.prefer === 'folder' ? merged.lost : []);
  const absent = planned.remove.filter((path) => !isLost.has(path));
  const removal = await judgeRemovals(target, flags.prune ? absent : merged.renamed);
  const removed = new Set(removal.remove);
  const kept = planned.remove.filter((path) => !removed.has(path));
  await reportRefusals(invocation, written.problems, refused, removal.refused);
  const result = {
    written: write.size,
    removed: removal.remove.length,
    kept: kept.length,
    changedHere: merged.changedHere.length,
    merged: merged.merged.length,
    leftOut: written.problems.length + refused.length,
    unchanged: folder.size - write.size - refused.length - merged.changedHere.length,
  };
  const { unchanged } = result;
  const { remove } = removal;
  await carryOut(invocation, { docs, target, write, refused, remove, kept, merged, unchanged, local, written });
  if (!globals.dryRun) await markPulled(target, { written, base, remote }, place);
  return { folder: docs.name, pages: remote.pages.length, ...result, revision: place.revision };
}

interface Reading {
  docs: Docs;
  local: LocalFolder;
  texts: FolderTexts;
  place: { spaceId: string; revision: string };
}

/** What the space has, as a folder. */
async function readSpace(invocation: PullInvocation, { docs, local, texts, place }: Reading) {
  const { spaceId, revision: revisionId } = place;
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(invocation, { spaceId, revisionId }, sizes);
  try {
    const pushed = await readPushed(invocation, spaceId);
    const remote = await withAllTexts(invocation, spaceId, content);
    const input = { remote, local, pushedHashes: pushed.hashes };
    const written = await texts.run('writeFolder', input, {
      folder: join(docs.name, local.root),
      texts: [...local.pages, ...remote.pages].map(({ text }) => text),
    });
    return { remote, written, pushed, folder: await withFiles(invocation, content, written) };
  } finally {
    await content.close();
  }
}

interface PullChanges {
  docs: Docs;
  target: string;
  write: ReadonlyMap<string, FileChange>;
  refused: readonly Refusal[];
  remove: readonly string[];
  kept: readonly string[];
  merged: MergedPull;
  unchanged: number;
  local: LocalFolder;
  written: WrittenFolder;
}

/** Writes and removes files, or prints what a dry run would do. */
async function carryOut(
  invocation: PullInvocation,
  { docs, target, write, refused, remove, kept, merged, unchanged, local, written }: PullChanges,
): Promise<void> {
  const { flags, globals, io } = invocation;
  const isMerged = new Set(merged.merged);
  const rows = [
    ...[...write].map(([path, { before }]) => ({
      action: isMerged.has(path) ? 'merge' : before ? 'change' : 'write',
      path,
    })),
    ...remove.map((path) => ({ action: 'remove', path })),
    ...kept.map((path) => ({ action: 'keep', path })),
    ...merged.changedHere.map((path) => ({ action: 'keep', path, what: 'changed here' })),
  ];
  if (globals.dryRun) {
    await printDryRun(invocation, [...rows, ...refused.map(({ path }) => ({ action: 'leave out', path }))]);
    return io.note(`${unchanged} unchanged.`);
  }
  await printPlan(invocation, rows, docs.name, unchanged);
  await writeLocal(target, new Map([...write].map(([path, { bytes }]) => [path, bytes])));
  await removeLocal(target, remove);
  if (merged.changedHere.length > 0) {
    const files = merged.changedHere.length === 1 ? '1 file was' : `${merged.changedHere.length} files were`;
    await io.note(`${files} changed here and kept; use --overwrite to overwrite every file.`);
  }
  const { summary } = written;
  const change = summary && write.get(summary.path);
  if (summary && change && !change.before && local.pages.length > 0)
    await io.note(
      `${summary.path} was created, because the file names do not give this order. List new pages in it: a push skips pages that are not listed.`,
    );
  if (flags.prune || kept.length === 0) return;
  const what =
    kept.length === 1 ? '1 file is not in the space and was' : `${kept.length} files are not in the space and were`;
  await io.note(`${what} kept; use --prune to delete them.`);
}

async function reportRefusals(
  { io }: PullInvocation,
  renamed: readonly Problem[],
  refused: readonly Refusal[],
  notRemoved: readonly Refusal[],
): Promise<void> {
  for (const { file, message } of renamed) await io.note(`${file}: ${message}`);
  for (const { path, reason } of refused) await io.note(`${path} is left out: ${reason}.`);
  for (const { path, reason } of notRemoved) await io.note(`${path} is kept: ${reason}.`);
}

/** The revision to pull, and the change request that it is of. */
async function placeOf(
  { flags, client }: PullInvocation,
  spaceId: string,
): Promise<{ revision: string; changeRequest: string | undefined }> {
  const service = await client();
  if (flags.cr === undefined) {
    const { revision } = await service.call(spaces.view, { params: { spaceId } });
    return { revision, changeRequest: undefined };
  }
  const { id, revision } = await service.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } });
  return { revision, changeRequest: id };
}

const maxDownloads = 8;

/** Only the files that the pages use are fetched. */
async function withFiles({ io }: PullInvocation, { bytesOf }: ReadContent, written: WrittenFolder): Promise<Folder> {
  const bytes = new Map<string, Uint8Array>();
  const ids = new Set([...written.files.values()].map(({ id }) => id));
  const progress = createProgress('Fetching files', { animated: io.canAnimate, quiet: io.quiet });
  try {
    await eachOf(
      [...ids],
      async (id) => {
        bytes.set(id, await bytesOf(id));
        progress.count(bytes.size, ids.size);
      },
      maxDownloads,
    );
  } finally {
    progress.stop();
  }
  return folderOf(written, ({ id }) => getFrom(bytes, id));
}
