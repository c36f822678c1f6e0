import { type ChangeRequest, currentMain, readRevision, readSides, type Side } from '../change-requests/read-sides.ts';
import type { Client } from '../client/client.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import type { Page } from '../contract/pages.ts';
import { eachOf } from '../shared/each-of.ts';
import { messageOf } from '../shared/error-text.ts';
import { createRequest, findRequest } from '../sync/push.ts';
import type { ContentPort } from '../sync/read-remote.ts';
import { interleavedRevisions, RevisionConflict, sendOperations, Written } from '../sync/send.ts';

/** What is changed of a page. */
export interface PageState {
  title: string;
  description: string;
  text: string;
}

/** A page that is changed. */
export interface PageChange {
  id: string;
  path: string;
  before: PageState;
  after: PageState;
}

/** What is changed in a space. */
export interface SpaceChanges<Change extends PageChange = PageChange> {
  space: { id: string; title: string };
  /** The request of an interrupted run. */
  request: ChangeRequest | undefined;
  /** Main content, which reads each text once. */
  main: Side;
  changes: Change[];
  /** IDs of the pages that the request has already. */
  done: string[];
  /** Pages and other texts that should be changed but are not, and why. */
  skipped: { path: string; reason: string }[];
}

/** A page, or a group or link in the navigation. */
export type Entry = Exclude<Page, { type: 'computed' }>;

/** How the pages of a space are changed. */
export interface PageChanger<Change extends PageChange = PageChange> {
  /** Of the change request in each space. */
  subject: string;
  /** IDs of the only pages to read. */
  only?: ReadonlyMap<string, unknown>;
  changeOf(page: Entry, text: string): { change?: Change; reason?: string | undefined };
  /** Other texts that should be changed and cannot be. */
  others?(main: Side): Promise<SpaceChanges['skipped']>;
}

export const readers = 8;

/** Finds the changes of the main content of a space. */
export async function planSpace<Change extends PageChange>(
  port: ContentPort,
  space: SpaceChanges['space'],
  changer: PageChanger<Change>,
): Promise<SpaceChanges<Change>> {
  const { client, signal } = port;
  const { existing: request } = await findRequest(port, space.id, { subject: changer.subject });
  const sides = request && (await readSides(client, space.id, request));
  const main = withCache(await currentMain(client, space.id));
  const isOutdated = sides !== undefined && sides.before.revision.id !== main.revision.id;
  const base = isOutdated ? withCache(sides.before) : main;
  const inRequest = sides && new Map(entriesIn(sides.after.revision.pages).map((page) => [page.id, page]));
  const plan: SpaceChanges<Change> = { space, request, main, changes: [], done: [], skipped: [] };
  const pages = pagesFor(changer, base);
  const changes = new Map<string, Change>();
  const visit = async (page: Entry) => {
    signal.throwIfAborted();
    const { change, reason } = changer.changeOf(page, await textOf(base, page));
    if (reason !== undefined) plan.skipped.push({ path: pathOf(page), reason });
    if (!change) return;
    const state = sides && inRequest ? await stateIn(sides.after, inRequest, page.id) : change.before;
    if (state && isSame(state, change.after)) plan.done.push(page.id);
    else if (state && isSame(state, change.before)) changes.set(page.id, change);
    else plan.skipped.push({ path: pathOf(page), reason: `it was changed in change request #${request?.number}` });
  };
  await eachOf(pages, visit, readers);
  plan.changes = pages.flatMap(({ id }) => changes.get(id) ?? []);
  if (isOutdated) plan.skipped.push(...(await changedSince(base, main, changer, request)));
  plan.skipped.push(...((await changer.others?.(main)) ?? []));
  return plan;
}

const pagesFor = ({ only }: PageChanger, { revision }: Side): Entry[] =>
  entriesIn(revision.pages).filter(({ id }) => only?.has(id) ?? true);

/** Pages that main content has with other text since the request was created, and that should be changed there, too. */
async function changedSince(
  base: Side,
  main: Side,
  changer: PageChanger,
  request: ChangeRequest | undefined,
): Promise<SpaceChanges['skipped']> {
  const skipped: SpaceChanges['skipped'] = [];
  const former = new Map(entriesIn(base.revision.pages).map((page) => [page.id, page]));
  const visit = async (page: Entry) => {
    const text = await textOf(main, page);
    const before = former.get(page.id);
    if (before && isSame(stateOf(before, await textOf(base, before)), stateOf(page, text))) return;
    const { change, reason } = changer.changeOf(page, text);
    const isNewer = `it was changed after change request #${request?.number} was created, which has to be merged first`;
    if (change || reason !== undefined) skipped.push({ path: pathOf(page), reason: reason ?? isNewer });
  };
  await eachOf(pagesFor(changer, main), visit, readers);
  return skipped;
}

/** Reads each text once. */
function withCache(side: Side): Side {
  const texts = new Map<string, Promise<string>>();
  const textOf = (id: string) => {
    const text = texts.get(id) ?? side.textOf(id);
    texts.set(id, text);
    return text;
  };
  return { ...side, textOf };
}

