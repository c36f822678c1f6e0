import { join, relative } from 'node:path';
import type { Port } from '../client/port.ts';
import type { Base } from '../content/folder/base.ts';
import { hashOf, type LocalFolder, type Problem } from '../content/folder/folder.ts';
import { layoutName, writeLayout } from '../content/folder/layout.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { maxChanges, maxInlineBytes } from '../contract/content.ts';
import { EngineError } from '../shared/engine-error.ts';
import { syncConflictsError } from './conflicts.ts';
import type { FolderTexts } from './folder-texts.ts';
import { type Docs, readLocal, refuseConflictMarks } from './local-folder.ts';
import type { Operation, Plan } from './plan.ts';
import { markFor, readWhole } from './pull-base.ts';
import { createRequest, type Found, type Request, type Target } from './push-request.ts';
import {
  type ContentPort,
  readAncestors,
  readContent,
  type ReadContent,
  readRevision,
  readTexts,
} from './read-remote.ts';
import type { Remote, RemotePage } from './remote.ts';
import { type Kind, refuseInterleaved, RevisionConflict, sendOperations, Written } from './send.ts';
import type { MergeOptions } from './three-way/merge-sides.ts';
import { baseAfter } from './three-way/record.ts';
import type { Compared } from './three-way/sides.ts';

/** What a push may do to the pages of the space, and what it refuses. */
export interface PushOptions extends MergeOptions {
  /** Keeps the pages of both at the first push of a folder. */
  adopt?: boolean | undefined;
  /** Refuses files over the limit of the service, in place of leaving them out. */
  strict?: boolean | undefined;
}

/** A folder, and where it is pushed to. */
export interface Push extends Found {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  spaceId: string;
  target: Target;
  warnings: PushWarnings;
  options: PushOptions;
}

export interface Planned {
  plan: Plan;
  compared: Compared;
  /** What it was planned for. */
  content: Pick<ReadContent, 'revision' | 'remote'>;
}

/** Reads a folder to push, and shows what is left out. @throws EngineError for conflict marks and empty folders */
export async function readPush(
  texts: FolderTexts,
  docs: Docs,
  sink: WarningSink,
  { mdx }: { mdx?: boolean | undefined },
): Promise<Pick<Push, 'local' | 'warnings'>> {
  const local = await readLocal(texts, docs, { mdx });
  refuseConflictMarks(docs, local);
  const warnings = new PushWarnings(docs, local.root, sink);
  await warnings.show(local.problems);
  // A wrong folder, or a job without a checkout, must not delete the pages of a space.
  if (local.pages.length === 0) {
    throw new EngineError('usage', `${docs.name} contains no pages; nothing was sent.`, {
      hint: 'Pages are .md files. To empty a space, delete its pages in the app.',
    });
  }
  return { local, warnings };
}

/**
 * What is to be done in a request, or in main content where there is none yet, and the warnings about what is left out.
 * Files over the limit are, unless that is refused.
 */
export async function planPush(port: ContentPort, push: Push, request = push.existing): Promise<Planned> {
  let planned = await planOnce(port, push, request);
  const { texts, docs, local, warnings, options } = push;
  const smaller = options.strict ? undefined : await withoutLarge(texts, docs, local, planned.plan.operations);
  if (smaller) {
    push.local = smaller;
    planned = await planOnce(port, push, request);
  }
  await warnings.show([...push.local.problems, ...planned.plan.notes], port.note);
  return planned;
}

async function planOnce(
  port: ContentPort,
  { texts, docs, local, spaceId, options }: Push,
  request: Request | undefined,
): Promise<Planned> {
  const sizes = new Set(local.files.map(({ bytes }) => bytes.length));
  const content = await readContent(port, { spaceId, revisionId: request?.revision }, sizes);
  const { remote, revision } = content;
  const folder = join(docs.name, local.root);
  const localTexts = local.pages.map(({ text }) => text);
  const pulled = await pulledBase(port, { texts, docs, local, spaceId, existing: request }, remote);
  const compared = await texts.run('compare', { local, remote, pulled }, { folder, texts: localTexts });
  const read = {
    remote: await readTexts(port, { spaceId, revisionId: revision.id }, compared.unread),
    base: await readAncestors(port, spaceId, compared.ancestors),
  };
  const plan = await texts.run(
    'plan',
    { local, remote, compared, read, options },
    { folder, texts: [...localTexts, ...read.remote.values()] },
  );
  return { plan, compared, content };
}

