import { randomUUID } from 'node:crypto';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { createProgress } from '../../cli/output/index.ts';
import { contentTypeOf } from '../../content/sync/files.ts';
import { isLayout } from '../../content/sync/layout.ts';
import type { Operation, PageRef } from '../../content/sync/plan.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import { maxChanges, maxInlineBytes } from '../../contract/content.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import type { Fault } from '../../contract/errors.ts';

type Request = AnswerOf<typeof changeRequests.view>;
type Change = BodyInput<typeof changeRequestContent.change>['changes'][number];
type Kind = Operation['kind'];

/** Somebody else changed the request since it was read: the plan is about pages that may be others now. */
export class RevisionConflict extends Error {}

// The service takes 50 changes and 20 files in one call, and bodies of 10 MiB.
const maxFiles = 20;
const maxBytes = 6 * 1024 * 1024;

interface Item {
  change: Change;
  /** What it is about, for errors. */
  path: string;
  kinds: Kind[];
  bytes: number;
}

interface Sending {
  spaceId: string;
  request: Request;
  operations: readonly Operation[];
  /** Counts what the service has taken, by kind. */
  done: Record<Kind, number>;
}

/**
 * Sends operations in their order, in as few calls as the service takes. Each call goes in whole or not at all.
 *
 * @returns the request afterwards
 * @throws MovedOn before anything is sent that somebody else's change could make wrong
 */
export async function sendOperations(invocation: Invocation, sending: Sending): Promise<Request> {
  const { io } = invocation;
  const client = await invocation.client();
  const params = { spaceId: sending.spaceId, changeRequestId: sending.request.id };
  const queue = await itemsOf(invocation, sending.operations);
  const total = queue.length;
  const ids = new Map<string, string>();
  const renamed: Item[] = [];
  const progress = createProgress(`Pushing to #${sending.request.number}`, {
    animated: io.canAnimate,
    quiet: io.quiet,
  });
  let { request } = sending;
  try {
    for (let sent = 0; queue.length > 0 || renamed.length > 0; progress.count(sent, total)) {
      if (queue.length === 0) queue.push(...renamed.splice(0));
      invocation.signal.throwIfAborted();
      const batch = nextBatch(queue);
      await refuseMovedOn(invocation, params, request);
      try {
        const answer = await client.call(changeRequestContent.change, {
          params,
          query: { compat: false },
          body: { changes: joined(batch, ids) },
        });
        if (!('changeRequest' in answer)) throw new Error('The service did not tell what it changed.');
        request = answer.changeRequest;
        for (const change of answer.changes)
          if (change.object === 'created_page' && change.ref !== undefined) ids.set(change.ref, change.page.id);
      } catch (error) {
        await refuseMovedOn(invocation, params, request);
        const slug = takenSlug(error, batch);
        if (!slug) throw named(error, batch);
        // The page that has the slug gives it up in a later call.
        renamed.push(laterSlug(slug));
        queue.unshift(...batch);
        continue;
      }
      sent += batch.length;
      for (const kind of batch.flatMap(({ kinds }) => kinds)) sending.done[kind] += 1;
    }
    return request;
  } finally {
    progress.stop();
  }
}

async function refuseMovedOn(
  { client }: Invocation,
  params: { spaceId: string; changeRequestId: string },
  known: Request,
): Promise<void> {
  const present = await (await client()).call(changeRequests.view, { params });
  if (present.revision !== known.revision) throw new RevisionConflict();
}

async function itemsOf({ io }: Invocation, operations: readonly Operation[]): Promise<Item[]> {
  const refs = new Map<string, string>();
  const refOf = (ref: PageRef | null) => (ref === null ? null : 'id' in ref ? ref.id : refs.get(ref.key)!);
  const items: Item[] = [];
  for (const operation of operations) {
    const { kind } = operation;
    if (kind === 'upload') {
      if (operation.bytes.length > maxInlineBytes && isLayout(operation.name)) {
        await io.note(
          'The record of file names and links is larger than 1 MB and is left out: a pull may spell them otherwise.',
        );
        continue;
      }
      const base64 = Buffer.from(operation.bytes).toString('base64');
      const file = { name: operation.name, base64, contentType: contentTypeOf(operation.name, operation.bytes) };
      items.push({
        change: { operation: 'insert_files', files: [file] },
        path: operation.name,
        kinds: [kind],
        bytes: base64.length,
      });
      continue;
    }
    const { path } = operation;
    if (kind === 'add') {
      // A name that no text can link to by chance.
      const ref = randomUUID();
      refs.set(operation.key, ref);
      const { parent, at, fields, text } = operation;
      const document = text === null ? {} : { markdown: text };
      const change = { operation: 'insert_page' as const, document, ref, into: refOf(parent), at, ...fields };
      items.push({ change, path, kinds: [kind], bytes: sizeOf(change) });
      continue;
    }
    if (kind === 'delete') {
      items.push({ change: { operation: 'delete_page', page: operation.id }, path, kinds: [kind], bytes: 100 });
      continue;
    }
    const given =
      kind === 'move'
        ? { into: refOf(operation.parent), at: operation.at, ...slugOf(operation) }
        : { ...operation.fields, ...(operation.text === undefined ? {} : { document: { markdown: operation.text } }) };
    const last = items.at(-1);
    // What is moved and changed is one page to the service.
    if (last?.change.operation === 'update_page' && last.change.page === operation.id) {
      Object.assign(last.change, given);
      last.kinds.push(kind);
      last.bytes = sizeOf(last.change);
      continue;
    }
    const change = { operation: 'update_page' as const, page: operation.id, ...given };
    items.push({ change, path, kinds: [kind], bytes: sizeOf(change) });
  }
  return items;
}

