import { randomUUID } from 'node:crypto';
import type { ChangeRequest } from '../change-requests/read-sides.ts';
import type { Client } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import type { Base } from '../content/folder/base.ts';
import type { LocalFolder } from '../content/folder/folder.ts';
import { type Layout, layoutName, writeLayout } from '../content/folder/layout.ts';
import { maxPushes, type PushEntry } from '../content/folder/push-log.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { maxChanges, maxInlineBytes } from '../contract/content.ts';
import { revisions } from '../contract/revisions.ts';
import { EngineError } from '../shared/engine-error.ts';
import {
  changesOf,
  isOverwriting,
  type Item,
  itemAt,
  itemsOf,
  maxBytes,
  nextBatch,
  withoutLaterLinks,
} from './calls.ts';
import { logOf } from './find-base.ts';
import type { Operation, Plan } from './plan.ts';
import { newPageId } from './page-links.ts';
import type { NewEntry } from './push-entry.ts';
import { type ReadContent, readRevision } from './read-remote.ts';
import { baseAfter, linksToPages } from './three-way/record.ts';
import type { Compared } from './three-way/compare.ts';

/** The request changed since it was read, so the plan may no longer fit its pages. */
export class RevisionConflict extends Error {}

export const noneDone = (): Record<Operation['kind'], number> => ({ add: 0, change: 0, move: 0, delete: 0, upload: 0 });

/** What the calls of a push wrote. */
export class Written {
  /** The number of completed operations by kind. */
  readonly done: ReturnType<typeof noneDone>;
  /** Revisions that calls wrote, with the revisions that they were planned for. */
  readonly revisions: { expected: string; revision: string }[] = [];
  /** IDs of new pages by their keys in the plan. */
  readonly ids = new Map<string, string>();
  /** Times at which pages were written, by ID. */
  readonly writtenAt = new Map<string, string>();
  /** Names of new files by ID. */
  readonly files = new Map<string, string>();

  constructor(done = noneDone()) {
    this.done = done;
  }
}

export interface Planned {
  plan: Plan;
  compared: Compared;
  /** The content that the plan applies to. */
  content: Pick<ReadContent, 'revision' | 'remote'>;
  /** Undefined if this is no push. */
  entry?: NewEntry;
  /** What was written: the number of the layout, and the IDs of new pages by their keys. */
  written?: { serial: number; ids: ReadonlyMap<string, string> };
}

interface Sending {
  request: ChangeRequest;
  done?: Written['done'];
  /** Whether another push may have created the same request, and may be writing to it. */
  isNew?: boolean;
}

interface SentFolder {
  spaceId: string;
  local: LocalFolder;
}

/** Sends a plan, then the record of it. @returns the request afterwards */
export async function sendPlan(
  port: Port,
  folder: SentFolder,
  planned: Planned,
  { request, done, isNew = false }: Sending,
): Promise<ChangeRequest> {
  const written = new Written(done);
  const pending = pendingRecord(planned);
  const operations = [...pending, ...planned.plan.operations];
  const sent = await sendOperations(port, { spaceId: folder.spaceId, request }, operations, written);
  if (isNew) await refuseInterleaved(port.client, folder.spaceId, written);
  const serial = planned.plan.record.layout.serial + pending.length;
  planned.written = { serial, ids: written.ids };
  return sendRecord(port, folder, sent, { planned, written, serial });
}

/**
 * A record of what the push is about to send, which is sent first. If a push of several calls is interrupted, the next one
 * can tell which pages came from the folder.
 */
export function pendingRecord({
  plan,
  compared,
  content,
  entry,
}: Pick<Planned, 'plan' | 'compared' | 'entry'> & Partial<Pick<Planned, 'content'>>): Operation[] {
  const { operations, record } = plan;
  if (operations.length < maxChanges && sizeOfAll(operations) < maxBytes) return [];
  const { base } = compared.layout;
  const pending: Base = { pages: record.pages.map(({ entry }) => entry), files: new Map() };
  const { serial } = record.layout;
  const pushes = content && logWith({ content, entry }, serial);
  const bytes = writeLayout({ ...record.layout, ...(base && { base }), pending, ...(pushes && { pushes }) });
  return bytes.length > maxInlineBytes ? [] : [{ kind: 'upload', name: layoutName(record.layout.serial), bytes }];
}

