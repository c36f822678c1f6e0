import { join } from 'node:path';
import type { ChangeRequest } from '../change-requests/read-sides.ts';
import type { Condition } from '../change-requests/condition-names.ts';
import type { Client } from '../client/client.ts';
import type { Port } from '../client/port.ts';
import { hashOf, type LocalFolder } from '../content/folder/folder.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { fitImages } from './fit-images.ts';
import { maxInlineBytes } from '../contract/content.ts';
import { spaces } from '../contract/spaces.ts';
import { users } from '../contract/users.ts';
import { EngineError } from '../shared/engine-error.ts';
import { conflictHint, syncConflictsError } from './conflicts.ts';
import { type Docs, type FolderTexts, readLocal, refuseMergeConflicts, workOn } from './local-folder.ts';
import type { Operation, Plan } from './plan.ts';
import { PushWarnings, type WarningSink } from './push-warnings.ts';
import { type Checkout, readCheckout } from './checkout.ts';
import { findBase, wasTouched } from './find-base.ts';
import { ancestorFor } from './pull-base.ts';
import { refuseUnknownFiles } from './preference.ts';
import { entryFor } from './push-entry.ts';
import { type ContentPort, readContent, readForPlan } from './read-remote.ts';
import { noneDone, type Planned, RevisionConflict, sendPlan, type Written } from './send.ts';
import { stateFiles, writeState } from './state-file.ts';
import type { MergeOptions } from './three-way/merge-sides.ts';
import { keyOf } from './three-way/sides.ts';
import { filesIn } from './write-folder.ts';

/** What a push may do to the pages of the space, and what it refuses. */
export interface PushOptions extends MergeOptions {
  /** Keeps the pages of both sides on the first push of a folder. */
  adopt?: boolean | undefined;
  /** Fails if a file exceeds the limit of the service, instead of skipping the file. */
  strict?: boolean | undefined;
  /** What happens if a later commit was pushed already. */
  ifStale?: 'fail' | 'skip' | 'push' | undefined;
  /** Conditions of the merge after the push. */
  require?: readonly Condition[] | undefined;
  /** How many pages may be deleted; by default, 10 or a fifth of the pages. */
  maxDeletions?: number | undefined;
}

/** Selects the change request that a push goes to. */
interface Target {
  /** The ID or number of an existing request. */
  cr?: string | undefined;
  /** The subject of the request to reuse or create if `cr` is undefined. */
  subject: string;
  /** Whether the request is merged after the push. Then there is rarely an existing one. */
  isMerged?: boolean;
}

/** The change requests of a space before a push. */
interface RequestsBefore {
  /** The request to push to; undefined if it has to be created. */
  existing: ChangeRequest | undefined;
  /** The number of requests in the space, if known. */
  count?: number | undefined;
}

/** A folder and its destination. */
export interface Push extends RequestsBefore {
  texts: FolderTexts;
  docs: Docs;
  local: LocalFolder;
  /** Undefined outside of Git. */
  checkout: Checkout | undefined;
  spaceId: string;
  target: Target;
  warnings: PushWarnings;
  options: PushOptions;
}

interface ReadOptions {
  mdx?: boolean | undefined;
  branch?: string | undefined;
  /** Whether images over the limit of the service are made smaller. */
  fitsImages?: boolean | undefined;
}

const kilobytes = (bytes: number) => `${Math.ceil(bytes / 1_000)} kB`;