/** The base of a folder that was pulled from this place since the last push to it. */
async function pulledBase(
  port: ContentPort,
  { texts, docs, local, spaceId, existing }: Pick<Push, 'texts' | 'docs' | 'local' | 'spaceId' | 'existing'>,
  remote: Remote,
): Promise<Base | undefined> {
  const target = join(docs.path, local.root);
  const mark = await markFor({ target, spaceId, changeRequest: existing?.id, remote });
  const marked = mark && (await readWhole(port, { spaceId, revisionId: mark.revision }, remote));
  if (!marked) return undefined;
  const input = { remote: marked.remote, revision: marked.revision.id, local };
  const all = [...local.pages, ...marked.remote.pages].map(({ text }) => text);
  return texts.run('pulledBase', input, { folder: join(docs.name, local.root), texts: all });
}

/**
 * Refuses a plan that would undo the work of others.
 *
 * @throws EngineError for a folder that was never pushed to this space, or with the conflicts
 */
export async function refuseLosses(
  { docs, spaceId, options }: Push,
  { isFirst, conflicts }: Plan,
  wasSent = false,
): Promise<void> {
  if (isFirst && !options.adopt && !options.overwrite && !wasSent) {
    throw new EngineError(
      'usage',
      `${docs.name} was never pushed to space ${spaceId}, which has pages that the folder does not have in the same way; nothing was sent.`,
      {
        hint: 'Pass --adopt to compare them and keep the pages of both, or --overwrite to give the pages that both have the state of the folder. --dry-run shows what would be done.',
      },
    );
  }
  if (conflicts.length === 0) return;
  throw await syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: wasSent ? 'the rest was not sent.' : 'nothing was sent.',
    hint: 'Change the folder so that both agree, or resolve all conflicts with --prefer app, --prefer folder, or --overwrite to overwrite every page.',
  });
}

export interface Sent {
  /** Undefined where there was none and nothing to send. */
  request: Request | undefined;
  done: Record<Kind, number>;
  /** What was planned last. */
  planned: Planned;
}

/** How often a plan is made anew because others changed the request meanwhile. */
const maxPlans = 6;

/** Sends what differs. Where others change the request meanwhile, it compares again. @param first the plan so far */
export async function sendPush(port: ContentPort, push: Push, first: Planned): Promise<Sent> {
  const { client } = port;
  const { docs, spaceId, target } = push;
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  let request = push.existing;
  for (let attempt = 1; ; attempt += 1) {
    const planned = attempt === 1 ? first : await planPush(port, push, request);
    const { plan } = planned;
    if (attempt > 1) await refuseLosses(push, plan, true);
    if (isDone(push, planned, request)) return { request, done, planned };
    refuseLarge(docs, plan.operations);
    if (request === undefined) {
      const created = await createRequest(port, { spaceId, subject: target.subject, count: push.count });
      ({ request } = created);
      if (created.isOther) continue;
    }
    const written = new Written();
    try {
      const pending = pendingRecord(planned);
      const operations = [...pending, ...plan.operations];
      request = await sendOperations(port, { spaceId, request, operations, done, written });
      if (push.existing === undefined) await refuseInterleaved(client, spaceId, written);
      request = await sendRecord(port, push, request, { planned, written, hasPending: pending.length > 0 });
      return { request, done, planned };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw withRequest(error, request);
      if (attempt === maxPlans) throw tooManyConflicts(push, request);
      await port.note(`#${request.number} was changed in the meantime; comparing again.`);
      request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: request.id } });
    }
  }
}

/**
 * Whether there is nothing to send. A record alone makes no request for people to review, unless it is the first one or
 * the request is merged at once.
 */