const sizeOfAll = (operations: readonly Operation[]) =>
  operations.reduce((sum, operation) => {
    if (operation.kind === 'upload') return sum + (operation.bytes.length * 4) / 3;
    return sum + ('text' in operation ? Buffer.byteLength(operation.text ?? '') : 0);
  }, 0);

/** Stores the state of the folder as the base of the next push. @returns the request afterwards */
async function sendRecord(
  port: Port,
  { spaceId, local }: SentFolder,
  request: ChangeRequest,
  { planned, written, serial }: { planned: Planned; written: Written; serial: number },
): Promise<ChangeRequest> {
  const { plan, content } = planned;
  const isChanged = request.revision !== content.revision.id && plan.operations.length > 0;
  const { pages, revision } = isChanged
    ? await readRevision(port.client, { spaceId, revisionId: request.revision })
    : { ...content, pages: content.remote.pages };
  const base = baseAfter(plan.record, {
    ids: written.ids,
    pages: new Map(pages.map((page) => [page.id, page])),
    revision: revision.id,
    writtenAt: written.writtenAt,
    files: filesAfter(planned, written),
  });
  const push = planned.entry?.id;
  const pushes = logWith(planned, serial);
  const layout = { ...plan.record.layout, serial, base, pushes, ...(push !== undefined && { push }) };
  const bytes = await layoutBytes(port, { ...layout, links: linksToPages(layout.links, written.ids) });
  if (bytes.length > maxInlineBytes) {
    await port.note(
      `The record of ${local.pages.length} pages is larger than 1 MB and was not saved: the next push needs --adopt or --overwrite.`,
    );
    return request;
  }
  return sendOperations(port, { spaceId, request }, [{ kind: 'upload', name: layoutName(serial), bytes }]);
}

/** The layout as a file, without the spelling of links if it would be too large. */
async function layoutBytes({ note }: Port, { base, ...layout }: Layout & { base: Base }): Promise<Uint8Array> {
  const bytes = writeLayout({ ...layout, base });
  if (bytes.length <= maxInlineBytes) return bytes;
  // It only saves time.
  const pages = base.pages.map((page) => ({ ...page, from: undefined }));
  const slower = writeLayout({ ...layout, base: { ...base, pages } });
  if (slower.length <= maxInlineBytes || layout.links.size === 0) return slower;
  const smaller = writeLayout({ ...layout, base: { ...base, pages }, links: new Map() });
  if (smaller.length <= maxInlineBytes)
    await note('The spelling of links was not saved, because the record of the pages would be larger than 1 MB.');
  return smaller;
}

/** The log with the new push, without those that are too old. */
function logWith({ content, entry }: Pick<Planned, 'content' | 'entry'>, serial: number): PushEntry[] {
  const added = entry ? [{ ...entry, serial, revision: content.revision.id }] : [];
  return [...logOf(content.remote), ...added].slice(-maxPushes);
}

function filesAfter({ plan, compared }: Planned, { files }: Written): Base['files'] {
  const uploads = new Map(compared.files.uploads.map((upload) => [upload.name, upload]));
  const added = [...files].flatMap(([id, name]) => {
    const upload = uploads.get(name);
    return upload ? [[id, { hash: upload.hash, size: upload.bytes.length }] as const] : [];
  });
  return new Map([...plan.record.files, ...added]);
}

/**
 * Sends operations in order, in as few calls as possible. Each call is atomic.
 *
 * @returns the request afterwards
 * @throws RevisionConflict before sending anything that could overwrite a change made by others
 */
