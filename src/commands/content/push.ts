import { join } from 'node:path';
import type { Condition } from '../../change-requests/conditions.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { type Docs, readLocal, refuseConflictMarks } from '../../sync/local-folder.ts';
import {
  planPush,
  type Push,
  PushWarnings,
  refuseLarge,
  refuseLosses,
  refuseWarnings,
  sendPush,
} from '../../sync/push.ts';
import { checkBefore, findRequest, merge, type Request } from '../../sync/push-request.ts';
import { recordPushed } from '../../sync/pushed.ts';
import { withContentPort } from '../shared/content-port.ts';
import { docsOf, spaceOf } from '../shared/docs-folders.ts';
import { reportNotMerged } from '../shared/not-merged.ts';
import { notesOf, printDryRun, printPlan, rowsOf } from './plan.ts';

type PushInvocation = Invocation<
  { folder?: string | undefined },
  {
    cr?: string | undefined;
    new?: string | undefined;
    merge?: boolean | undefined;
    update?: boolean | undefined;
    require?: Condition[] | undefined;
    adopt?: boolean | undefined;
    overwrite?: boolean | undefined;
    prefer?: 'app' | 'folder' | undefined;
    deleteOthers?: boolean | undefined;
    ci?: boolean | undefined;
    failOn?: string | undefined;
    strict?: boolean | undefined;
    mdx?: boolean | undefined;
  }
>;

interface Pushed {
  folder: string;
  changeRequest?: number;
  status: Request['status'] | 'unchanged';
  added: number;
  changed: number;
  moved: number;
  deleted: number;
  uploaded: number;
  unchanged: number;
  /** How many pages only the app changed, created or deleted. */
  kept: number;
  /** How many pages both changed, in different places. */
  merged: number;
  /** How many files and links of the folder were left out or not understood. */
  warnings: number;
  revision: string;
  url?: string;
}