/** The documents, groups and links of the navigation. */
const entriesIn = (pages: readonly Page[]): Entry[] =>
  pages.flatMap((page) => [
    ...(page.type === 'computed' ? [] : [page]),
    ...('pages' in page ? entriesIn(page.pages) : []),
  ]);

/** Only documents have a text. */
const textOf = async (side: Side, { id, type }: Entry): Promise<string> => (type === 'document' ? side.textOf(id) : '');

/** For messages. */
export const pathOf = (entry: Entry): string => ('path' in entry ? entry.path : entry.title);

export const isSame = (one: PageState, other: PageState) =>
  one.title === other.title && one.description === other.description && one.text === other.text;

async function stateIn(side: Side, pages: ReadonlyMap<string, Entry>, id: string): Promise<PageState | undefined> {
  const page = pages.get(id);
  return page && stateOf(page, await textOf(side, page));
}

export const stateOf = (entry: Entry, text: string): PageState => ({
  title: entry.title,
  description: (entry.type === 'document' ? entry.description : undefined) ?? '',
  text,
});

/** What became of the changes of a space. */
export interface SentChanges {
  space: SpaceChanges['space'];
  request?: ChangeRequest;
  pages: number;
  /** How many links of the request lead to nothing because of it. */
  brokenLinks: number;
  /** Why not everything was sent. */
  failed?: string;
}

const maxAttempts = 4;

/** Sends the changes of a space in its change request, and compares what the service has afterwards. */
export async function sendChanges<Change extends PageChange>(
  port: ContentPort,
  first: SpaceChanges<Change>,
  changer: PageChanger<Change>,
): Promise<SentChanges> {
  const { space } = first;
  let plan = first;
  let request = plan.request;
  let pages = plan.done.length;
  try {
    for (let attempt = 1; plan.changes.length > 0; attempt += 1) {
      const created = request ? undefined : await createRequest(port, { spaceId: space.id, subject: changer.subject });
      request ??= created?.request;
      if (!request) break;
      const isCurrent =
        created === undefined || (!created.isOther && request.revisionInitial === plan.main.revision.id);
      if (isCurrent && (await send(port, request, plan, changer))) {
        pages += plan.changes.length;
        break;
      }
      if (attempt === maxAttempts) throw new Error('others keep changing the change request');
      plan = await planSpace(port, space, changer);
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

/** @returns whether nobody changed the request before the first call */
async function send<Change extends PageChange>(
  port: ContentPort,
  request: ChangeRequest,
  plan: SpaceChanges<Change>,
  changer: PageChanger<Change>,
): Promise<boolean> {
  const { id: spaceId } = plan.space;
  let current = request;
  let { changes } = plan;
  try {
    while (changes.length > 0) {
      const written = new Written();
      current = await sendOperations(port, { spaceId, request: current }, changes.map(operationOf), written);
      changes = await overwritten(port.client, plan, changer, written);
      const restored = new Map(changes.map((change) => [change.id, change]));
      plan.changes = plan.changes.map((change) => restored.get(change.id) ?? change);
    }
    return true;
  } catch (error) {
    if (error instanceof RevisionConflict) return false;
    throw error;
  }
}

const operationOf = ({ id, path, before, after }: PageChange) => ({
  kind: 'change' as const,
  id,
  path,
  fields: {
    ...(after.title !== before.title && { title: after.title }),
    ...(after.description !== before.description && { description: after.description }),
  },
  ...(after.text !== before.text && { text: after.text }),
});

/**
 * The API cannot change a page only if nobody else did, so somebody can write between the check and the call.
 *
 * @returns changes that write what the calls overwrote, with its own matches changed
 */
async function overwritten<Change extends PageChange>(
  client: Client,
  plan: SpaceChanges<Change>,
  changer: PageChanger<Change>,
  written: Written,
): Promise<Change[]> {
  const restored: Change[] = [];
  for (const revisionId of await interleavedRevisions(client, plan.space.id, written)) {
    const side = await readRevision(client, plan.space.id, revisionId);
    const pages = new Map(entriesIn(side.revision.pages).map((page) => [page.id, page]));
    for (const change of plan.changes) {
      const page = pages.get(change.id);
      const state = page && (await stateIn(side, pages, change.id));
      if (!page || !state || isSame(state, change.before) || isSame(state, change.after)) continue;
      const { change: own, reason } = changer.changeOf(page, state.text);
      if (!own) plan.skipped.push({ path: change.path, reason: reason ?? 'somebody else changed it' });
      restored.push({ ...change, ...own, before: change.after, after: own?.after ?? state });
    }
  }
  return restored;
}

/** Reads the changed pages again. @returns what is wrong with them */
async function compare(
  client: Client,
  spaceId: string,
  { id }: ChangeRequest,
  { changes }: SpaceChanges,
): Promise<string | undefined> {
  if (changes.length === 0) return undefined;
  const request = await client.call(changeRequests.view, { params: { spaceId, changeRequestId: id } });
  const { after } = await readSides(client, spaceId, request);
  const pages = new Map(entriesIn(after.revision.pages).map((page) => [page.id, page]));
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