/** Reads a folder and reports skipped files. @throws EngineError if a file has conflict marks, or there are no pages */
export async function readPush(
  texts: FolderTexts,
  docs: Docs,
  sink: WarningSink,
  { mdx, branch, fitsImages }: ReadOptions,
): Promise<Pick<Push, 'local' | 'warnings' | 'checkout'>> {
  const local = await readLocal(texts, docs, { mdx, keepsUnreadable: true });
  refuseMergeConflicts(docs, local);
  const warnings = new PushWarnings(docs, local.root, sink);
  await warnings.show(local.problems);
  // The wrong folder, or a CI job without a checkout, must not delete the pages of a space.
  if (local.pages.every(({ isUnreadable }) => isUnreadable)) {
    throw new EngineError('usage', `${docs.name} contains no pages; nothing was sent.`, {
      hint: 'Pages are .md files. To empty a space, delete its pages in the app.',
    });
  }
  const checkout = await readCheckout(docs.path, branch);
  if (!fitsImages) return { local, warnings, checkout };
  const { local: smaller, fitted, others } = await fitImages(texts, docs, local);
  for (const { path, before, after, width, height } of fitted)
    await sink.note(
      `${path} is sent as ${width} x ${height} pixels, ${kilobytes(after)} instead of ${kilobytes(before)}.`,
    );
  for (const path of others)
    await sink.note(`${path} is not made smaller: --fit-images only changes PNG and JPEG images.`);
  return { local: smaller, warnings, checkout };
}

/** Finds the change request to push to. @throws EngineError if it no longer accepts changes */
export async function findRequest(
  { client }: Pick<Port, 'client'>,
  spaceId: string,
  { cr, subject, isMerged = false }: Target,
): Promise<RequestsBefore> {
  if (cr !== undefined) {
    const request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: cr } });
    if (request.status !== 'merged' && request.status !== 'archived') return { existing: request };
    throw new EngineError(
      'refused',
      `Change request #${request.number} is ${request.status} and accepts no more changes.`,
      { hint: 'Push to another one, or create one with --new "subject".' },
    );
  }
  // If there is rarely a request to find, one request for the counts of the space saves two for the lists.
  const space = isMerged ? await client.call(spaces.view, { params: { spaceId } }) : undefined;
  const counts = { draft: space?.changeRequestsDraft, open: space?.changeRequestsOpen };
  for (const status of ['draft', 'open'] as const) {
    const requests = counts[status] === 0 ? [] : await requestsWith(client, spaceId, { status, subject });
    if (requests.length === 0) continue;
    // An earlier run may have left a request. A second one with the same changes would conflict with it.
    const { id } = await client.call(users.current, {});
    const existing = requests.find(({ createdBy }) => createdBy.id === id);
    if (existing) return { existing, count: space?.changeRequests };
  }
  return { existing: undefined, count: space?.changeRequests };
}

/** The requests with this status and subject, oldest first. */
export async function requestsWith(
  client: Client,
  spaceId: string,
  { status, subject }: { status: 'draft' | 'open'; subject: string },
): Promise<ChangeRequest[]> {
  const requests = await Array.fromAsync(client.items(changeRequests.list, { params: { spaceId }, query: { status } }));
  return requests.filter((request) => request.subject === subject).toSorted((one, other) => one.number - other.number);
}

/**
 * Creates a request. If another push creates one with the same subject at the same time, both pushes see both requests and
 * choose the older one, and this one is archived.
 *
 * @param count of the requests in the space before: if the new one has the next number, there is no other
 * @returns whether it is the request of the other push, which may already have content
 */
export async function createRequest(
  { client, note }: Pick<Port, 'client' | 'note'>,
  { spaceId, subject, count }: { spaceId: string; subject: string; count?: number | undefined },
): Promise<{ request: ChangeRequest; isOther: boolean }> {
  const request = await client.call(changeRequests.create, { params: { spaceId }, body: { subject } });
  if (count !== undefined && request.number === count + 1) return { request, isOther: false };
  const requests = await requestsWith(client, spaceId, { status: 'draft', subject });
  const oldest = requests.find(({ createdBy }) => createdBy.id === request.createdBy.id);
  if (oldest === undefined || oldest.number >= request.number) return { request, isOther: false };
  const params = { spaceId, changeRequestId: request.id };
  await client.call(changeRequests.edit, { params, body: { status: 'archived' } });
  await note(
    `Another push created #${oldest.number} with this subject at the same time. docsctl uses it and archives #${request.number}.`,
  );
  return { request: oldest, isOther: true };
}

/**
 * Compares the folder with a request, or with the main content if there is no request yet, and reports what is skipped.
 * Files over the limit are skipped unless `strict` is set.
 */
