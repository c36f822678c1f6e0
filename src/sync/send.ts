import { randomUUID } from 'node:crypto';
import type { Client } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import { contentTypeOf } from '../content/folder/files.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { maxChanges } from '../contract/content.ts';
import type { BodyInput } from '../contract/endpoint.ts';
import { revisions } from '../contract/revisions.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Operation, PageRef } from './plan.ts';
import type { Request } from './push-request.ts';

/** Somebody else changed the request since it was read: the plan may be about other pages now. */
export class RevisionConflict extends Error {}

interface Sending {
  spaceId: string;
  request: Request;
  operations: readonly Operation[];
  /** Counts what the service has carried out, by kind. */
  done: Record<Kind, number>;
  /** Gets what the calls wrote. */
  written: Written;
}

/** What the calls of a push wrote. */
export class Written {
  /** Revisions that calls wrote, and those that they were planned for. */
  readonly revisions: { expected: string; revision: string }[] = [];
  /** Ids of new pages, by their keys in the plan. */
  readonly ids = new Map<string, string>();
  /** When pages were written, by id. */
  readonly writtenAt = new Map<string, string>();
  /** Names of new files, by id. */
  readonly files = new Map<string, string>();
}

/**
 * Sends operations in their order, in as few calls as possible. Each call is carried out whole or not at all.
 *
 * @returns the request afterwards
 * @throws RevisionConflict before anything is sent that somebody else's change could make wrong
 */
