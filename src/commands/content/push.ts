import { join, relative } from 'node:path';
import { type BuildServer, buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import type { LocalFolder } from '../../content/sync/folder.ts';
import { isLayout } from '../../content/sync/layout.ts';
import { type Operation, plan, type Plan } from '../../content/sync/plan.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { maxInlineBytes } from '../../contract/content.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { type Docs, docsOf, readLocal } from './folder.ts';
import { recordPushed } from './pushed.ts';
import { readContent } from './remote.ts';
import { RevisionConflict, sendOperations } from './send.ts';
import { printPlan, printRehearsal } from './plan.ts';
import { mergeRequest } from '../cr/merge.ts';

type Request = AnswerOf<typeof changeRequests.view>;

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
  /** Of what the folder holds and was left out or not understood. */
  warnings: number;
  revision: string;
  url?: string;
}

/** Pushes the folder that is named, or those of the project file. */
export async function pushAll(invocation: Invocation): Promise<void> {
  const { flags, globals, session, io } = invocation;
  refuseContradictions(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const folders = await docsOf(invocation);
  if (folders.length > 1 && flags.cr !== undefined)
    throw new UsageError('--cr takes one folder.', 'Name the folder, or use --new for a request in each space.');
  const pushed: Pushed[] = [];
  for (const docs of folders) {
    const result = await pushOne(invocation, docs, server);
    if (result) pushed.push(result);
  }
  if (globals.dryRun) return;
  report(server, pushed);
  if (folders.length === 1)
    return print(invocation, pushed[0], undefined, outputOptions(invocation, { idKey: 'changeRequest' }));
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'changeRequest' }),
    invocation.command.output!.columns!,
    io.out,
  );
  await output.page(pushed);
  await output.end();
}

function refuseContradictions({ flags, globals }: Invocation): void {
  if (flags.cr !== undefined && flags.new !== undefined)
    throw new UsageError(
      '--cr and --new exclude each other.',
      'Give the request that is there, or the subject of one.',
    );
  if (flags.update && !flags.merge) throw new UsageError('--update goes with --merge.');
  if (flags.cr === undefined && flags.new === undefined && !flags.merge && !globals.dryRun) {
    throw new UsageError(
      'Where should it go?',
      'Give --cr <request>, --new "subject", or --merge to go all the way into main content.',
    );
  }
}

/** How often a plan is made anew because others changed the request meanwhile. */
const mostPlans = 6;

/** @returns undefined for a dry run */
async function pushOne(invocation: Invocation, docs: Docs, server: BuildServer): Promise<Pushed | undefined> {
  const { flags, globals, io } = invocation;
  const local = await readLocal(docs);
  await tellProblems(invocation, docs, local, server);
  refuseEmpty(docs, local);
  const spaceId = (flags.space as string | undefined) ?? docs.space ?? (await scopeOf(invocation, 'space'));
  const client = await invocation.client();
  let request = await findRequest(invocation, spaceId, docs);
  const total = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  let unchanged = 0;
  let warnings = local.problems.length;
  for (let attempt = 1; ; attempt += 1) {
    const revisionId = request?.revision ?? (await client.call(spaces.view, { params: { spaceId } })).revision;
    const made = await planFor(invocation, { spaceId, revisionId }, local);
    if (attempt === 1) await tellPlan(invocation, docs, made);
    if (globals.dryRun) return undefined;
    unchanged = made.unchanged;
    warnings = local.problems.length + made.notes.length;
    if (made.operations.length === 0) break;
    refuseLarge(docs, made);
    request ??= await client.call(changeRequests.create, {
      params: { spaceId },
      body: { subject: subjectOf(flags.new, docs) },
    });
    try {
      request = await sendOperations(invocation, { spaceId, request, operations: made.operations, done: total });
      break;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw told(error, request);
      if (attempt === mostPlans) {
        throw new CommandError(`Others keep changing change request #${request.number}; not everything was sent.`, {
          exitCode: exit.refused,
          hint: `Push again when they are done: docsctl content push ${docs.name} --cr ${request.number} --space ${spaceId}`,
        });
      }
      await io.note(`Others changed #${request.number} meanwhile; comparing again.`);
      request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: request.id } });
    }
  }
  const counts = {
    added: total.add,
    changed: total.change,
    moved: total.move,
    deleted: total.delete,
    uploaded: total.upload,
    unchanged,
    warnings,
  };
  await recordPushed(invocation, spaceId, join(docs.path, local.root), local);
  if (!request) {
    const space = await client.call(spaces.view, { params: { spaceId } });
    return { folder: docs.name, status: 'unchanged', ...counts, revision: space.revision, url: space.urls.app };
  }
  if (flags.merge) request = await merged(invocation, spaceId, request, server);
  return {
    folder: docs.name,
    changeRequest: request.number,
    status: request.status,
    ...counts,
    revision: request.revisionMerged ?? request.revision,
    url: request.urls.app,
  };
}

