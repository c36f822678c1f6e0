import { join } from 'node:path';
import type { Condition } from '../../change-requests/condition-names.ts';
import { checkConditions, verifyMerged } from '../../change-requests/conditions.ts';
import { mergeRequest, type MergeSteps } from '../../change-requests/merge.ts';
import type { ChangeRequest } from '../../change-requests/read-sides.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { branchIn, type BuildServer, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { confirmWith, permanentText } from '../../cli/command/confirm/questions.ts';
import { CommandError, exit, UsageError } from '../../cli/program/failure.ts';
import { dataDir } from '../../cli/settings/paths.ts';
import { counted } from '../../shared/counted.ts';
import { type Docs, FolderTexts } from '../../sync/local-folder.ts';
import type { Plan } from '../../sync/plan.ts';
import {
  deletionsOf,
  findRequest,
  leftOut,
  planPush,
  type Push,
  type PushOptions,
  readPush,
  recordPush,
  refuseDeletions,
  refuseLarge,
  refuseLosses,
  refuseOvertaken,
  isUpdatedFirst,
  sendPush,
} from '../../sync/push.ts';
import { refuseWarnings } from '../../sync/push-warnings.ts';
import { StaleCheckout } from '../../sync/find-base.ts';
import type { Planned } from '../../sync/send.ts';
import { carryOut, markedConflicts, planPull, recordPulled } from '../../sync/pull.ts';
import type { Preference } from '../../sync/preference.ts';
import { readPushed, recordPushed } from '../../sync/write.ts';
import { type ConflictFlags, preferenceOf } from './conflict-flags.ts';
import { docsOf, spaceOf } from '../../cli/settings/docs-folders.ts';
import { withContentPort } from '../shared/download.ts';
import { reportNotMerged } from '../shared/not-merged.ts';
import { wholeNumber } from '../shared/whole-number.ts';
import { printPlan, pushRows } from './plan.ts';

type PushInvocation = Invocation<
  { folder?: string | undefined },
  Omit<PushOptions, 'maxDeletions' | 'prefer' | 'preferFor'> &
    ConflictFlags &
    Pick<MergeSteps, 'update' | 'require'> & {
      cr?: string | undefined;
      new?: string | undefined;
      merge?: boolean | undefined;
      fitImages?: boolean | undefined;
      ci?: boolean | undefined;
      failOn?: string | undefined;
      mdx?: boolean | undefined;
      maxDeletions?: string | undefined;
    }
>;

interface Pushed {
  folder: string;
  changeRequest?: number;
  status: ChangeRequest['status'] | 'unchanged' | 'stale';
  added: number;
  changed: number;
  moved: number;
  deleted: number;
  uploaded: number;
  unchanged: number;
  /** Pages that only the app changed, created or deleted. */
  kept: number;
  /** Pages that both sides changed, in different places. */
  merged: number;
  /** Files and links of the folder that were skipped or could not be parsed. */
  warnings: number;
  /** Pages that were kept because their files cannot be read, and files that were not sent. */
  leftOut: number;
  revision: string;
  url?: string;
}

/** Pushes the folder in the arguments, or the folders of the project file. */
export async function pushAll(invocation: PushInvocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  refuseContradictions(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.tokenToHide);
  const folders = await docsOf(invocation);
  if (folders.length > 1 && flags.cr !== undefined) {
    throw new UsageError('--cr takes one folder.', 'Name the folder, or use --new for a request in each space.');
  }
  const preference = preferenceOf(flags, folders);
  const results: Pushed[] = [];
  const texts = new FolderTexts(invocation.signal);
  try {
    const pushes: Push[] = [];
    for (const docs of folders) pushes.push(await prepare(invocation, docs, { server, texts, preference }));
    // Nothing is sent before the warnings about all folders are known.
    if (flags.failOn && pushes.length > 1 && !globals.dryRun)
      for (const push of pushes) await planOne(invocation, push);
    const refuseAll = () =>
      refuseWarnings(
        flags.failOn,
        pushes.map(({ warnings }) => warnings),
      );
    if (pushes.length > 1 && !globals.dryRun) refuseAll();
    for (const push of pushes) results.push(...(await pushOne(invocation, push, server)));
    if (globals.dryRun) return refuseAll();
  } finally {
    texts.close();
  }
  reportPushed(server, results);
  const options = outputOptions(invocation, { idKey: 'changeRequest' });
  await print(invocation, folders.length === 1 ? results[0] : results, undefined, options);
  refuseLeftOut(results);
}

/** @throws CommandError if something in the folders was not sent */
function refuseLeftOut(results: readonly Pick<Pushed, 'leftOut'>[]): void {
  const count = results.reduce((sum, each) => sum + each.leftOut, 0);
  if (count === 0) return;
  const message = `${counted(count, 'file')} of the folder ${count === 1 ? 'was' : 'were'} not pushed.`;
  throw new CommandError(message, {
    exitCode: exit.someFailed,
    hint: 'Pages that cannot be read stay as they are in the space. Fix the problems listed above, and push again. --fit-images makes PNG and JPEG images smaller.',
  });
}

