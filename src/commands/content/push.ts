import { join } from 'node:path';
import { outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { LocalFolder } from '../../content/sync/folder.ts';
import type { Operation, Plan } from '../../content/sync/plan.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { spaces } from '../../contract/spaces.ts';
import { type Docs, docsOf, readLocal } from './folder.ts';
import { FolderTexts } from './folder-texts.ts';
import { printDryRun, printPlan } from './plan.ts';
import type { Kind } from './push-items.ts';
import { createRequest, findRequest, merge, type PushInvocation, type Request } from './push-request.ts';
import { PushWarnings, refuseLarge, refuseWarnings, withoutLarge } from './push-warnings.ts';
import { recordPushed } from './pushed.ts';
import { readContent } from './remote.ts';
import { refuseInterleaved, RevisionConflict, sendOperations, type Written } from './send.ts';

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
  const warnings = new PushWarnings(docs, local.root, io, server);
  await warnings.show(local.problems);
  refuseEmpty(docs, local);
  const spaceId = flags.space ?? docs.space ?? (await scopeOf(invocation, 'space'));
  return { texts, docs, local, spaceId, warnings, existing: await findRequest(invocation, spaceId, docs) };
}

async function pushOne(invocation: PushInvocation, push: Push, server: BuildServer): Promise<Pushed> {
  const { flags } = invocation;
  const { docs, spaceId } = push;
  const { request, done, lastPlan } = await sendAll(invocation, push);
  await recordPushed(invocation, spaceId, join(docs.path, push.local.root), push.local);
  const counts = {
    added: done.add,
    changed: done.change,
    moved: done.move,
    deleted: done.delete,
    uploaded: done.upload,
    unchanged: lastPlan.unchanged,
    warnings: push.warnings.count,
  };
  if (!request) {
    const client = await invocation.client();
    const { revision, urls } = await client.call(spaces.view, { params: { spaceId } });
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

/** A folder, and where it is pushed to. */
interface Push {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  spaceId: string;
  warnings: PushWarnings;
  /** The change request, where there is one already. */
  existing: Request | undefined;
}

interface Sent {
  /** Undefined where there was none and nothing to send. */
  request: Request | undefined;
  done: Record<Kind, number>;
  lastPlan: Plan;
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
    const lastPlan = await planAll(invocation, push, request);
    if (attempt === 1) {
      refuseWarnings(invocation.flags.failOn, [push.warnings]);
      await printPlan(invocation, lastPlan.operations.map(rowOf), docs.name, lastPlan.unchanged);
    }
    const { operations } = lastPlan;
    if (operations.length === 0) return { request, done, lastPlan };
    refuseLarge(docs, operations);
    if (request === undefined) {
      const created = await createRequest(invocation, spaceId, docs);
      ({ request } = created);
      if (created.isOther) continue;
    }
    try {
      const written: Written[] = [];
      request = await sendOperations(invocation, { spaceId, request, operations, done, written });
      if (push.existing === undefined) await refuseInterleaved(client, spaceId, written);
      return { request, done, lastPlan };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw withRequest(error, request);
      if (attempt === maxPlans) throw tooManyConflicts(push, request);
      await invocation.io.note(`Others changed #${request.number} meanwhile; comparing again.`);
      request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: request.id } });
    }
  }
}

function tooManyConflicts({ docs, spaceId }: Push, { number }: Request): CommandError {
  return new CommandError(`Others keep changing change request #${number}; not everything was sent.`, {
    exitCode: exit.refused,
    hint: `Push again when they are done: docsctl content push ${docs.name} --cr ${number} --space ${spaceId}`,
  });
}

async function showDryRun(invocation: PushInvocation, push: Push): Promise<void> {
  const { io } = invocation;
  const { operations, unchanged } = await planAll(invocation, push, push.existing);
  if (invocation.flags.strict) refuseLarge(push.docs, operations);
  await printDryRun(invocation, operations.map(rowOf));
  if (invocation.flags.require) await io.note('--require is checked when the change request is merged.');
  await io.note(operations.length === 0 ? `${push.docs.name} has no changes.` : `${unchanged} unchanged.`);
}

/** Plans, and shows what is left out. Files over the limit are, unless `--strict` is given. */
async function planAll(invocation: PushInvocation, push: Push, request: Request | undefined): Promise<Plan> {
  let made = await planFor(invocation, push, request);
  const { texts, docs, local, warnings } = push;
  const smaller = invocation.flags.strict ? undefined : await withoutLarge(texts, docs, local, made.operations);
  if (smaller) {
    push.local = smaller;
    made = await planFor(invocation, push, request);
  }
  await warnings.show([...push.local.problems, ...made.notes]);
  return made;
}

/** What differs between the folder and a request, or main content where there is none yet. */
async function planFor(
  invocation: PushInvocation,
  { texts, docs, local, spaceId }: Push,
  request: Request | undefined,
): Promise<Plan> {
  const client = await invocation.client();
  const revisionId = request?.revision ?? (await client.call(spaces.view, { params: { spaceId } })).revision;
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(invocation, { spaceId, revisionId }, sizes);
  await content.close();
  const { remote } = content;
  return texts.run(
    'plan',
    { local, remote },
    { folder: join(docs.name, local.root), texts: [...local.pages, ...remote.pages].map(({ text }) => text) },
  );
}

// A wrong folder, or a job without a checkout, must not delete the pages of a space.
function refuseEmpty(docs: Docs, local: LocalFolder): void {
  if (local.pages.length > 0) return;
  throw new UsageError(
    `${docs.name} contains no pages; nothing was sent.`,
    'Pages are .md files. To empty a space, delete its pages in the app.',
  );
}

function rowOf(operation: Operation) {
  switch (operation.kind) {
    case 'upload':
      return { action: 'upload', path: operation.name, size: operation.bytes.length };
    case 'add':
      return { action: 'add', path: operation.path, title: operation.fields.title };
    case 'move':
      return { action: 'move', path: operation.path, from: operation.from };
    case 'change': {
      const members = [...(operation.text === undefined ? [] : ['text']), ...Object.keys(operation.fields)];
      return { action: 'change', path: operation.path, what: members.join(', ') };
    }
    case 'delete':
      return { action: 'delete', path: operation.path, title: operation.title };
  }
}

/** The error with a hint at the request, which keeps what was sent. */
function withRequest(error: unknown, { number }: Request): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  if ('hint' in error && error.hint !== undefined) return error;
  const hint = `Everything sent so far is in change request #${number}; the same command continues from there.`;
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
