import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { branchIn, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { CommandError, exit } from '../../cli/program/failure.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { counted } from '../../shared/counted.ts';
import type { EngineError } from '../../shared/engine-error.ts';
import { FolderTexts, readLocal } from '../../sync/local-folder.ts';
import { readCheckout } from '../../sync/checkout.ts';
import {
  carryOut,
  markedConflicts,
  type PlannedPull,
  planPull,
  type Pull,
  type PullOptions,
  recordPulled,
} from '../../sync/pull.ts';
import { readPushed } from '../../sync/write.ts';
import { withContentPort } from '../shared/download.ts';
import { docsOf, spaceOf } from '../../cli/settings/docs-folders.ts';
import { type ConflictFlags, preferenceOf } from './conflict-flags.ts';
import { printPlan, pullRows } from './plan.ts';

type PullInvocation = Invocation<
  { folder?: string | undefined },
  ConflictFlags & Pick<PullOptions, 'prune'> & { cr?: string | undefined; ci?: boolean | undefined }
>;

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
  /** How many pages have conflicts that were marked. */
  conflicts: number;
  /** How many files and names of the space are not written as they are there. */
  leftOut: number;
  unchanged: number;
  revision: string;
}

/** Pulls into the folder that is named, or into those of the project file. */
export async function pullAll(invocation: PullInvocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.tokenToHide);
  const folders = await docsOf(invocation);
  const preference = preferenceOf(flags, folders);
  const { prune, overwrite, onConflict } = flags;
  const pullOptions = { ...preference, prune, overwrite, mark: onConflict === 'mark' };
  const results: Pulled[] = [];
  const marked: EngineError[] = [];
  let held = 0;
  const texts = new FolderTexts(invocation.signal);
  try {
    for (const docs of folders) {
      const { result, conflicts, unread } = await pullOne(invocation, { docs, texts, options: pullOptions });
      results.push(result);
      held += unread;
      if (conflicts) marked.push(conflicts);
    }
  } finally {
    texts.close();
  }
  if (globals.dryRun) return refuseFirst(marked);
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
  await print(invocation, results.length === 1 ? results[0] : results, undefined, options);
  refuseFirst(marked);
  if (held === 0) return;
  throw new CommandError(`${counted(held, 'page')} ${held === 1 ? 'was' : 'were'} not pulled.`, {
    exitCode: exit.someFailed,
    hint: 'Their files cannot be read. Fix them and pull again.',
  });
}

function refuseFirst([first]: readonly EngineError[]): void {
  if (first) throw first;
}

interface OnePull extends Pick<Pull, 'docs' | 'texts' | 'options'> {}

/** @returns the conflicts that were marked, too */
async function pullOne(
  invocation: PullInvocation,
  { docs, texts, options }: OnePull,
): Promise<{ result: Pulled; conflicts: EngineError | undefined; unread: number }> {
  const { globals, session } = invocation;
  const local = await readLocal(texts, docs, { mustExist: false, keepsUnreadable: true });
  const spaceId = await spaceOf(invocation, docs);
  const place = { spaceId, ...(await placeOf(invocation, spaceId)) };
  const { value: address } = await session.address();
  const pushed = await readPushed({ dataFolder: dataDir(session.env), address, spaceId });
  const checkout = await readCheckout(docs.path, branchIn(session.env));
  const pull: Pull = { texts, docs, local, checkout, place, pushed, options };
  const planned = await withContentPort(invocation, 'Comparing', (port) => planPull(port, pull));
  await report(invocation, pull, planned);
  if (!globals.dryRun) await recordPulled(pull, planned);
  const { write, remove, kept, merged, renamed, refused, unchanged, space } = planned;
  const result = {
    folder: docs.name,
    pages: space.remote.pages.length,
    written: write.size,
    removed: remove.length,
    kept: kept.length,
    changedHere: merged.changedHere.length,
    merged: merged.merged.length,
    conflicts: new Set(merged.conflicts.map(({ file, path }) => file ?? path)).size,
    leftOut: renamed.length + refused.length + merged.held.length,
    unchanged,
    revision: place.revision,
  };
  const { conflicts, held } = merged;
  const error = conflicts.length > 0 ? await markedConflicts(docs, conflicts) : undefined;
  return { result, conflicts: error, unread: held.length };
}

/** Shows a pull and carries it out, or prints what a dry run would do. */
async function report(invocation: PullInvocation, { docs, local }: Pull, planned: PlannedPull): Promise<void> {
  const { flags, globals, io } = invocation;
  const { write, kept, merged, unchanged, renamed, refused, notRemoved, space } = planned;
  for (const { file, message } of renamed) await io.note(`${file}: ${message}`);
  for (const { path, reason } of refused) await io.note(`${path} is skipped: ${reason}.`);
  for (const path of merged.held)
    await io.note(`${path} is kept: its page was moved in the space, and the file cannot be read.`);
  for (const { path, reason } of notRemoved) await io.note(`${path} is kept: ${reason}.`);
  const rows = [
    ...pullRows(planned),
    ...kept.map((path) => ({ action: 'keep', path })),
    ...merged.changedHere.map((path) => ({ action: 'keep', path, what: 'changed here' })),
  ];
  if (globals.dryRun) {
    const skipped = refused.map(({ path }) => ({ action: 'leave out', path }));
    await printPlan(invocation, [...rows, ...skipped], docs.name, unchanged);
    return io.note(`${unchanged} unchanged.`);
  }
  await printPlan(invocation, rows, docs.name, unchanged);
  await carryOut(planned);
  if (merged.changedHere.length > 0) {
    const files = merged.changedHere.length === 1 ? '1 file was' : `${merged.changedHere.length} files were`;
    await io.note(`${files} changed here and kept; use --overwrite to overwrite every file.`);
  }
  const { summary } = space.written;
  const change = summary && write.get(summary.path);
  if (summary && change && !change.before && local.pages.length > 0)
    await io.note(
      `${summary.path} was created, because the file names do not give this order. List new pages in it: a push skips pages that are not listed.`,
    );
  if (flags.prune || kept.length === 0) return;
  const what =
    kept.length === 1 ? '1 file is not in the space and was' : `${kept.length} files are not in the space and were`;
  await io.note(`${what} kept; use --prune to delete ${kept.length === 1 ? 'it' : 'them'}.`);
}

/** The revision to pull, and the change request that it is of. */
export async function placeOf(
  { flags, client }: Pick<Invocation<{}, { cr?: string | undefined }>, 'flags' | 'client'>,
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
