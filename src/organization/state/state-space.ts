import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { isInaccessible, undefinedIfMissing } from '../../client/errors/http-error.ts';
import type { Port } from '../../client/port.ts';
import { changeRequestContent } from '../../contract/change-request-content.ts';
import { changeRequests } from '../../contract/change-requests.ts';
import type { BodyInput } from '../../contract/endpoint.ts';
import { spaces } from '../../contract/spaces.ts';
import { messageOf } from '../../shared/error-text.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { noProgress } from '../service/read-service.ts';
import { readRevision, readTexts } from '../../sync/read-remote.ts';
import { type Lease, leaseMs, leasePage, leaseText, readLease } from './lease.ts';
import { emptyState, isStatePage, pagesOf, readPages, type State, UnreadableState, unfinishedTitle } from './state.ts';
import { isStateSpace, stateTitle } from '../../shared/state-title.ts';
import { createAlone, deleteSpace, type Space, spacesTitled } from './hidden-space.ts';

export type StatePort = Pick<Port, 'client' | 'signal'>;

/** The state and lease at one revision of their space. */
export interface StoredState {
  revision: string;
  state: State;
  lease: Lease | undefined;
  /** IDs of the pages by title. */
  pages: Map<string, string>;
  texts: Map<string, string>;
}

/** What a change of the state space writes. */
export interface Written {
  state: State;
  lease: Lease | undefined;
}

/** Somebody changed the lease at the same time. */
export class LeaseConflict extends Error {}

/** The space of the state, which is changed through change requests only. */
export class StateSpace {
  readonly id: string;
  #last: StoredState | undefined;

  constructor(id: string) {
    this.id = id;
  }

  /**
   * The state of an organization; undefined if no apply has created it, or the caller may not see it.
   *
   * @param lastId where it was the last time
   */
  static async find({ client }: StatePort, orgId: string, lastId?: string): Promise<StateSpace | undefined> {
    try {
      if (lastId !== undefined) {
        const space = await client.call(spaces.view, { params: { spaceId: lastId } }).catch(undefinedIfMissing);
        if (isStateSpace(space) && space?.organization === orgId && space.deletedAt === undefined)
          return new StateSpace(lastId);
      }
      const [first, ...others] = await spacesTitled(client, orgId, stateTitle);
      const found = [first, ...others].find(isStateSpace);
      if (found) return new StateSpace(found.id);
      for (const space of first ? [first, ...others] : []) await refuseOpened(client, space);
      return undefined;
    } catch (error) {
      if (isInaccessible(error)) return undefined;
      throw error;
    }
  }

  /** Creates the space, unless somebody else does. @throws HttpError if the caller may not */
  static async create(port: StatePort, orgId: string): Promise<StateSpace> {
    const { client } = port;
    return createAlone(client, {
      orgId,
      title: stateTitle,
      find: () => StateSpace.find(port, orgId),
      isFound: isStateSpace,
      make: () => StateSpace.#unfinished(port, orgId),
    });
  }

