import type { Base } from '../content/folder/base.ts';
import { layoutName, writeLayout } from '../content/folder/layout.ts';
import type { Operation } from './plan.ts';
import { baseAfter } from './three-way/record.ts';
import type { RemotePage } from './remote.ts';
import { maxChanges, maxInlineBytes } from '../contract/content.ts';
import type { Planned, Push } from './push-plan.ts';
import type { PushInvocation, Request } from './push-request.ts';
import { readRevision } from './read-remote.ts';
import { sendOperations, Written } from './send.ts';

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
  invocation: PushInvocation,
  { spaceId, local }: Push,
  request: Request,
  { planned, written, hasPending }: Recording,
): Promise<Request> {
  const { plan, content } = planned;
  const isChanged = request.revision !== content.revision.id && plan.operations.length > 0;
  const { pages, revision } = isChanged
    ? await readRevision(invocation, { spaceId, revisionId: request.revision })
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
    await invocation.io.note(
      `The record of ${local.pages.length} pages is larger than 1 MB and was not saved: the next push needs --adopt or --overwrite.`,
    );
    return request;
  }
  const operations: Operation[] = [{ kind: 'upload', name: layoutName(serial), bytes }];
  const done = { add: 0, change: 0, move: 0, delete: 0, upload: 0 };
  return sendOperations(invocation, { spaceId, request, operations, done, written: new Written() });
}

function filesAfter({ plan, compared }: Planned, { files }: Written): Base['files'] {
  const uploads = new Map(compared.files.uploads.map((upload) => [upload.name, upload]));
  const added = [...files].flatMap(([id, name]) => {
    const upload = uploads.get(name);
    return upload ? [[id, { hash: upload.hash, size: upload.bytes.length }] as const] : [];
  });
  return new Map([...plan.record.files, ...added]);
}
