import { randomUUID } from 'node:crypto';
import { contentTypeOf } from '../content/folder/files.ts';
import { isOwnFile } from '../content/folder/file-names.ts';
import type { changeRequestContent } from '../contract/change-request-content.ts';
import { maxChanges } from '../contract/content.ts';
import type { BodyInput } from '../contract/endpoint.ts';
import { pageIdsIn, replacePageIds } from './page-links.ts';
import type { Operation, PageRef } from './plan.ts';

type Change = BodyInput<typeof changeRequestContent.change>['changes'][number];
type OperationOf<K extends Operation['kind']> = Extract<Operation, { kind: K }>;

/** A change to send. */
export interface Item {
  change: Change;
  /** The path of its page or file, for errors. */
  path: string;
  /** The operations that it completes. */
  kinds: Operation['kind'][];
  bytes: number;
}

// The service accepts 50 changes and 20 files in one call, and bodies of 10 MiB.
const maxFiles = 20;
export const maxBytes = 6 * 1024 * 1024;

/** The changes for operations, and the references of new pages by their keys in the plan. */
export function itemsOf(operations: readonly Operation[]): { items: Item[]; refs: ReadonlyMap<string, string> } {
  const items: Item[] = [];
  const refs = new Map<string, string>();
  const refOf = (page: PageRef | null): string | null => {
    if (page === null) return null;
    if ('id' in page) return page.id;
    const ref = refs.get(page.key);
    if (ref === undefined) throw new Error(`The page ${page.key} is used before it is added.`);
    return ref;
  };
  const update = (
    { kind, id, path }: OperationOf<'move' | 'change'>,
    values: Omit<Extract<Change, { operation: 'update_page' }>, 'operation' | 'page'>,
  ) => {
    const last = items.at(-1);
    // A page that is moved and changed is one change to the service.
    if (last?.change.operation === 'update_page' && last.change.page === id) {
      Object.assign(last.change, values);
      last.kinds.push(kind);
      last.bytes = sizeOf(last.change);
      return;
    }
    const change = { operation: 'update_page', page: id, ...values } as const;
    items.push({ change, path, kinds: [kind], bytes: sizeOf(change) });
  };
  for (const operation of operations) {
    switch (operation.kind) {
      case 'upload':
        items.push(uploadOf(operation));
        break;
      case 'add': {
        // Random, so that no text contains a link to it by chance.
        const ref = randomUUID();
        items.push(pageOf(operation, ref, refOf(operation.parent)));
        refs.set(operation.key, ref);
        break;
      }
      case 'delete': {
        const { id: page, path } = operation;
        items.push({ change: { operation: 'delete_page', page }, path, kinds: ['delete'], bytes: 100 });
        break;
      }
      case 'move': {
        const { parent, index, path, from } = operation;
        // Without its slug, a page next to one of the same slug that moves later would get another slug.
        const slug = from === '' ? {} : { slug: path.slice(path.lastIndexOf('/') + 1) };
        update(operation, { into: refOf(parent), at: index, ...slug });
        break;
      }
      case 'change': {
        const { fields, text } = operation;
        update(operation, { ...fields, ...(text !== undefined && { document: { markdown: text } }) });
        break;
      }
    }
  }
  return { items, refs };
}

function pageOf({ path, index, fields, text }: OperationOf<'add'>, ref: string, parent: string | null): Item {
  const document = text === null ? {} : { markdown: text };
  const change = { operation: 'insert_page', document, ref, into: parent, at: index, ...fields } as const;
  return { change, path, kinds: ['add'], bytes: sizeOf(change) };
}

function uploadOf({ name, bytes }: OperationOf<'upload'>): Item {
  const base64 = Buffer.from(bytes).toString('base64');
  const file = { name, base64, contentType: contentTypeOf(name, bytes) };
  const kinds: Item['kinds'] = isOwnFile(name) ? [] : ['upload'];
  return { change: { operation: 'insert_files', files: [file] }, path: name, kinds, bytes: base64.length };
}

const sizeOf = (change: Change) => Buffer.byteLength(JSON.stringify(change));

/** Whether a change may overwrite or delete changes made by others in the meantime. */
export const isOverwriting = ({ change }: Item) =>
  change.operation === 'update_page' || change.operation === 'delete_page';

