import { type ChangeRequest, currentMain, readSides, type Side } from '../../change-requests/read-sides.ts';
import type { Client } from '../../client/client.ts';
import { isMarkdown } from '../../content/folder/file-names.ts';
import { titleOf } from '../../content/markdown/markdown.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { DocumentPage, Page } from '../../contract/pages.ts';
import { spaces } from '../../contract/spaces.ts';
import { eachOf } from '../../shared/each-of.ts';
import { messageOf } from '../../shared/error-text.ts';
import { isStateSpace } from '../../shared/state-title.ts';
import { createRequest, findRequest } from '../../sync/push.ts';
import type { ContentPort } from '../../sync/read-remote.ts';
import { RevisionConflict, sendOperations } from '../../sync/send.ts';
import { replaceIn, replaceInField, type Replacement, type Replacing } from './replace-in.ts';

interface PageState {
  title: string;
  description: string;
  text: string;
}

/** A page with its replacements. */
export interface PageChange {
  id: string;
  path: string;
  before: PageState;
  after: PageState;
  replacements: Replacement[];
}

/** What is replaced in a space. */
export interface SpaceReplacement {
  space: { id: string; title: string };
  /** The request of an interrupted run. */
  request: ChangeRequest | undefined;
  /** Of main content. */
  revision: string;
  changes: PageChange[];
  /** How many pages the request has already. */
  done: number;
  /** Pages and files that have matches but are not changed, and why. */
  skipped: { path: string; reason: string }[];
}

export interface ServiceReplacing extends Replacing {
  /** Of the change request in each space. */
  subject: string;
}

const readers = 8;

/** Finds what to replace in the main content of all spaces of an organization. */
export async function planService(
  port: ContentPort,
  orgId: string,
  replacing: ServiceReplacing,
): Promise<SpaceReplacement[]> {
  const listed = await Array.fromAsync(port.client.items(spaces.list, { params: { orgId } }));
  const plans: SpaceReplacement[] = [];
  for (const { id, title } of listed.filter((space) => !isStateSpace(space))) {
    port.progress.say(`Reading ${title}`);
    plans.push(await planSpace(port, { id, title }, replacing));
  }
  return plans;
}

async function planSpace(
  port: ContentPort,
  space: SpaceReplacement['space'],
  replacing: ServiceReplacing,
): Promise<SpaceReplacement> {
  const { client, signal } = port;
  const { existing: request } = await findRequest(port, space.id, { subject: replacing.subject });
  const sides = request && (await readSides(client, space.id, request));
  const main = sides?.before ?? (await currentMain(client, space.id));
  const plan: SpaceReplacement = { space, request, revision: main.revision.id, changes: [], done: 0, skipped: [] };
  const pages = documentsIn(main.revision.pages);
  const inRequest = sides && new Map(documentsIn(sides.after.revision.pages).map((page) => [page.id, page]));
  const changes = new Map<string, PageChange>();
  await eachOf(
    pages,
    async (page) => {
      signal.throwIfAborted();
      const { change, reason } = changeOf(page, await main.textOf(page.id), replacing);
      if (reason !== undefined) plan.skipped.push({ path: page.path, reason });
      else if (change) {
        const state = sides && inRequest ? await stateIn(sides.after, inRequest, page.id) : change.before;
        if (state && isSame(state, change.after)) plan.done += 1;
        else if (state && isSame(state, change.before)) changes.set(page.id, change);
        else plan.skipped.push({ path: page.path, reason: `it was changed in change request #${request?.number}` });
      }
    },
    readers,
  );
  plan.changes = pages.flatMap(({ id }) => changes.get(id) ?? []);
  for (const path of await filesWithMatches(port, main, replacing)) {
    plan.skipped.push({ path, reason: 'it is a reusable text, which is a file' });
  }
  return plan;
}

const documentsIn = (pages: readonly Page[]): DocumentPage[] =>
  pages.flatMap((page) => [
    ...(page.type === 'document' ? [page] : []),
    ...('pages' in page ? documentsIn(page.pages) : []),
  ]);

const isSame = (one: PageState, other: PageState) =>
  one.title === other.title && one.description === other.description && one.text === other.text;

async function stateIn(
  side: Side,
  pages: ReadonlyMap<string, DocumentPage>,
  id: string,
): Promise<PageState | undefined> {
  const page = pages.get(id);
  return page && stateOf(page, await side.textOf(id));
}

const stateOf = ({ title, description }: DocumentPage, text: string): PageState => ({
  title,
  description: description ?? '',
  text,
});