function isDone(
  { target }: Push,
  { plan: { operations, record }, compared }: Planned,
  request: Request | undefined,
): boolean {
  if (operations.length > 0) return false;
  return !record.isNew || (request === undefined && !target.isMerged && compared.base !== undefined);
}

/** The error with a hint at the request, which keeps what was sent. */
function withRequest(error: unknown, { number }: Request): unknown {
  if (error instanceof EngineError || !(error instanceof Error)) return error;
  if ('hint' in error && error.hint !== undefined) return error;
  const hint = `Everything sent so far is in change request #${number}; run the same command again to continue.`;
  return Object.assign(error, { hint });
}

function tooManyConflicts({ docs, spaceId }: Push, { number }: Request): EngineError {
  return new EngineError('refused', `Others keep changing change request #${number}; not everything was sent.`, {
    hint: `Push again when they are done: docsctl content push ${docs.name} --cr ${number} --space ${spaceId}`,
  });
}

/**
 * What a push is about to do, as the first thing that it sends. Only a push of several calls needs it: if it is
 * interrupted, the next one knows which pages came from the folder.
 */
export function pendingRecord({ plan, compared }: Pick<Planned, 'plan' | 'compared'>): Operation[] {
  const { operations, record } = plan;
  if (operations.length < maxChanges) return [];
  const { base } = compared.layout;
  const pending: Base = { pages: record.pages.map(({ entry }) => entry), files: new Map() };
  const bytes = writeLayout({ ...record.layout, ...(base && { base }), pending });
  return bytes.length > maxInlineBytes ? [] : [{ kind: 'upload', name: layoutName(record.layout.serial), bytes }];
}

interface Recording {
  planned: Planned;
  written: Written;
  /** A record of what was about to be done was sent. */
  hasPending: boolean;
}

/** Writes down what the folder has, as the base of the next push. @returns the request afterwards */
export async function sendRecord(
  port: Port,
  { spaceId, local }: Pick<Push, 'spaceId' | 'local'>,
  request: Request,
  { planned, written, hasPending }: Recording,
): Promise<Request> {
  const { plan, content } = planned;
  const isChanged = request.revision !== content.revision.id && plan.operations.length > 0;
  const { pages, revision } = isChanged
    ? await readRevision(port.client, { spaceId, revisionId: request.revision })
    : { ...content, pages: content.remote.pages };
  const base = baseAfter(plan.record, {
    ids: written.ids,
    pages: new Map(pages.map((page): [string, RemotePage] => [page.id, page])),
    revision: revision.id,
    writtenAt: written.writtenAt,
    files: filesAfter(planned, written),
  });
  const serial = plan.record.layout.serial + (hasPending ? 1 : 0);
  const bytes = writeLayout({ ...plan.record.layout, serial, base });
  if (bytes.length > maxInlineBytes) {
    await port.note(
      `The record of ${local.pages.length} pages is larger than 1 MB and was not saved: the next push needs --adopt or --overwrite.`,
    );
    return request;
  }
  const operations: Operation[] = [{ kind: 'upload', name: layoutName(serial), bytes }];
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  return sendOperations(port, { spaceId, request, operations, done, written: new Written() });
}

function filesAfter({ plan, compared }: Planned, { files }: Written): Base['files'] {
  const uploads = new Map(compared.files.uploads.map((upload) => [upload.name, upload]));
  const added = [...files].flatMap(([id, name]) => {
    const upload = uploads.get(name);
    return upload ? [[id, { hash: upload.hash, size: upload.bytes.length }] as const] : [];
  });
  return new Map([...plan.record.files, ...added]);
}

export interface PushWarning {
  /** From the working directory. */
  file: string;
  line: number;
  level: 'warning';
  rule: 'content push';
  message: string;
}

/** Where warnings go: to people, and to a build server. */
export interface WarningSink {
  note: Port['note'];
  annotate(warnings: readonly PushWarning[]): Promise<void>;
}

/** What of a folder is left out of a push or not understood: each is shown once, and counted. */
export class PushWarnings {
  count = 0;
  readonly #docs: Docs;
  readonly #root: string;
  readonly #sink: WarningSink;
  readonly #shown = new Set<string>();