  /** A space with its pages, which others do not see as the state yet. */
  static async #unfinished(port: StatePort, orgId: string): Promise<StateSpace> {
    const { client } = port;
    const body = { title: unfinishedTitle, emoji: '🔒' };
    const { id, createdAt } = await client.call(spaces.create, { params: { orgId }, body, unrecorded: true });
    for (const space of await spacesTitled(client, orgId, unfinishedTitle))
      // Of an apply that was killed.
      if (Date.parse(createdAt) - Date.parse(space.createdAt) > leaseMs) await deleteSpace(client, space.id);
    const own = new StateSpace(id);
    await own.write(port, 'Create the state', () => ({ state: emptyState(), lease: undefined }));
    return own;
  }

  /** The current state. @throws EngineError if it cannot be used */
  async read(port: StatePort): Promise<StoredState> {
    return this.#readAt(port, undefined);
  }

  /**
   * Writes what `change` makes of the current state. If it returns undefined, nothing is written.
   *
   * @param change gets the state, and the time by the clock of the service
   * @throws LeaseConflict if somebody changed the lease in the meantime
   */
  async write(
    port: StatePort,
    subject: string,
    change: (stored: StoredState, now: number) => Written | undefined,
  ): Promise<StoredState | undefined> {
    const { client, signal } = port;
    const spaceId = this.id;
    const options = { unrecorded: true, signal };
    const request = await client.call(changeRequests.create, { params: { spaceId }, body: { subject }, ...options });
    const params = { spaceId, changeRequestId: request.id };
    let isMerged = false;
    try {
      // The request starts from a revision of the space, and conflicts with every later change of the lease.
      const stored = await this.#readAt(port, request.revisionInitial);
      const written = change(stored, Date.parse(request.createdAt));
      if (!written) return undefined;
      const { changes, texts } = changesTo(stored, written);
      const body = { changes };
      await client.call(changeRequestContent.change, { params, query: { compat: false }, body, ...options });
      await client.call(changeRequests.edit, { params, body: { status: 'open' }, ...options });
      const revision = await this.#merge(port, request.id, texts);
      isMerged = true;
      const hasOtherPages = changes.some(({ operation }) => operation !== 'update_page');
      this.#last = hasOtherPages ? undefined : { ...stored, ...written, revision, texts };
      return this.#last ?? (await this.#readAt(port, revision));
    } finally {
      if (!isMerged) await archive(client, params);
    }
  }

  /** @returns the revision of the space afterwards @throws LeaseConflict */
  async #merge(port: StatePort, changeRequestId: string, texts: ReadonlyMap<string, string>): Promise<string> {
    const { client, signal } = port;
    const params = { spaceId: this.id, changeRequestId };
    try {
      const { result, revision } = await client.call(changeRequests.merge, { params, unrecorded: true, signal });
      if (result === 'merge') return revision;
    } catch (error) {
      // The service may have merged it although its answer was lost.
      if (signal.aborted) throw error;
      const stored = await this.#readAt(port, undefined);
      if (stored.texts.get(leasePage) === texts.get(leasePage)) return stored.revision;
      throw error;
    }
    throw new LeaseConflict();
  }

  async #readAt(port: StatePort, revisionId: string | undefined): Promise<StoredState> {
    const { client, signal } = port;
    if (revisionId !== undefined && this.#last?.revision === revisionId) return this.#last;
    const { revision, pages: all } = await readRevision(client, { spaceId: this.id, revisionId });
    const pages = new Map(all.map(({ id, title }) => [title, id]));
    const own = [...pages].filter(([title]) => title === leasePage || isStatePage(title));
    const quiet = { client, signal, progress: noProgress, note: async () => {} };
    const place = { spaceId: this.id, revisionId: revision.id };
    const byId = await readTexts(
      quiet,
      place,
      own.map(([, id]) => id),
    );
    const texts = new Map(own.map(([title, id]) => [title, byId.get(id) ?? '']));
    try {
      const lease = readLease(texts.get(leasePage));
      this.#last = { revision: revision.id, state: readPages(texts), lease, pages, texts };
      return this.#last;
    } catch (error) {
      if (!(error instanceof UnreadableState)) throw error;
      throw new EngineError('refused', `The space "${stateTitle}" cannot be used: ${messageOf(error)}.`, {
        hint: `Restore the page from an earlier revision of the space, or rename the space: the next apply then creates the state again.`,
      });
    }
  }
}

/** @throws EngineError if somebody gave the state to all members: it would no longer count, and start again empty */
async function refuseOpened(client: Client, space: Space): Promise<void> {
  const { pages } = await readRevision(client, { spaceId: space.id });
  if (!pages.some(({ title }) => title === leasePage)) return;
  throw new EngineError('refused', `The default level of the space "${stateTitle}" was changed.`, {
    hint: `Remove it: docsctl spaces edit ${space.id} --clear default-level`,
  });
}

type Changes = BodyInput<typeof changeRequestContent.change>['changes'];

/** The changes of pages that make the stored state the written one. The page of the lease always changes. */
function changesTo(stored: StoredState, { state, lease }: Written): { changes: Changes; texts: Map<string, string> } {
  const nonce = randomBytes(6).toString('base64url');
  const texts = new Map([[leasePage, leaseText(lease, nonce)], ...pagesOf(state)]);
  const changes: Changes = [];
  for (const [title, text] of texts) {
    const page = stored.pages.get(title);
    const document = { markdown: text };
    if (page === undefined) changes.push({ operation: 'insert_page', title, document });
    else if (stored.texts.get(title) !== text) changes.push({ operation: 'update_page', page, document });
  }
  for (const [title, page] of stored.pages)
    if (isStatePage(title) && !texts.has(title)) changes.push({ operation: 'delete_page', page });
  return { changes, texts };
}

/** Archives a request that was not merged. It is only in the way of nobody, so a failure does not matter. */
async function archive(client: Client, params: { spaceId: string; changeRequestId: string }): Promise<void> {
  const body = { status: 'archived' } as const;
  const signal = AbortSignal.timeout(5000);
  await client.call(changeRequests.edit, { params, body, unrecorded: true, signal }).catch(() => {});
}
