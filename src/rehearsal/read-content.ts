import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests, statuses } from '../contract/change-requests.ts';
import { changeRequestComments, comments } from '../contract/comments.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import type { Page } from '../contract/pages.ts';
import { revisions } from '../contract/revisions.ts';
import { readWholeComments } from '../organization/service/comments.ts';
import type { Space } from '../organization/service/read-service.ts';
import { noProgress, readable, showProgress } from '../organization/service/read-service.ts';
import { eachOf } from '../shared/each-of.ts';
import { writeComments } from './twin/comments.ts';
import { type Revision, type WholeRequest, writeBytes, writeContent, writeDocument } from './twin/content.ts';
import type { TwinReading } from './reading.ts';

type Request = ItemOf<typeof changeRequests.list>;

/** Spaces that are read at once, and concurrent requests for each. */
const maxSpaces = 3;
const maxRequests = 4;

/** Copies the content of spaces with their change requests and comments. @param author ID of the author of revisions */
export async function copyContents(reading: TwinReading, list: readonly Space[], author: string): Promise<void> {
  let done = 0;
  await eachOf(
    list,
    async (space) => {
      reading.signal.throwIfAborted();
      await copyContent(reading, space, author);
      showProgress(reading, 'the content of spaces', (done += 1), list.length);
    },
    maxSpaces,
  );
}

async function copyContent(reading: TwinReading, space: Space, author: string): Promise<void> {
  const { twin } = reading;
  const revision = (id: string) => readRevision(reading, space, id);
  const current = (await revision(space.revision)) ?? emptyRevision(space);
  const requests = await readRequests(reading, space);
  const bases = new Map<string, Revision>([[current.id, current]]);
  const whole: WholeRequest[] = [];
  for (const request of requests) {
    // The changes of a merged request are already in the main content.
    const isMerged = request.status === 'merged';
    const baseId = request.revisionMergedAncestor ?? request.revisionInitial;
    const base = isMerged ? current : (bases.get(baseId) ?? (await revision(baseId)) ?? current);
    bases.set(base.id, base);
    const content = isMerged ? undefined : await readRequestContent(reading, space, request);
    whole.push({ request, base: base.id, ...(content && { content }) });
  }
  const main = inOrder([...bases.values()], current);
  const all = [...main, ...whole.flatMap(({ content }) => content ?? [])];
  for (const each of all) await copyTexts(reading, space, each);
  for (const each of all) await copyFiles(reading, each);
  await twin.write((db) => writeContent(db, twin, { space: space.id, main, requests: whole, author }));
  await copyComments(reading, space, whole);
}

const readRevision = (reading: TwinReading, { id: spaceId }: Space, revisionId: string) =>
  readable<Revision | undefined>(
    reading,
    'revision of a space',
    () => reading.client.call(revisions.view, { params: { spaceId, revisionId } }),
    undefined,
  );

const emptyRevision = ({ revision, updatedAt }: Space): Revision => ({
  id: revision,
  type: 'edits',
  parents: [],
  pages: [],
  files: [],
  createdAt: updatedAt,
});

/** Oldest first, and the current one last. */
function inOrder(list: readonly Revision[], current: Revision): Revision[] {
  const older = list.filter(({ id }) => id !== current.id);
  const sorted = older.toSorted((one, other) => {
    if (one.createdAt !== other.createdAt) return one.createdAt < other.createdAt ? -1 : 1;
    return other.parents.includes(one.id) ? -1 : 1;
  });
  return [...sorted, current];
}

async function readRequests(reading: TwinReading, space: Space): Promise<Request[]> {
  const { client, leftOut } = reading;
  const { changeRequests: total, changeRequestsOpen: open, changeRequestsDraft: drafts } = space;
  const counts = { draft: drafts, open, archived: total - open - drafts, merged: total - open - drafts };
  const list: Request[] = [];
  for (const status of statuses) {
    if (counts[status] === 0) continue;
    const params = { spaceId: space.id };
    const all = () => Array.fromAsync(client.items(changeRequests.list, { params, query: { status } }));
    list.push(...(await readable(reading, 'list of change requests', all, [])));
  }
  leftOut.hide(
    'contents and comments of merged change requests',
    list.filter(({ status }) => status === 'merged').length,
  );
  return list.toSorted((one, other) => one.number - other.number);
}

function readRequestContent(reading: TwinReading, { id: spaceId }: Space, { id }: Request) {
  const params = { spaceId, changeRequestId: id };
  return readable<Revision | undefined>(
    reading,
    'content of a change request',
    () => reading.client.call(changeRequestContent.view, { params }),
    undefined,
  );
}

/** Writes the texts of a revision that are not written yet. Revisions and copies of a space share texts. */
async function copyTexts(reading: TwinReading, space: Space, { id: revisionId, pages }: Revision): Promise<void> {
  const { twin, signal } = reading;
  await eachOf(
    documentsIn(pages),
    async ({ document, pageId }) => {
      signal.throwIfAborted();
      const copied =
        twin.documents.get(document) ?? copyText(reading, document, { spaceId: space.id, revisionId, pageId });
      twin.documents.set(document, copied);
      await copied;
    },
    maxRequests,
  );
}

async function copyText(
  reading: TwinReading,
  document: string,
  params: { spaceId: string; revisionId: string; pageId: string },
): Promise<void> {
  const { client, twin } = reading;
  const markdown = await readable(
    reading,
    'text of a page',
    async () => {
      const page = await client.call(revisions.page, { params, query: { format: 'markdown', metadata: false } });
      return page.type === 'document' ? (page.markdown ?? '') : '';
    },
    '',
  );
  await writeDocument(twin, document, markdown);
}

function documentsIn(pages: readonly Page[]): { document: string; pageId: string }[] {
  return pages.flatMap((page) => [
    ...(page.type === 'document' && page.documentId !== undefined
      ? [{ document: page.documentId, pageId: page.id }]
      : []),
    ...('pages' in page ? documentsIn(page.pages) : []),
  ]);
}

async function copyFiles(reading: TwinReading, { files }: Revision): Promise<void> {
  const { twin, signal, bytes } = reading;
  const missing = files.filter(({ id }) => !twin.digests.has(id));
  await eachOf(
    missing,
    async (file) => {
      signal.throwIfAborted();
      const content = await readable<Uint8Array | undefined>(
        reading,
        'file of a space',
        () => bytes(file.downloadURL),
        undefined,
      );
      if (content) await writeBytes(twin, file, content);
    },
    maxRequests,
  );
}

async function copyComments(reading: TwinReading, space: Space, requests: readonly WholeRequest[]): Promise<void> {
  const { twin } = reading;
  const { id: spaceId, revision } = space;
  // The progress shows the spaces.
  const quiet = { ...reading, progress: noProgress };
  const list = await readWholeComments(quiet, comments, { spaceId });
  await twin.write((db) => writeComments(db, { space: spaceId, changeRequest: null, revision }, list));
  for (const { request } of requests) {
    if (request.status === 'merged') continue;
    const onRequest = await readWholeComments(quiet, changeRequestComments, { spaceId, changeRequestId: request.id });
    const place = { space: spaceId, changeRequest: request.id, revision: request.revision };
    await twin.write((db) => writeComments(db, place, onRequest));
  }
}