export async function sendOperations(port: Port, sending: Sending): Promise<Request> {
  const { client, signal, progress } = port;
  const { written } = sending;
  const params = { spaceId: sending.spaceId, changeRequestId: sending.request.id };
  const { items: queue, refs } = itemsOf(sending.operations);
  const keys = new Map([...refs].map(([key, ref]) => [ref, key]));
  const total = queue.length;
  const ids = new Map<string, string>();
  const postponed: Item[] = [];
  progress.say(`Pushing to #${sending.request.number}`);
  let { request } = sending;
  for (let sent = 0; queue.length > 0 || postponed.length > 0; progress.count(sent, total)) {
    if (queue.length === 0) queue.push(...postponed.splice(0));
    signal.throwIfAborted();
    const batch = nextBatch(queue);
    // New pages and files take nothing away from anybody.
    const isSafe = !batch.some(isOverwriting);
    if (!isSafe) await refuseConflict(client, params, request);
    try {
      const body = { changes: changesOf(batch, ids) };
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
    for (const kind of batch.flatMap(({ kinds }) => kinds)) sending.done[kind] += 1;
  }
  return request;
}

/** @throws RevisionConflict */
async function refuseConflict(
  client: Client,
  params: { spaceId: string; changeRequestId: string },
  expected: Request,
): Promise<void> {
  const current = await client.call(changeRequests.view, { params });
  if (current.revision !== expected.revision) throw new RevisionConflict();
}

/**
 * Two pushes that created one request may write at the same moment, between the check of the other and its call.
 *
 * @throws RevisionConflict where a call did not write on the revision that it was planned for
 */
export async function refuseInterleaved(client: Client, spaceId: string, { revisions: all }: Written): Promise<void> {
  for (const { expected, revision } of all) {
    const params = { spaceId, revisionId: revision };
    const { parents } = await client.call(revisions.view, { params, query: { metadata: false } });
    if (!parents.includes(expected)) throw new RevisionConflict();
  }
}

const detailsOf = (error: unknown) => (error instanceof HttpError ? (error.details ?? []) : []);

/**
 * Where a slug is still taken by a page that gives it up in a later change, gives the page another slug for now.
 *
 * @returns the item that gives it its own slug later
 */
function postponeTakenSlug(error: unknown, batch: readonly Item[]): Item | undefined {
  const detail = detailsOf(error).find(({ path, rule }) => rule === 'unique' && path.endsWith('/slug'));
  const item = detail && itemAt(batch, detail.path);
  // An item without kinds gives a page its own slug back: it is not postponed again.
  return item && item.kinds.length > 0 ? postponeSlug(item) : undefined;
}

/** The error of the service with the paths of the pages and files that it is about. */
function withPaths(error: unknown, batch: readonly Item[]): unknown {
  const lines = detailsOf(error).map(({ path, message }) => {
    const item = itemAt(batch, path);
    const member = /^\/changes\/\d+\/(?:files\/\d+\/)?(.+)$/.exec(path)?.[1];
    return `  ${item?.path ?? path}${member ? ` (${member.replaceAll('/', '.')})` : ''}: ${message}`;
  });
  if (lines.length === 0) return error;
  return new EngineError('refused', `The service refused the push.\n${lines.join('\n')}`, {
    hint: 'Fix what is listed and push again. What was sent before is kept.',
    cause: error,
  });
}

export type Change = BodyInput<typeof changeRequestContent.change>['changes'][number];
export type Kind = Operation['kind'];
type OperationOf<K extends Kind> = Extract<Operation, { kind: K }>;

/** One change to be sent. */
export interface Item {
  change: Change;
  /** Path of its page or file, for errors. */
  path: string;
  /** The operations that it carries out. */
  kinds: Kind[];
  bytes: number;
}

// The service accepts 50 changes and 20 files in one call, and bodies of 10 MiB.
const maxFiles = 20;
const maxBytes = 6 * 1024 * 1024;

/** The changes that carry operations out, and the references of new pages by their keys in the plan. */
export function itemsOf(operations: readonly Operation[]): { items: Item[]; refs: ReadonlyMap<string, string> } {
  const list = new ItemList();
  for (const operation of operations) list.add(operation);
  return list;
}

class ItemList {
  readonly items: Item[] = [];
  /** The references of pages that are still to be made, by their keys in the plan. */
  readonly refs = new Map<string, string>();

  add(operation: Operation): void {
    switch (operation.kind) {
      case 'upload':
        this.items.push(uploadOf(operation));
        break;
      case 'add':
        this.#addPage(operation);
        break;
      case 'delete': {
        const { id: page, path } = operation;
        this.items.push({ change: { operation: 'delete_page', page }, path, kinds: ['delete'], bytes: 100 });
        break;
      }
      case 'move': {
        const { parent, index: position } = operation;
        this.#update(operation, { into: this.#refOf(parent), at: position, ...slugOf(operation) });
        break;
      }
      case 'change': {
        const { fields, text } = operation;
        this.#update(operation, { ...fields, ...(text === undefined ? {} : { document: { markdown: text } }) });
        break;
      }
    }
  }

  #addPage({ key, path, parent, index: position, fields, text }: OperationOf<'add'>): void {
    // No text links to this name by chance.
    const ref = randomUUID();
    this.refs.set(key, ref);
    const change = {
      operation: 'insert_page',
      document: text === null ? {} : { markdown: text },
      ref,
      into: this.#refOf(parent),
      at: position,
      ...fields,
    } as const;
    this.items.push({ change, path, kinds: ['add'], bytes: sizeOf(change) });
  }

  #update(
    { kind, id, path }: OperationOf<'move' | 'change'>,
    values: Omit<Extract<Change, { operation: 'update_page' }>, 'operation' | 'page'>,
  ): void {
    const last = this.items.at(-1);
    // A page that is moved and changed is one change to the service.
    if (last?.change.operation === 'update_page' && last.change.page === id) {
      Object.assign(last.change, values);
      last.kinds.push(kind);
      last.bytes = sizeOf(last.change);
      return;
    }
    const change = { operation: 'update_page', page: id, ...values } as const;
    this.items.push({ change, path, kinds: [kind], bytes: sizeOf(change) });
  }

  #refOf(page: PageRef | null): string | null {
    if (page === null) return null;
    if ('id' in page) return page.id;
    const ref = this.refs.get(page.key);
    if (ref === undefined) throw new Error(`The page ${page.key} is used before it is added.`);
    return ref;
  }
}

