import { randomUUID } from 'node:crypto';
import { contentTypeOf } from '../content/folder/files.ts';
import { isOwnFile } from '../content/folder/own-files.ts';
import type { Operation, PageRef } from './plan.ts';
import type { changeRequestContent } from '../contract/change-request-content.ts';
import { maxChanges } from '../contract/content.ts';
import type { BodyInput } from '../contract/endpoint.ts';

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