export async function planPush(port: ContentPort, push: Push, request = push.existing): Promise<Planned> {
  const compare = () => planOnce(port, push, request);
  const planned = await (push.options.strict ? compare() : compareWithoutLarge(push, compare));
  await push.warnings.show([...push.local.problems, ...planned.plan.notes], port.note);
  return planned;
}

/** Reads the space, finds the base, compares the folder with both, and plans the operations. */
async function planOnce(port: ContentPort, push: Push, request: ChangeRequest | undefined): Promise<Planned> {
  const { texts, local, spaceId, options } = push;
  const content = await readContent(port, { spaceId, revisionId: request?.revision }, local.files);
  const { remote, revision } = content;
  const base = await findBase(push, content, { changeRequest: request?.id, mayBeStale: options.ifStale === 'push' });
  const ancestor = await ancestorFor(port, push, base, remote);
  const compared = await texts.run('compare', { local, remote, ancestor }, workOn(push));
  refuseUnknownFiles(options, { local, remote, compared });
  const read = await readForPlan(port, { spaceId, revisionId: revision.id }, compared);
  const input = { local, remote, compared, read, options };
  const plan = await texts.run('plan', input, workOn(push, read.remote.values()));
  // The next push of this commit, or of one after it, starts from here. A late push of an earlier one must be recognized.
  if (!base.isLatest || (await wasTouched(push.checkout, base))) plan.record.isNew = true;
  return { plan, compared, content };
}

/** @throws EngineError if this is the first push to a space that has other pages, or if there are conflicts */
export async function refuseLosses(
  { docs, spaceId, options }: Push,
  { isFirst, conflicts }: Plan,
  wasSent = false,
): Promise<void> {
  if (isFirst && !options.adopt && !options.overwrite && !wasSent) {
    throw new EngineError(
      'usage',
      `${docs.name} was never pushed to space ${spaceId}, whose pages differ from the folder; nothing was sent.`,
      {
        hint: 'Pass --adopt to merge them and keep the pages of both sides, or --overwrite to overwrite pages that are on both sides. Use --dry-run to preview the changes.',
      },
    );
  }
  if (conflicts.length === 0) return;
  throw await syncConflictsError(conflicts, {
    folder: docs.name,
    outcome: wasSent ? 'the rest was not sent.' : 'nothing was sent.',
    hint: conflictHint,
  });
}

/** A push that deletes more pages than this needs a confirmation or `maxDeletions`. */
const usualDeletions = { pages: 10, share: 0.2 };

/** How many pages a plan deletes, and whether that is more than usual. */
export function deletionsOf(
  { record, operations }: Plan,
  { remote }: Planned['content'],
): { count: number; isUnusual: boolean } {
  const deleted = new Set(operations.flatMap((operation) => (operation.kind === 'delete' ? [operation.id] : [])));
  const staying = new Set(record.pages.map(({ entry }) => entry.id));
  for (const { id, parent } of remote.pages)
    if (parent !== null && deleted.has(parent) && !staying.has(id)) deleted.add(id);
  const count = deleted.size;
  return { count, isUnusual: count > usualDeletions.pages && count > usualDeletions.share * remote.pages.length };
}

/** @throws EngineError if more pages are deleted than `maxDeletions` allows */
export function refuseDeletions({ docs, options: { maxDeletions } }: Push, { plan, content }: Planned): void {
  const { count } = deletionsOf(plan, content);
  if (maxDeletions === undefined || count <= maxDeletions) return;
  throw new EngineError('refused', `The push of ${docs.name} deletes ${count} pages; nothing was sent.`, {
    hint: `If that is right, pass --max-deletions ${count}.`,
  });
}

/** How many pages and files of the folder a push left out or could not read. */
export function leftOut({ local }: Pick<Push, 'local'>, { held }: Plan): number {
  const unread = local.problems.flatMap(({ rule, file }) => (rule === 'not-utf8' ? [file] : []));
  const large = local.problems.flatMap(({ rule, file, message }) =>
    rule === 'too-large' ? [`${file} ${message}`] : [],
  );
  return new Set([...unread, ...large, ...held]).size;
}