function uploadOf({ name, bytes }: OperationOf<'upload'>): Item {
  const base64 = Buffer.from(bytes).toString('base64');
  const file = { name, base64, contentType: contentTypeOf(name, bytes) };
  const kinds: Kind[] = isOwnFile(name) ? [] : ['upload'];
  return { change: { operation: 'insert_files', files: [file] }, path: name, kinds, bytes: base64.length };
}

// Sent with each move: beside a page of the same slug that moves later, the service would make up another slug.
const slugOf = ({ path, from }: OperationOf<'move'>) =>
  from === '' ? {} : { slug: path.slice(path.lastIndexOf('/') + 1) };

const sizeOf = (change: Change) => Buffer.byteLength(JSON.stringify(change));

/** Whether a change may replace or delete what somebody else wrote meanwhile. */
export const isOverwriting = ({ change }: Item) =>
  change.operation === 'update_page' || change.operation === 'delete_page';

/** Takes the next items from the queue that fit into one call. */
export function nextBatch(queue: Item[]): Item[] {
  let bytes = 0;
  let count = 0;
  let changes = 0;
  let files = 0;
  for (const item of queue) {
    const isFile = item.change.operation === 'insert_files';
    const isNewChange = !isFile || files % maxFiles === 0;
    if (count > 0 && (bytes + item.bytes > maxBytes || (isNewChange && changes === maxChanges))) break;
    bytes += item.bytes;
    count += 1;
    if (isNewChange) changes += 1;
    if (isFile) files += 1;
  }
  return queue.splice(0, count);
}

/** The changes of one call. Files are joined, and pages that earlier calls made are named by their ids. */
export function changesOf(batch: readonly Item[], ids: ReadonlyMap<string, string>): Change[] {
  const changes: Change[] = [];
  for (const { change } of batch) {
    const last = changes.at(-1);
    if (change.operation !== 'insert_files') changes.push(withIds(change, ids));
    else if (last?.operation === 'insert_files' && last.files.length < maxFiles) last.files.push(...change.files);
    else changes.push({ ...change, files: [...change.files] });
  }
  return changes;
}

function withIds(change: Change, ids: ReadonlyMap<string, string>): Change {
  const idOf = (ref: string) => ids.get(ref) ?? ref;
  switch (change.operation) {
    case 'insert_page':
      return { ...change, ...(change.into ? { into: idOf(change.into) } : {}) };
    case 'update_page':
      return { ...change, page: idOf(change.page), ...(change.into ? { into: idOf(change.into) } : {}) };
    case 'delete_page':
    case 'revert_page':
      return { ...change, page: idOf(change.page) };
    case 'insert_files':
      return change;
  }
}

/** The item that a JSON Pointer into the body of a call is about. Files come first in a call, twenty in one change. */
export function itemAt(batch: readonly Item[], pointer: string): Item | undefined {
  const [, changeIndex, fileIndex] = /^\/changes\/(\d+)(?:\/files\/(\d+))?/.exec(pointer) ?? [];
  if (changeIndex === undefined) return undefined;
  let change = -1;
  let files = 0;
  for (const item of batch) {
    const isFile = item.change.operation === 'insert_files';
    if (!isFile || files % maxFiles === 0) change += 1;
    const file = files % maxFiles;
    if (isFile) files += 1;
    if (change === Number(changeIndex) && (fileIndex === undefined || file === Number(fileIndex))) return item;
  }
  return undefined;
}

/**
 * Gives the page of an item another slug for now.
 *
 * @returns the item that gives it its own slug when the others are done; undefined where the item sets no slug
 */
export function postponeSlug({ change, path }: Item): Item | undefined {
  if (change.operation !== 'insert_page' && change.operation !== 'update_page') return undefined;
  const { slug } = change;
  const page = change.operation === 'insert_page' ? change.ref : change.page;
  if (slug === undefined || page === undefined) return undefined;
  change.slug = `${slug.slice(0, 80)}-docsctl-${randomUUID().slice(0, 8)}`;
  return { change: { operation: 'update_page', page, slug }, path, kinds: [], bytes: 200 };
}