/** Takes the items from the queue that fit into one call. */
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

/** The items of one call by change: up to 20 files are one change. */
function groupsOf(batch: readonly Item[]): [Item, ...Item[]][] {
  const groups: [Item, ...Item[]][] = [];
  for (const item of batch) {
    const last = groups.at(-1);
    const { operation } = item.change;
    if (operation === 'insert_files' && last?.[0].change.operation === operation && last.length < maxFiles)
      last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** The pages that the operations create. */
interface NewPages {
  /** The reference of each page, by the placeholder of its ID in links. */
  refs: ReadonlyMap<string, string>;
  /** The IDs that earlier calls gave them, by reference. */
  ids: ReadonlyMap<string, string>;
}

/** Returns the address of a new page for links in a call; undefined if a later call creates the page. */
function addressesIn(batch: readonly Item[], { refs, ids }: NewPages): (id: string) => string | undefined {
  const inCall = new Set(
    batch.flatMap(({ change }) => (change.operation === 'insert_page' && change.ref ? [change.ref] : [])),
  );
  return (id) => {
    const ref = refs.get(id);
    if (ref === undefined) return undefined;
    const known = ids.get(ref);
    if (known !== undefined) return `/pages/${known}`;
    return inCall.has(ref) ? `./${ref}.md` : undefined;
  };
}

function markdownOf({ change }: Item): string | undefined {
  const { document } = 'document' in change ? change : {};
  return document && 'markdown' in document && typeof document.markdown === 'string' ? document.markdown : undefined;
}

/**
 * Removes the texts that link to pages of later calls from the items of a call, and the items with nothing else.
 *
 * @returns items that send these texts when all pages exist
 */
export function withoutLaterLinks(batch: Item[], pages: NewPages): Item[] {
  if (pages.refs.size === 0) return [];
  const addressOf = addressesIn(batch, pages);
  const isLater = (id: string) => pages.refs.has(id) && addressOf(id) === undefined;
  const postponed: Item[] = [];
  for (const item of batch.splice(0)) {
    const { change, path, bytes, kinds } = item;
    const markdown = markdownOf(item);
    if (markdown === undefined || !pageIdsIn(markdown).some(isLater)) {
      batch.push(item);
      continue;
    }
    const textOf = (page: string) =>
      ({ change: { operation: 'update_page', page, document: { markdown } }, path, bytes }) as const;
    if (change.operation === 'insert_page' && change.ref !== undefined) {
      batch.push({ ...item, change: { ...change, document: {} } });
      postponed.push({ ...textOf(change.ref), kinds: [] });
    } else if (change.operation === 'update_page') {
      const { document: _, ...rest } = change;
      // It has an operation and a page.
      const hasMore = Object.keys(rest).length > 2;
      if (hasMore) batch.push({ ...item, change: rest });
      postponed.push({ ...textOf(change.page), kinds: hasMore ? [] : kinds });
    }
  }
  return postponed;
}

/** The changes of one call, which refer to pages that earlier calls created by ID. */
export function changesOf(batch: readonly Item[], pages: NewPages): Change[] {
  const idOf = (ref: string) => pages.ids.get(ref) ?? ref;
  const addressOf = addressesIn(batch, pages);
  return groupsOf(batch).map((group): Change => {
    const { change } = group[0];
    if (change.operation === 'insert_files')
      return { ...change, files: group.flatMap((item) => ('files' in item.change ? item.change.files : [])) };
    const markdown = markdownOf(group[0]);
    return {
      ...change,
      ...(markdown !== undefined &&
        pages.refs.size > 0 && { document: { markdown: replacePageIds(markdown, addressOf) } }),
      ...('page' in change && { page: idOf(change.page) }),
      ...('into' in change && change.into && { into: idOf(change.into) }),
    };
  });
}

/** The item that a JSON Pointer into the body of a call refers to. */
export function itemAt(batch: readonly Item[], pointer: string): Item | undefined {
  const [, change, file = 0] = /^\/changes\/(\d+)(?:\/files\/(\d+))?/.exec(pointer) ?? [];
  return groupsOf(batch)[Number(change)]?.[Number(file)];
}
