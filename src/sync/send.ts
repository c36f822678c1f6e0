import type { Invocation } from '../cli/command/command.ts';
import { createProgress } from '../cli/output/index.ts';
import { exit } from '../cli/program/exit-status.ts';
import { CommandError } from '../cli/program/failure.ts';
import { HttpError } from '../client/errors/http-error.ts';
import type { Operation } from './plan.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { revisions } from '../contract/revisions.ts';
import type { Client } from '../client/client.ts';
import {
  changesOf,
  isOverwriting,
  type Item,
  itemAt,
  itemsOf,
  type Kind,
  nextBatch,
  postponeSlug,
} from './push-items.ts';
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
export async function sendOperations(invocation: Invocation<{}, {}>, sending: Sending): Promise<Request> {
  const { io } = invocation;
  const client = await invocation.client();
  const { written } = sending;
  const params = { spaceId: sending.spaceId, changeRequestId: sending.request.id };
  const { items: queue, refs } = itemsOf(sending.operations);
  const keys = new Map([...refs].map(([key, ref]) => [ref, key]));
  const total = queue.length;
  const ids = new Map<string, string>();
  const postponed: Item[] = [];
  const progress = createProgress(`Pushing to #${sending.request.number}`, {
    animated: io.canAnimate,
    quiet: io.quiet,
  });
  let { request } = sending;
  try {
    for (let sent = 0; queue.length > 0 || postponed.length > 0; progress.count(sent, total)) {
      if (queue.length === 0) queue.push(...postponed.splice(0));
      invocation.signal.throwIfAborted();
      const batch = nextBatch(queue);
      // New pages and files take nothing away from anybody.
      const isSafe = !batch.some(isOverwriting);
      if (!isSafe) await refuseConflict(invocation, params, request);
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
        await refuseConflict(invocation, params, request);
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
  } finally {
    progress.stop();
  }
}

/** @throws RevisionConflict */
async function refuseConflict(
  { client }: Invocation<{}, {}>,
  params: { spaceId: string; changeRequestId: string },
  expected: Request,
): Promise<void> {
  const current = await (await client()).call(changeRequests.view, { params });
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
  return new CommandError(`The service refused the push.\n${lines.join('\n')}`, {
    exitCode: exit.refused,
    hint: 'Fix what is listed and push again. What was sent before is kept.',
    cause: error,
  });
}