export async function sendOperations(
  { client, signal, progress }: Port,
  { spaceId, request: start }: { spaceId: string; request: ChangeRequest },
  operations: readonly Operation[],
  written = new Written(),
): Promise<ChangeRequest> {
  const params = { spaceId, changeRequestId: start.id };
  const { items: queue, refs } = itemsOf(operations);
  const keys = new Map([...refs].map(([key, ref]) => [ref, key]));
  const ids = new Map<string, string>();
  const pages = { refs: new Map([...refs].flatMap(([key, ref]) => [key, newPageId(key)].map((id) => [id, ref]))), ids };
  const postponed: Item[] = [];
  progress.say(`Pushing to #${start.number}`);
  let request = start;
  for (
    let sent = 0;
    queue.length > 0 || postponed.length > 0;
    progress.count(sent, sent + queue.length + postponed.length)
  ) {
    if (queue.length === 0) queue.push(...postponed.splice(0));
    signal.throwIfAborted();
    const batch = nextBatch(queue);
    postponed.push(...withoutLaterLinks(batch, pages));
    if (batch.length === 0) continue;
    // New pages and files overwrite nothing.
    const isSafe = !batch.some(isOverwriting);
    if (!isSafe) await refuseConflict(client, params, request);
    try {
      const body = { changes: changesOf(batch, pages) };
      const answer = await client.call(changeRequestContent.change, { params, query: { compat: false }, body });
      if (!('changeRequest' in answer)) throw new Error('The service did not return what it changed.');
      const expected = request.revision;
      request = answer.changeRequest;
      if (!isSafe) written.revisions.push({ expected, revision: request.revision });
      for (const change of answer.changes) {
        if (change.object === 'deleted_page') continue;
        written.writtenAt.set(change.page.id, request.updatedAt);
        if (change.object !== 'created_page' || change.ref === undefined) continue;
        ids.set(change.ref, change.page.id);
        written.ids.set(keys.get(change.ref) ?? '', change.page.id);
      }
      for (const { id, name } of answer.insertedFiles) written.files.set(id, name);
    } catch (error) {
      await refuseConflict(client, params, request);
      const later = postponeTakenSlug(error, batch);
      if (!later) throw withPaths(error, batch);
      postponed.push(later);
      queue.unshift(...batch);
      continue;
    }
    sent += batch.length;
    for (const kind of batch.flatMap(({ kinds }) => kinds)) written.done[kind] += 1;
  }
  return request;
}

/** @throws RevisionConflict if the request changed */
async function refuseConflict(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
  expected: ChangeRequest,
): Promise<void> {
  const current = await client.call(changeRequests.view, { params });
  if (current.revision !== expected.revision) throw new RevisionConflict();
}

/**
 * Two pushes that created the same request may write at the same time, between the other's check and its call.
 *
 * @throws RevisionConflict if a call was applied to another revision than it was planned for
 */
async function refuseInterleaved(client: Client, spaceId: string, written: Written): Promise<void> {
  if ((await interleavedRevisions(client, spaceId, written)).length > 0) throw new RevisionConflict();
}

/** The revisions that calls were applied to instead of those that they were planned for. */
export async function interleavedRevisions(
  client: Client,
  spaceId: string,
  { revisions: all }: Written,
): Promise<string[]> {
  const others: string[] = [];
  for (const { expected, revision: revisionId } of all) {
    const params = { spaceId, revisionId };
    const { parents } = await client.call(revisions.view, { params, query: { metadata: false } });
    const [parent] = parents;
    if (parent !== undefined && !parents.includes(expected)) others.push(parent);
  }
  return others;
}

const detailsOf = (error: unknown) => (error instanceof HttpError ? (error.details ?? []) : []);

/**
 * If a slug is still taken by a page that gives it up in a later change, sets a temporary slug.
 *
 * @returns the item that sets the intended slug later
 */
function postponeTakenSlug(error: unknown, batch: readonly Item[]): Item | undefined {
  const detail = detailsOf(error).find(({ path, rule }) => rule === 'unique' && path.endsWith('/slug'));
  const item = detail && itemAt(batch, detail.path);
  // An item without kinds is a postponed one: it is not postponed again.
  if (!item || item.kinds.length === 0) return undefined;
  const { change, path } = item;
  if (change.operation !== 'insert_page' && change.operation !== 'update_page') return undefined;
  const { slug } = change;
  const page = change.operation === 'insert_page' ? change.ref : change.page;
  if (slug === undefined || page === undefined) return undefined;
  change.slug = `${slug.slice(0, 80)}-docsctl-${randomUUID().slice(0, 8)}`;
  return { change: { operation: 'update_page', page, slug }, path, kinds: [], bytes: 200 };
}

/** The error of the service, with the paths of the pages and files that caused it. */
function withPaths(error: unknown, batch: readonly Item[]): unknown {
  const lines = detailsOf(error).map(({ path, message }) => {
    const item = itemAt(batch, path);
    const member = /^\/changes\/\d+\/(?:files\/\d+\/)?(.+)$/.exec(path)?.[1];
    return `  ${item?.path ?? path}${member ? ` (${member.replaceAll('/', '.')})` : ''}: ${message}`;
  });
  if (lines.length === 0) return error;
  return new EngineError('refused', `The service rejected the push.\n${lines.join('\n')}`, {
    hint: 'Fix these problems and push again. What was sent before is kept.',
    cause: error,
  });
}