export interface Sent {
  /** Undefined if there was no request and nothing to send. */
  request: ChangeRequest | undefined;
  done: Written['done'];
  /** The last plan. */
  planned: Planned;
}

/** How often the folder is compared again because others keep changing the request. */
const maxPlans = 6;

/**
 * Refuses to merge a request if a later commit was pushed to main content after this push was planned.
 *
 * @throws StaleCheckout
 */
export async function refuseOvertaken(port: ContentPort, push: Push, request: ChangeRequest): Promise<void> {
  const { checkout, spaceId, options } = push;
  if (!checkout || options.ifStale === 'push') return;
  const params = { spaceId, changeRequestId: request.id };
  if (!(await port.client.call(changeRequests.view, { params })).outdated) return;
  await findBase(push, await readContent(port, { spaceId }));
}

/**
 * Whether main content comes into the existing request first. Otherwise, a merge would add a page a second time that somebody
 * else has added to main content in the meantime.
 */
export const isUpdatedFirst = ({ existing, target, options }: Pick<Push, 'existing' | 'target' | 'options'>): boolean =>
  existing?.outdated === true && target.isMerged === true && options.require?.includes('up-to-date') !== true;

/** The existing request, with main content if that comes into it first. */
async function updatedRequest({ client, note }: Port, push: Push): Promise<ChangeRequest | undefined> {
  const { spaceId, existing } = push;
  if (!existing || !isUpdatedFirst(push)) return existing;
  const params = { spaceId, changeRequestId: existing.id };
  const { result } = await client.call(changeRequests.update, { params });
  // The push may resolve the conflicts. If it does not, the merge reports them.
  if (result === 'conflicts') return existing;
  await note(`#${existing.number} was behind main content; it was updated, and is compared again.`);
  return client.call(changeRequests.view, { params });
}

/** Sends the differences. If others change the request in the meantime, compares again. */
export async function sendPush(port: ContentPort, push: Push, first: Planned): Promise<Sent> {
  const { docs, spaceId, target } = push;
  const done = noneDone();
  let planned = first;
  let request = await updatedRequest(port, push);
  if (request !== push.existing) {
    planned = await planPush(port, push, request);
    await refuseLosses(push, planned.plan, true);
  }
  for (let attempt = 1; ; attempt += 1) {
    if (attempt > 1) {
      planned = await planPush(port, push, request);
      await refuseLosses(push, planned.plan, true);
    }
    if (isDone(push, planned, request)) return { request, done, planned };
    refuseLarge(docs, planned.plan.operations);
    if (request === undefined) {
      const created = await createRequest(port, { spaceId, subject: target.subject, count: push.count });
      ({ request } = created);
      // Another push may have written to it, or main content changed since the folder was compared with it.
      if (created.isOther || request.revisionInitial !== planned.content.revision.id) continue;
    }
    planned.entry = await entryFor(push);
    try {
      request = await sendPlan(port, push, planned, { request, done, isNew: push.existing === undefined });
      return { request, done, planned };
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw withRequest(error, request);
      if (attempt === maxPlans) throw tooManyConflicts(push, request);
      await port.note(`#${request.number} was changed in the meantime; comparing again.`);
      request = await port.client.call(changeRequests.view, { params: { spaceId, changeRequestId: request.id } });
    }
  }
}

/**
 * Whether there is nothing to send. A record alone is no reason to create a request for review, unless it is the first one
 * or the request is merged immediately.
 */
function isDone(
  { target }: Push,
  { plan: { operations, record }, compared }: Planned,
  request: ChangeRequest | undefined,
): boolean {
  if (operations.length > 0) return false;
  return !record.isNew || (request === undefined && !target.isMerged && compared.base !== undefined);
}