/** Pushes the folder that is named, or those of the project file. */
export async function pushAll(invocation: PushInvocation): Promise<void> {
  const { flags, globals, session, io, signal } = invocation;
  refuseContradictions(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  if (folders.length > 1 && flags.cr !== undefined) {
    throw new UsageError('--cr takes one folder.', 'Name the folder, or use --new for a request in each space.');
  }
  const results: Pushed[] = [];
  const texts = new FolderTexts(signal);
  try {
    const pushes: Push[] = [];
    for (const docs of folders) pushes.push(await prepare(invocation, docs, { server, texts }));
    const warnings = pushes.map((push) => push.warnings);
    if (globals.dryRun) {
      for (const push of pushes) await showDryRun(invocation, push);
      return refuseWarnings(flags.failOn, warnings);
    }
    // Those of all folders are known before anything is sent.
    if (flags.failOn && pushes.length > 1) for (const push of pushes) await planOne(invocation, push);
    if (pushes.length > 1) refuseWarnings(flags.failOn, warnings);
    for (const push of pushes) results.push(await pushOne(invocation, push, server));
  } finally {
    texts.close();
  }
  reportPushed(server, results);
  const options = outputOptions(invocation, { idKey: 'changeRequest' });
  await print(invocation, folders.length === 1 ? results[0] : results, undefined, options);
}

function refuseContradictions({ flags, globals }: PushInvocation): void {
  if (flags.cr !== undefined && flags.new !== undefined) {
    throw new UsageError(
      '--cr and --new cannot be combined.',
      'Pass an existing request, or the subject of a new one.',
    );
  }
  if (flags.overwrite && flags.prefer !== undefined) {
    throw new UsageError(
      '--overwrite and --prefer cannot be combined.',
      '--overwrite takes the folder for every page; --prefer decides only what both sides changed.',
    );
  }
  if (flags.update && !flags.merge) throw new UsageError('--update needs --merge.');
  if (flags.require && !flags.merge) throw new UsageError('--require needs --merge.');
  if (flags.cr === undefined && flags.new === undefined && !flags.merge && !globals.dryRun) {
    throw new UsageError(
      'No change request given.',
      'Pass --cr <request>, --new "subject", or --merge to merge into main content.',
    );
  }
}

/** Reads a folder, and finds where it is pushed to. */
async function prepare(
  invocation: PushInvocation,
  docs: Docs,
  { server, texts }: { server: BuildServer; texts: FolderTexts },
): Promise<Push> {
  const { flags, globals, io } = invocation;
  const { cr, merge: isMerged = false } = flags;
  const local = await readLocal(texts, docs, { mdx: flags.mdx });
  refuseConflictMarks(docs, local);
  const warnings = new PushWarnings(docs, local.root, {
    note: (line) => io.note(line),
    annotate: (found) => server.annotate(found),
  });
  await warnings.show(local.problems);
  // A wrong folder, or a job without a checkout, must not delete the pages of a space.
  if (local.pages.length === 0) {
    throw new UsageError(
      `${docs.name} contains no pages; nothing was sent.`,
      'Pages are .md files. To empty a space, delete its pages in the app.',
    );
  }
  const spaceId = await spaceOf(invocation, docs);
  const target = { cr, subject: flags.new ?? `Push ${docs.name}`.slice(0, 100), isMerged };
  const isCompared = globals.dryRun && cr === undefined && flags.new === undefined && !isMerged;
  const client = await invocation.client();
  const found = isCompared ? { existing: undefined } : await findRequest({ client }, spaceId, target);
  return { texts, docs, local, spaceId, target, warnings, options: flags, ...found };
}

const planOne = (invocation: PushInvocation, push: Push) =>
  withContentPort(invocation, 'Comparing', (port) => planPush(port, push));

async function pushOne(invocation: PushInvocation, push: Push, server: BuildServer): Promise<Pushed> {
  const { flags, session } = invocation;
  const { docs, spaceId } = push;
  const first = await planOne(invocation, push);
  await refuseLosses(push, first.plan);
  refuseWarnings(flags.failOn, [push.warnings]);
  for (const note of notesOf(first.plan)) await invocation.io.note(note);
  await printPlan(invocation, rowsOf(first.plan.operations), docs.name, first.plan.unchanged);
  const { request, done, planned } = await withContentPort(invocation, 'Pushing', (port) =>
    sendPush(port, push, first),
  );
  const { value: address } = await session.address();
  const place = { dataFolder: dataDir(session.env), address, spaceId };
  await recordPushed(place, join(docs.path, push.local.root), push.local);
  const { plan, content } = planned;
  const counts = {
    added: done.add,
    changed: done.change,
    moved: done.move,
    deleted: done.delete,
    uploaded: done.upload,
    unchanged: plan.unchanged,
    kept: plan.kept.length,
    merged: plan.merged.length,
    warnings: push.warnings.count,
  };
  if (!request) {
    const { id: revision, urls } = content.revision;
    return { folder: docs.name, status: 'unchanged', ...counts, revision, url: urls.app };
  }
  const result = flags.merge ? await mergeOne(invocation, spaceId, request, server) : request;
  return {
    folder: docs.name,
    changeRequest: result.number,
    status: result.status,
    ...counts,
    revision: result.revisionMerged ?? result.revision,
    url: result.urls.app,
  };
}

/** A build server is told of the request, also where it is not merged. */
async function mergeOne(
  { client, flags }: PushInvocation,
  spaceId: string,
  request: Request,
  server: BuildServer,
): Promise<Request> {
  try {
    return await merge({ client: await client() }, spaceId, request, flags);
  } catch (error) {
    reportNotMerged(server, request, error);
    throw error;
  }
}

async function showDryRun(invocation: PushInvocation, push: Push): Promise<void> {
  const { io, flags } = invocation;
  const { docs, spaceId, existing } = push;
  const { plan } = await planOne(invocation, push);
  await refuseLosses(push, plan);
  if (flags.strict) refuseLarge(docs, plan.operations);
  for (const note of notesOf(plan)) await io.note(note);
  const rows = rowsOf(plan.operations);
  await printDryRun(invocation, rows);
  const later = await checkBefore(await invocation.client(), spaceId, flags, existing, plan.operations.length > 0);
  if (later.length > 0) await io.note(`${later.join(', ')}: checked after the push, before the merge.`);
  await io.note(rows.length === 0 ? `${docs.name} has no changes.` : `${plan.unchanged} unchanged.`);
}

/** Tells a build server what was pushed. */
function reportPushed(server: BuildServer, results: readonly Pushed[]): void {
  const rows = results.map(
    ({ folder, changeRequest, status, added, changed, moved, deleted, uploaded, url }) =>
      `| ${markdownCell(folder)} | ${changeRequest === undefined ? '' : `[#${changeRequest}](${url})`} | ${status} | ${added} | ${changed} | ${moved} | ${deleted} | ${uploaded} |`,
  );
  server.summary(
    [
      '### Docs',
      '',
      '| folder | change request | status | added | changed | moved | deleted | files |',
      '|---|---|---|---|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
  server.outputs(
    outputsOf(
      results.map(({ revision, url, changeRequest, status }) => ({
        revision,
        url,
        'change-request': changeRequest,
        result: status,
      })),
    ),
  );
}
