import { join } from 'node:path';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { LocalFolder } from '../../content/folder/folder.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { type Docs, docsOf, readLocal, refuseConflictMarks, spaceOf } from '../../sync/local-folder.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { printDryRun, printPlan } from './plan.ts';
import type { Kind } from '../../sync/push-items.ts';
import {
  notesOf,
  planFor,
  type Planned,
  type Push,
  refuseLosses,
  rowsOf,
  tooManyConflicts,
} from '../../sync/push-plan.ts';
import { pendingRecord, sendRecord } from '../../sync/push-record.ts';
import {
  checkBefore,
  createRequest,
  findRequest,
  merge,
  type PushInvocation,
  type Request,
} from '../../sync/push-request.ts';
import { PushWarnings, refuseLarge, refuseWarnings, withoutLarge } from '../../sync/push-warnings.ts';
import { recordPushed } from './pushed.ts';
import { refuseInterleaved, RevisionConflict, sendOperations, Written } from '../../sync/send.ts';

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
  const { flags, globals, session, io } = invocation;
  refuseContradictions(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  if (folders.length > 1 && flags.cr !== undefined) {
    throw new UsageError('--cr takes one folder.', 'Name the folder, or use --new for a request in each space.');
  }
  const results: Pushed[] = [];
  const texts = new FolderTexts(invocation.signal);
  try {
    const pushes: Push[] = [];
    for (const docs of folders) pushes.push(await prepare(invocation, docs, { server, texts }));
    const warnings = pushes.map((push) => push.warnings);
    if (globals.dryRun) {
      for (const push of pushes) await showDryRun(invocation, push);
      return refuseWarnings(flags.failOn, warnings);
    }
    // Those of all folders are known before anything is sent.
    if (flags.failOn && pushes.length > 1) for (const push of pushes) await planAll(invocation, push, push.existing);
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
  const { flags, io } = invocation;
  const local = await readLocal(texts, docs, { mdx: flags.mdx });
  refuseConflictMarks(docs, local);
  const warnings = new PushWarnings(docs, local.root, io, server);
  await warnings.show(local.problems);
  refuseEmpty(docs, local);
  const spaceId = await spaceOf(invocation, docs);
  return { texts, docs, local, spaceId, warnings, ...(await findRequest(invocation, spaceId, docs)) };
}

async function pushOne(invocation: PushInvocation, push: Push, server: BuildServer): Promise<Pushed> {
  const { flags } = invocation;
  const { docs, spaceId } = push;
  const { request, done, planned } = await sendAll(invocation, push);
  const { plan, content } = planned;
  await recordPushed(invocation, spaceId, join(docs.path, push.local.root), push.local);
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
  const result = flags.merge ? await merge(invocation, spaceId, request, server) : request;
  return {
    folder: docs.name,
    changeRequest: result.number,
    status: result.status,
    ...counts,
    revision: result.revisionMerged ?? result.revision,
    url: result.urls.app,
  };
}

interface Sent {
  /** Undefined where there was none and nothing to send. */
  request: Request | undefined;
  done: Record<Kind, number>;
  /** What was planned last. */
  planned: Planned;
}

/** How often a plan is made anew because others changed the request meanwhile. */
const maxPlans = 6;

/** Sends what differs. Where others change the request meanwhile, it compares again. */
async function sendAll(invocation: PushInvocation, push: Push): Promise<Sent> {
  const { docs, spaceId } = push;
  const client = await invocation.client();
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  let request = push.existing;
  for (let attempt = 1; ; attempt += 1) {
    const planned = await planAll(invocation, push, request);
    const { plan } = planned;
    await refuseLosses(invocation, push, plan, attempt > 1);
    if (attempt === 1) {
      refuseWarnings(invocation.flags.failOn, [push.warnings]);
      await showPlan(invocation, push, planned);
    }
    if (isDone(invocation, planned, request)) return { request, done, planned };
    refuseLarge(docs, plan.operations);
    if (request === undefined) {
      const created = await createRequest(invocation, push);
      ({ request } = created);
      if (created.isOther) continue;
    }
    const written = new Written();
    try {
      const pending = pendingRecord(planned);
      const operations = [...pending, ...plan.operations];
      request = await sendOperations(invocation, { spaceId, request, operations, done, written });
      if (push.existing === undefined) await refuseInterleaved(client, spaceId, written);
      request = await sendRecord(invocation, push, request, { planned, written, hasPending: pending.length > 0 });
      return { request, done, planned };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw withRequest(error, request);
      if (attempt === maxPlans) throw tooManyConflicts(push, request);
      await invocation.io.note(`#${request.number} was changed in the meantime; comparing again.`);
      request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: request.id } });
    }
  }
}

/**
 * Whether there is nothing to send. A record alone makes no request for people to review, unless it is the first one or
 * the request is merged at once.
 */
function isDone(
  { flags }: PushInvocation,
  { plan: { operations, record }, compared }: Planned,
  request: Request | undefined,
): boolean {
  if (operations.length > 0) return false;
  return !record.isNew || (request === undefined && !flags.merge && compared.base !== undefined);
}

async function showPlan(invocation: PushInvocation, { docs }: Push, { plan }: Planned): Promise<void> {
  for (const note of notesOf(plan)) await invocation.io.note(note);
  await printPlan(invocation, rowsOf(plan.operations), docs.name, plan.unchanged);
}

async function showDryRun(invocation: PushInvocation, push: Push): Promise<void> {
  const { io } = invocation;
  const { plan } = await planAll(invocation, push, push.existing);
  await refuseLosses(invocation, push, plan, false);
  if (invocation.flags.strict) refuseLarge(push.docs, plan.operations);
  for (const note of notesOf(plan)) await io.note(note);
  const rows = rowsOf(plan.operations);
  await printDryRun(invocation, rows);
  const later = await checkBefore(invocation, push.spaceId, push.existing, plan.operations.length > 0);
  if (later.length > 0) await io.note(`${later.join(', ')}: checked after the push, before the merge.`);
  await io.note(rows.length === 0 ? `${push.docs.name} has no changes.` : `${plan.unchanged} unchanged.`);
}

/** Plans, and shows what is left out. Files over the limit are, unless `--strict` is given. */
async function planAll(invocation: PushInvocation, push: Push, request: Request | undefined): Promise<Planned> {
  let made = await planFor(invocation, push, request);
  const { texts, docs, local, warnings } = push;
  const smaller = invocation.flags.strict ? undefined : await withoutLarge(texts, docs, local, made.plan.operations);
  if (smaller) {
    push.local = smaller;
    made = await planFor(invocation, push, request);
  }
  await warnings.show([...push.local.problems, ...made.plan.notes]);
  return made;
}

// A wrong folder, or a job without a checkout, must not delete the pages of a space.
function refuseEmpty(docs: Docs, local: LocalFolder): void {
  if (local.pages.length > 0) return;
  throw new UsageError(
    `${docs.name} contains no pages; nothing was sent.`,
    'Pages are .md files. To empty a space, delete its pages in the app.',
  );
}

/** The error with a hint at the request, which keeps what was sent. */
function withRequest(error: unknown, { number }: Request): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  if ('hint' in error && error.hint !== undefined) return error;
  const hint = `Everything sent so far is in change request #${number}; run the same command again to continue.`;
  return Object.assign(error, { hint });
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