// Said with each move: beside a namesake that goes later, the service would make up another one.
const slugOf = ({ path, from }: Extract<Operation, { kind: 'move' }>) =>
  from === '' ? {} : { slug: path.slice(path.lastIndexOf('/') + 1) };

const sizeOf = (change: Change) => Buffer.byteLength(JSON.stringify(change));

/** Takes the next items from the queue that fit into one call. */
function nextBatch(queue: Item[]): Item[] {
  let bytes = 0;
  let count = 0;
  let changes = 0;
  let files = 0;
  for (const item of queue) {
    const isFile = item.change.operation === 'insert_files';
    const opens = !isFile || files % maxFiles === 0;
    if (count > 0 && (bytes + item.bytes > maxBytes || (opens && changes === maxChanges))) break;
    bytes += item.bytes;
    count += 1;
    if (opens) changes += 1;
    if (isFile) files += 1;
  }
  return queue.splice(0, count);
}

/** The changes of one call: files go together, and pages made by earlier calls by their ids. */
function joined(batch: readonly Item[], ids: ReadonlyMap<string, string>): Change[] {
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
  const known = (ref: string) => ids.get(ref) ?? ref;
  return {
    ...change,
    ...('page' in change ? { page: known(change.page) } : {}),
    ...('into' in change && change.into ? { into: known(change.into) } : {}),
  } as Change;
}

/** The item that a fault is about. Files stand before pages in a call, twenty in one change. */
function itemAt(batch: readonly Item[], { path }: Fault): Item | undefined {
  const [, at, file] = /^\/changes\/(\d+)(?:\/files\/(\d+))?/.exec(path) ?? [];
  if (at === undefined) return undefined;
  let change = -1;
  let files = 0;
  for (const item of batch) {
    const isFile = item.change.operation === 'insert_files';
    if (!isFile || files % maxFiles === 0) change += 1;
    const place = files % maxFiles;
    if (isFile) files += 1;
    if (change === Number(at) && (file === undefined || place === Number(file))) return item;
  }
  return undefined;
}

const detailsOf = (error: unknown) => ((error as { details?: Fault[] }).details ?? []) as Fault[];

function takenSlug(error: unknown, batch: readonly Item[]): Item | undefined {
  const fault = detailsOf(error).find(({ path, rule }) => rule === 'unique' && path.endsWith('/slug'));
  const item = fault && itemAt(batch, fault);
  // What gives a page its own slug back is not put off again.
  return item && 'slug' in item.change && item.kinds.length > 0 ? item : undefined;
}

/** Gives the page another slug for now. @returns what gives it its own when the others are done */
function laterSlug(item: Item): Item {
  const change = item.change as Extract<Change, { operation: 'insert_page' | 'update_page' }>;
  const slug = change.slug!;
  change.slug = `${slug.slice(0, 80)}-docsctl-${randomUUID().slice(0, 8)}`;
  const page = change.operation === 'insert_page' ? change.ref! : change.page;
  return { change: { operation: 'update_page', page, slug }, path: item.path, kinds: [], bytes: 200 };
}

/** The service's complaint with the page or file it is about. */
function named(error: unknown, batch: readonly Item[]): unknown {
  const told = detailsOf(error).map((fault) => {
    const item = itemAt(batch, fault);
    const member = /^\/changes\/\d+\/(?:files\/\d+\/)?(.+)$/.exec(fault.path)?.[1];
    return `${item?.path ?? fault.path}${member ? ` (${member.replaceAll('/', '.')})` : ''}: ${fault.message}`;
  });
  if (told.length === 0) return error;
  return new CommandError(`The service refused the push.\n${told.map((line) => `  ${line}`).join('\n')}`, {
    exitCode: exit.refused,
    hint: 'Mend what is named and push again; what was sent before it stays.',
    cause: error,
  });
}