/** Records what the folder was pushed to. @param merged the revision of main content, if the request was merged */
export async function recordPush(push: Push, { request, planned }: Sent, merged: string | undefined): Promise<void> {
  const { docs, local, spaceId, checkout } = push;
  const { entry, written, plan } = planned;
  if (!request || !entry || !written) return;
  const ids = new Map(
    plan.record.pages.flatMap(({ entry: { id, file } }) =>
      file === undefined ? [] : [[file, written.ids.get(keyOf(id)) ?? id] as const],
    ),
  );
  await writeState(join(docs.path, local.root), {
    space: spaceId,
    revision: merged ?? request.revision,
    serial: written.serial,
    push: entry.id,
    files: stateFiles(filesIn(local), ids),
    ...(merged === undefined && { changeRequest: request.id }),
    ...(checkout && { commit: checkout.head.id }),
  });
}

/** The error, with a hint that what was sent is in the request. */
function withRequest(error: unknown, { number }: ChangeRequest): unknown {
  if (error instanceof EngineError || !(error instanceof Error)) return error;
  if ('hint' in error && error.hint !== undefined) return error;
  const hint = `Everything sent so far is in change request #${number}; run the same command again to continue.`;
  return Object.assign(error, { hint });
}

function tooManyConflicts({ docs, spaceId }: Push, { number }: ChangeRequest): EngineError {
  return new EngineError('refused', `Others keep changing change request #${number}; not everything was sent.`, {
    hint: `Push again when they are done: docsctl content push ${docs.name} --cr ${number} --space ${spaceId}`,
  });
}

const megabytes = (bytes: Uint8Array) => `${(Math.ceil(bytes.length / 1e5) / 10).toFixed(1)} MB`;

/** Compares a folder. If the plan uploads files over the limit, removes them from the folder and compares again. */
export async function compareWithoutLarge<Comparison extends { plan: Plan }>(
  push: Pick<Push, 'texts' | 'docs' | 'local'>,
  compare: () => Promise<Comparison>,
): Promise<Comparison> {
  const comparison = await compare();
  const large = new Set(largeUploads(comparison.plan.operations).map(({ bytes }) => hashOf(bytes)));
  if (large.size === 0) return comparison;
  const { texts, local } = push;
  const skipped = new Map(local.files.filter(({ hash }) => large.has(hash)).map(({ path, bytes }) => [path, bytes]));
  const files = [...local.pages, ...local.includes].flatMap(({ file, text }) =>
    file === null || text === null ? [] : [{ file, text }],
  );
  const included = local.includes.map(({ text }) => text);
  const places = await texts.run('placesOf', { texts: files, paths: [...skipped.keys()] }, workOn(push, included));
  const linked = new Set(places.map(({ path }) => path));
  const problems = [
    ...places,
    ...[...skipped.keys()].flatMap((path) =>
      linked.has(path) ? [] : [{ file: path, line: 1, url: 'The file', path }],
    ),
  ].map(({ file, line, url, path }) => ({
    file,
    line,
    rule: 'too-large',
    message: `${url} is ${megabytes(skipped.get(path) ?? new Uint8Array())}, over the limit of 1 MB, and is skipped.`,
  }));
  push.local = {
    ...local,
    files: local.files.filter(({ path }) => !skipped.has(path)),
    problems: [...local.problems, ...problems],
  };
  return compare();
}

const largeUploads = (operations: readonly Operation[]) =>
  operations
    .filter((operation) => operation.kind === 'upload')
    .filter(({ name, bytes }) => bytes.length > maxInlineBytes && !isOwnFile(name));

/** @throws EngineError if an upload exceeds the limit of the service */
export function refuseLarge(docs: Docs, operations: readonly Operation[]): void {
  const large = largeUploads(operations).map(({ name, bytes }) => `${name} (${megabytes(bytes)})`);
  if (large.length === 0) return;
  throw new EngineError(
    'refused',
    `${docs.name} uses ${large.length === 1 ? 'a file' : 'files'} over the limit of 1 MB: ${large.join(', ')}. Nothing was sent.`,
    {
      hint: 'Make them smaller (--fit-images), link to a copy on another website, or push without --strict to skip them.',
    },
  );
}