function changeOf(
  page: DocumentPage,
  text: string,
  replacing: Replacing,
): { change?: PageChange; reason?: string | undefined } {
  const before = stateOf(page, text);
  const title = replaceInField(before.title, 'title', replacing);
  const description = replaceInField(before.description, 'property', replacing);
  const body = replaceIn(text, replacing, titleOf(text) === before.title ? 'page with title' : 'page');
  if (body.reason !== undefined) return { reason: body.reason };
  const replacements = [...title.replacements, ...description.replacements, ...body.replacements];
  const after = { title: title.value, description: description.value, text: body.text };
  if (isSame(before, after)) return {};
  if (after.title.trim() === '') return { reason: 'its title would be empty' };
  return { change: { id: page.id, path: page.path, before, after, replacements } };
}

/** Reusable texts are files, which only their authors can replace. */
async function filesWithMatches(port: ContentPort, { revision }: Side, replacing: Replacing): Promise<string[]> {
  const names: string[] = [];
  await eachOf(
    revision.files.filter(({ name }) => isMarkdown(name)),
    async ({ name, downloadURL }) => {
      const text = Buffer.from(await port.bytes(downloadURL)).toString();
      if (replaceIn(text, replacing, 'file').replacements.length > 0) names.push(name);
    },
    readers,
  );
  return names.toSorted();
}

export interface SentReplacement {
  space: SpaceReplacement['space'];
  request?: ChangeRequest;
  pages: number;
  /** How many links of the request lead to nothing because of it. */
  brokenLinks: number;
  /** Why not everything was sent. */
  failed?: string;
}

const maxAttempts = 4;

/** Sends the replacements of a space in its change request, and compares what the service has afterwards. */
export async function sendReplacement(
  port: ContentPort,
  first: SpaceReplacement,
  replacing: ServiceReplacing,
): Promise<SentReplacement> {
  const { space } = first;
  let plan = first;
  let request = plan.request;
  let pages = plan.done;
  try {
    for (let attempt = 1; plan.changes.length > 0; attempt += 1) {
      const created = request
        ? undefined
        : await createRequest(port, { spaceId: space.id, subject: replacing.subject });
      request ??= created?.request;
      if (!request) break;
      const isCurrent = created === undefined || (!created.isOther && request.revisionInitial === plan.revision);
      if (isCurrent && (await send(port, space.id, request, plan))) {
        pages += plan.changes.length;
        break;
      }
      if (attempt === maxAttempts) throw new Error('others keep changing the change request');
      plan = await planSpace(port, space, replacing);
      request = plan.request ?? request;
    }
    const failed = request && (await compare(port.client, space.id, request, plan));
    const brokenLinks = request ? await countBroken(port.client, space.id, request) : 0;
    return { space, pages, brokenLinks, ...(request && { request }), ...(failed !== undefined && { failed }) };
  } catch (error) {
    port.signal.throwIfAborted();
    return { space, pages, brokenLinks: 0, ...(request && { request }), failed: messageOf(error) };
  }
}

/** @returns whether nobody changed the request meanwhile */
async function send(
  port: ContentPort,
  spaceId: string,
  request: ChangeRequest,
  plan: SpaceReplacement,
): Promise<boolean> {
  const operations = plan.changes.map(({ id, path, before, after }) => ({
    kind: 'change' as const,
    id,
    path,
    fields: {
      ...(after.title !== before.title && { title: after.title }),
      ...(after.description !== before.description && { description: after.description }),
    },
    ...(after.text !== before.text && { text: after.text }),
  }));
  try {
    await sendOperations(port, { spaceId, request }, operations);
    return true;
  } catch (error) {
    if (error instanceof RevisionConflict) return false;
    throw error;
  }
}

/** Reads the changed pages again. @returns what is wrong with them */
async function compare(
  client: Client,
  spaceId: string,
  { id }: ChangeRequest,
  { changes }: SpaceReplacement,
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  const request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: id } });
  const { after } = await readSides(client, spaceId, request);
  const pages = new Map(documentsIn(after.revision.pages).map((page) => [page.id, page]));
  const wrong: string[] = [];
  await eachOf(
    changes,
    async (change) => {
      const state = await stateIn(after, pages, change.id);
      if (!state || !isSame(state, change.after)) wrong.push(change.path);
    },
    readers,
  );
  return wrong.length === 0 ? undefined : `the service has other text in ${wrong.slice(0, 5).join(', ')}`;
}

async function countBroken(client: Client, spaceId: string, { id }: ChangeRequest): Promise<number> {
  const params = { spaceId, changeRequestId: id };
  const query = { status: 'broken', brokenContext: 'change-request' } as const;
  let count = 0;
  for await (const _ of client.items(changeRequestContent.links, { params, query })) count += 1;
  return count;
}