function refuseContradictions({ flags, globals }: PushInvocation): void {
  if (flags.cr !== undefined && flags.new !== undefined) {
    throw new UsageError(
      '--cr and --new cannot be combined.',
      'Pass an existing request, or the subject of a new one.',
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

/** Reads a folder, and finds its space and change request. */
async function prepare(
  invocation: PushInvocation,
  docs: Docs,
  { server, texts, preference }: { server: BuildServer; texts: FolderTexts; preference: Preference },
): Promise<Push> {
  const { flags, globals, io } = invocation;
  const { cr, merge: isMerged = false } = flags;
  const sink = { note: io.note.bind(io), annotate: server.annotate.bind(server) };
  const branch = branchIn(invocation.session.env);
  const { local, warnings, checkout } = await readPush(texts, docs, sink, {
    mdx: flags.mdx,
    branch,
    fitsImages: flags.fitImages,
  });
  const spaceId = await spaceOf(invocation, docs);
  const target = { cr, subject: flags.new ?? `Push ${docs.name}`.slice(0, 100), isMerged };
  const isCompared = globals.dryRun && cr === undefined && flags.new === undefined && !isMerged;
  const client = await invocation.client();
  const requests = isCompared ? { existing: undefined } : await findRequest({ client }, spaceId, target);
  const { prefer, preferFor } = preference;
  const options = { ...flags, prefer, preferFor, maxDeletions: wholeNumber('--max-deletions', flags.maxDeletions) };
  return { texts, docs, local, checkout, spaceId, target, warnings, options, ...requests };
}

const planOne = (invocation: PushInvocation, push: Push) =>
  withContentPort(invocation, 'Comparing', (port) => planPush(port, push));

/** Compares a folder, shows the differences and sends them. @returns nothing in a dry run */
async function pushOne(invocation: PushInvocation, push: Push, server: BuildServer): Promise<Pushed[]> {
  const { flags, globals, session } = invocation;
  const { docs, spaceId } = push;
  const first = await planUnlessStale(invocation, push);
  if (first === undefined) return globals.dryRun ? [] : [staleResult(push)];
  if (flags.onConflict === 'mark' && !globals.dryRun) await markConflicts(invocation, push, first);
  await refuseLosses(push, first.plan);
  refuseDeletions(push, first);
  if (!globals.dryRun) refuseWarnings(flags.failOn, [push.warnings]);
  else if (flags.strict) refuseLarge(docs, first.plan.operations);
  await showPlan(invocation, push, first.plan);
  await confirmDeletions(invocation, push, first);
  if (globals.dryRun) return [];
  const sent = await withContentPort(invocation, 'Pushing', (port) => sendPush(port, push, first));
  const { value: address } = await session.address();
  const place = { dataFolder: dataDir(session.env), address, spaceId };
  await recordPushed(place, join(docs.path, push.local.root), push.local);
  const { request, done, planned } = sent;
  const { plan, content } = planned;
  await recordPush(push, sent, undefined);
  const merged = request && flags.merge ? await mergeOne(invocation, push, request, server) : undefined;
  const mergedAs = merged?.answer.revision;
  if (mergedAs !== undefined) await recordPush(push, sent, mergedAs);
  if (merged && request) {
    await verifyMerged(await invocation.client(), { spaceId, changeRequestId: request.id }, merged.checked);
  }
  return [
    {
      folder: docs.name,
      ...(request && { changeRequest: request.number }),
      status: merged ? 'merged' : (request?.status ?? 'unchanged'),
      added: done.add,
      changed: done.change,
      moved: done.move,
      deleted: done.delete,
      uploaded: done.upload,
      unchanged: plan.unchanged,
      kept: plan.kept.length,
      merged: plan.merged.length,
      warnings: push.warnings.count,
      leftOut: leftOut(push, plan),
      revision: mergedAs ?? request?.revisionMerged ?? request?.revision ?? content.revision.id,
      url: (request ?? content.revision).urls.app,
    },
  ];
}

/** If there are conflicts, pulls the changes of the space and marks the conflicts. @throws EngineError with the conflicts */
async function markConflicts(
  { io, session, ...invocation }: PushInvocation,
  push: Push,
  { plan, content }: Planned,
): Promise<void> {
  const { docs, local, texts, checkout, spaceId, existing, options } = push;
  if (plan.conflicts.length === 0 || (plan.isFirst && !options.adopt)) return;
  const { value: address } = await session.address();
  const pushed = await readPushed({ dataFolder: dataDir(session.env), address, spaceId });
  const place = { spaceId, revision: content.revision.id, changeRequest: existing?.id };
  const { prefer, preferFor } = options;
  const pull = { texts, docs, local, checkout, place, pushed, options: { prefer, preferFor, mark: true } };
  const planned = await withContentPort({ io, session, ...invocation }, 'Comparing', (port) => planPull(port, pull));
  await carryOut(planned);
  await recordPulled(pull, planned);
  await io.note(`${docs.name} was not pushed. The changes of the space were merged into it.`);
  const { conflicts } = planned.merged;
  throw await markedConflicts(docs, conflicts.length > 0 ? conflicts : plan.conflicts);
}

/** Compares a folder; undefined if its checkout is older than the last push and `--if-stale skip` accepts that. */
async function planUnlessStale(invocation: PushInvocation, push: Push): Promise<Planned | undefined> {
  try {
    return await planOne(invocation, push);
  } catch (error) {
    if (!(error instanceof StaleCheckout) || push.options.ifStale !== 'skip') throw error;
    await invocation.io.note(`${error.message} Nothing was sent.`);
    return undefined;
  }
}

const staleResult = ({ docs, warnings }: Push): Pushed => ({
  folder: docs.name,
  status: 'stale',
  added: 0,
  changed: 0,
  moved: 0,
  deleted: 0,
  uploaded: 0,
  unchanged: 0,
  kept: 0,
  merged: 0,
  warnings: warnings.count,
  leftOut: 0,
  revision: '',
});

/** Asks before a push that deletes many pages, unless `--max-deletions` allows them. */
async function confirmDeletions(invocation: PushInvocation, push: Push, { plan, content }: Planned): Promise<void> {
  const { count, isUnusual } = deletionsOf(plan, content);
  if (!isUnusual || push.options.maxDeletions !== undefined) return;
  const permanent = invocation.flags.merge ? await permanentText({ endpoint: { name: 'changeRequests.merge' } }) : '';
  const question = `Delete ${count} of the ${content.remote.pages.length} pages of the space?${permanent}`;
  const hint = `If the deletions are right, pass --max-deletions ${count}.`;
  if (invocation.globals.dryRun) return invocation.io.note(`The push asks: ${question} ${hint}`);
  await confirmWith(invocation, question, hint);
}

async function mergeOne(invocation: PushInvocation, push: Push, request: ChangeRequest, server: BuildServer) {
  const { client, flags } = invocation;
  const { update, require } = flags;
  const { spaceId } = push;
  try {
    await withContentPort(invocation, 'Checking', (port) => refuseOvertaken(port, push, request));
    const params = { spaceId, changeRequestId: request.id };
    return await mergeRequest(await client(), params, { request, open: true, update, require });
  } catch (error) {
    reportNotMerged(server, request, error);
    throw error;
  }
}

/** Shows a plan before it is sent, or prints it as the result of a dry run. */
async function showPlan(invocation: PushInvocation, push: Push, plan: Plan): Promise<void> {
  const { io, globals } = invocation;
  for (const note of notesOf(plan)) await io.note(note);
  const { deletions = [], others = [] } = Object.groupBy(plan.operations, ({ kind }) =>
    kind === 'delete' ? 'deletions' : 'others',
  );
  const rows = [...deletions, ...others].flatMap(pushRows);
  await printPlan(invocation, rows, push.docs.name, plan.unchanged);
  if (!globals.dryRun) return;
  const later = await checkBefore(invocation, push, plan);
  if (later.length > 0) await io.note(`${later.join(', ')}: checked after the push, before the merge.`);
  const { existing } = push;
  if (isUpdatedFirst(push) && existing)
    await io.note(`#${existing.number} is behind main content: a push updates it first, and compares again.`);
  await io.note(rows.length === 0 ? `${push.docs.name} has no changes.` : `${plan.unchanged} unchanged.`);
}

/** These conditions do not depend on what a push changes. */
const lasting: ReadonlySet<Condition> = new Set(['no-open-comments', 'up-to-date']);

/** Checks the conditions of --require that the push does not change. @returns the others */
async function checkBefore(
  { client, flags }: PushInvocation,
  { spaceId, existing }: Push,
  { operations }: Plan,
): Promise<Condition[]> {
  const { update, require = [] } = flags;
  const isChanged = operations.length > 0 || !existing;
  const later = require.filter((condition) => isChanged && !lasting.has(condition));
  if (existing) {
    const params = { spaceId, changeRequestId: existing.id };
    const now = require.filter((condition) => !later.includes(condition));
    await checkConditions(await client(), params, existing, { open: true, update, require: now });
  }
  return later;
}

const maxTitles = 5;

/** Notes about changes in the app that are not in the folder. */
function notesOf({ kept, merged, isFirst }: Plan): string[] {
  const titles = (all: readonly string[]) =>
    `${all.slice(0, maxTitles).join(', ')}${all.length > maxTitles ? `, and ${all.length - maxTitles} more` : ''}`;
  const why = isFirst ? 'kept on the first push, as in the space' : 'changed in the app since the last push';
  const them = kept.length === 1 ? 'it' : 'them';
  return [
    ...(kept.length > 0 ? [`${counted(kept.length, 'page')} ${why}; pull to get ${them}: ${titles(kept)}.`] : []),
    ...(merged.length > 0
      ? [
          `${counted(merged.length, 'page')} changed here and, in different places, in the app; merged: ${titles(merged)}.`,
        ]
      : []),
  ];
}

/** Reports the results to a build server. */
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