  /** @param root of the docs in the folder */
  constructor(docs: Docs, root: string, sink: WarningSink) {
    this.#docs = docs;
    this.#root = root;
    this.#sink = sink;
  }

  /** Those that were not shown yet. */
  async show(problems: readonly Problem[], note = this.#sink.note): Promise<void> {
    const warnings: PushWarning[] = [];
    for (const { file, line, message } of problems) {
      const name = relative(process.cwd(), join(this.#docs.path, this.#root, file)) || file;
      const text = `${name}${line === undefined ? '' : `:${line}`}: ${message}`;
      if (this.#shown.has(text)) continue;
      this.#shown.add(text);
      await note(text);
      warnings.push({ file: name, line: line ?? 1, message, level: 'warning', rule: 'content push' });
    }
    this.count += warnings.length;
    if (warnings.length > 0) await this.#sink.annotate(warnings);
  }
}

/** @throws EngineError where there are warnings, and `--fail-on warning` is given */
export function refuseWarnings(failOn: string | undefined, warnings: readonly PushWarnings[]): void {
  const count = warnings.reduce((sum, each) => sum + each.count, 0);
  if (failOn === undefined || count === 0) return;
  const warningsText = count === 1 ? 'There is 1 warning' : `There are ${count} warnings`;
  throw new EngineError('checkFailed', `${warningsText}; nothing was sent.`, {
    hint: 'Correct what is listed above, or push without --fail-on warning.',
  });
}

const megabytes = (bytes: Uint8Array) => `${(Math.ceil(bytes.length / 1e5) / 10).toFixed(1)} MB`;

/**
 * The folder without the files that are to be uploaded and are too large, with a problem for each place that names one.
 * Undefined where there are none.
 */
export async function withoutLarge(
  folderTexts: FolderTexts,
  docs: Docs,
  local: LocalFolder,
  operations: readonly Operation[],
): Promise<LocalFolder | undefined> {
  const large = new Set(largeUploads(operations).map(({ bytes }) => hashOf(bytes)));
  if (large.size === 0) return undefined;
  const leftOut = new Map(local.files.filter(({ hash }) => large.has(hash)).map(({ path, bytes }) => [path, bytes]));
  const texts = [...local.pages, ...local.includes].flatMap(({ file, text }) =>
    file === null || text === null ? [] : [{ file, text }],
  );
  const places = await folderTexts.run(
    'placesOf',
    { texts, paths: [...leftOut.keys()] },
    { folder: join(docs.name, local.root), texts: texts.map(({ text }) => text) },
  );
  const problems = places.map(({ file, line, url, path }) => ({
    file,
    line,
    message: `${url} is ${megabytes(leftOut.get(path) ?? new Uint8Array())}, over the limit of 1 MB, and is left out.`,
  }));
  const named = new Set(places.map(({ path }) => path));
  for (const [path, bytes] of leftOut) {
    if (named.has(path)) continue;
    problems.push({
      file: path,
      line: 1,
      message: `The file is ${megabytes(bytes)}, over the limit of 1 MB, and is left out.`,
    });
  }
  return {
    ...local,
    files: local.files.filter(({ path }) => !leftOut.has(path)),
    problems: [...local.problems, ...problems],
  };
}

function largeUploads(operations: readonly Operation[]) {
  return operations.flatMap((operation) =>
    operation.kind === 'upload' && operation.bytes.length > maxInlineBytes && !isOwnFile(operation.name)
      ? [operation]
      : [],
  );
}

/** @throws EngineError for uploads over the limit of the service, before anything is sent */
export function refuseLarge(docs: Docs, operations: readonly Operation[]): void {
  const large = largeUploads(operations).map(({ name, bytes }) => `${name} (${megabytes(bytes)})`);
  if (large.length === 0) return;
  throw new EngineError(
    'refused',
    `${docs.name} shows ${large.length === 1 ? 'a file' : 'files'} larger than the limit of 1 MB: ${large.join(', ')}. Nothing was sent.`,
    {
      hint: 'Make them smaller, upload them somewhere else and link to their address, or push without --strict to leave them out.',
    },
  );
}