/** The request to push into, where there is one already. @throws CommandError where it takes no more changes */
async function findRequest(invocation: Invocation, spaceId: string, docs: Docs): Promise<Request | undefined> {
  const { flags, globals } = invocation;
  const client = await invocation.client();
  if (flags.cr !== undefined) {
    const request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: flags.cr } });
    if (request.status !== 'merged' && request.status !== 'archived') return request;
    throw new CommandError(`Change request #${request.number} is ${request.status} and takes no more changes.`, {
      exitCode: exit.refused,
      hint: 'Push into another one, or into a new one with --new "subject".',
    });
  }
  if (globals.dryRun && flags.new === undefined && !flags.merge) return undefined;
  const subject = subjectOf(flags.new, docs);
  // A run that failed half-way, or the one of the commit before, left a request: a second one would be in its way.
  for (const status of ['draft', 'open'] as const) {
    for await (const request of client.items(changeRequests.list, { params: { spaceId }, query: { status } })) {
      if (request.subject === subject) return request;
    }
  }
  return undefined;
}

const subjectOf = (given: string | undefined, { name }: Docs) => given ?? `Push ${name}`.slice(0, 100);

async function planFor(
  invocation: Invocation,
  at: { spaceId: string; revisionId: string },
  local: LocalFolder,
): Promise<Plan> {
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(invocation, at, sizes);
  await content.close();
  return plan(local, content.remote);
}

async function tellProblems({ io }: Invocation, docs: Docs, local: LocalFolder, server: BuildServer): Promise<void> {
  const findings = local.problems.map(({ file, line, message }) => {
    const name = relative(process.cwd(), join(docs.path, local.root, file)) || file;
    return { name: line === undefined ? name : `${name}:${line}`, file: name, line: line ?? 1, message };
  });
  for (const { name, message } of findings) await io.note(`${name}: ${message}`);
  if (findings.length === 0) return;
  await server.annotate(
    findings.map(({ file, line, message }) => ({ file, line, severity: 'warning', message, rule: 'content push' })),
  );
}

// A wrong folder, or a job that checked nothing out, must not delete a space's pages.
function refuseEmpty(docs: Docs, local: LocalFolder): void {
  if (local.pages.length > 0) return;
  throw new UsageError(
    `${docs.name} holds no pages; nothing was sent.`,
    'Pages are .md files. If the space is to be empty, delete its pages in the app.',
  );
}

function refuseLarge(docs: Docs, { operations }: Plan): void {
  const large = operations.filter(
    (each) => each.kind === 'upload' && each.bytes.length > maxInlineBytes && !isLayout(each.name),
  ) as Extract<Operation, { kind: 'upload' }>[];
  if (large.length === 0) return;
  const named = large.map(({ name, bytes }) => `${name} (${(bytes.length / 1e6).toFixed(1)} MB)`).join(', ');
  throw new CommandError(
    `${docs.name} shows ${large.length === 1 ? 'a file' : 'files'} larger than the 1 MB the service takes: ${named}. Nothing was sent.`,
    {
      exitCode: exit.refused,
      hint: 'Make them smaller, or put them where they have an address and link to that.',
    },
  );
}

async function tellPlan(invocation: Invocation, docs: Docs, made: Plan): Promise<void> {
  const { io, globals } = invocation;
  for (const note of made.notes) await io.note(note);
  const rows = made.operations.map(rowOf);
  if (globals.dryRun) {
    await printRehearsal(invocation, rows);
    await io.note(rows.length === 0 ? `${docs.name} is there as it is.` : `${made.unchanged} unchanged.`);
    return;
  }
  await printPlan(invocation, rows, docs.name, made.unchanged);
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
    default:
      return { action: 'delete', path: operation.path, title: operation.title };
  }
}

/** The failure with the request it happened in, which is not lost. */
function told(error: unknown, request: Request): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  const known = error as Error & { hint?: string };
  known.hint ??= `Everything sent so far is in change request #${request.number}; the same command goes on from there.`;
  return known;
}

async function merged(
  invocation: Invocation,
  spaceId: string,
  request: Request,
  server: BuildServer,
): Promise<Request> {
  const client = await invocation.client();
  const params = { spaceId, changeRequestId: request.id };
  try {
    await mergeRequest(client, params, { open: true, update: Boolean(invocation.flags.update) });
  } catch (error) {
    server.outputs({ 'change-request': request.number, url: request.urls.app });
    if (error instanceof CommandError) server.summary(`### Not merged\n\n${markdownCell(error.message)}`);
    throw error;
  }
  return client.call(changeRequests.view, { params });
}

function report(server: BuildServer, pushed: Pushed[]): void {
  const rows = pushed.map(
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
  const [first] = pushed;
  if (pushed.length === 1)
    server.outputs({ revision: first!.revision, url: first!.url, 'change-request': first!.changeRequest });
}
