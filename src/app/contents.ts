import { type ChangeRequest, readRevision, readSides } from '../change-requests/read-sides.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { spaces } from '../contract/spaces.ts';
import { decodeAddress } from '../shared/decode.ts';
import { LruCache } from '../shared/lru-cache.ts';
import { ContentReader } from '../site/service/open-remote.ts';
import { RemoteChanges } from '../site/service/remote-changes.ts';
import type { RemoteSpace, SpaceAddresses } from '../site/service/remote-space.ts';
import { downloaderOf } from './instance-client.ts';
import { hrefOf, NoPage, type Visit } from './visit.ts';

export type Space = AnswerOf<typeof spaces.view>;

/** A content that a user has opened. */
export interface Opened {
  content: RemoteSpace;
  /** If it is compared with another content. */
  changes?: RemoteChanges | undefined;
}

const maxOpened = 40;
/** Specifications and titles of other spaces may change without a new revision. */
const maxAgeMs = 60_000;

/**
 * Contents that users have opened. Revisions never change, so their pages are rendered once. Each user has an own copy,
 * because the API shows them different things; whether a user may still see the space is asked for every page.
 */
export class Contents {
  readonly #opened = new LruCache<{ until: number; value: Promise<Opened> }>(maxOpened);

  main(visit: Visit, space: Space): Promise<Opened> {
    return this.#get(visit, [space.id, space.revision], async (reader) => ({
      content: await reader.open(
        await readRevision(visit.client, space.id, space.revision),
        addressesOf(visit, space, []),
      ),
    }));
  }

  request(visit: Visit, space: Space, request: ChangeRequest): Promise<Opened> {
    const base = request.revisionMergedAncestor ?? request.revisionInitial;
    const key = [space.id, 'cr', request.id, base, request.revision];
    return this.#get(visit, key, async (reader) => {
      const { before, after } = await readSides(visit.client, space.id, request);
      const addresses = {
        ...addressesOf(visit, space, ['cr', String(request.number)]),
        // The address without a path is that of the request itself.
        namesFirst: true,
      };
      const [old, content] = await Promise.all([reader.open(before, addresses), reader.open(after, addresses)]);
      return { content, changes: new RemoteChanges(request.number, old, content) };
    });
  }

  /** A revision, compared with the one before it. */
  revision(visit: Visit, space: Space, revisionId: string): Promise<Opened> {
    return this.#get(visit, [space.id, 'r', revisionId], async (reader) => {
      const { client } = visit;
      const side = await readRevision(client, space.id, revisionId);
      const addresses = { ...addressesOf(visit, space, ['r', revisionId]), namesFirst: true };
      const content = await reader.open(side, addresses);
      const [parent] = side.revision.parents;
      if (parent === undefined) return { content };
      const before = await reader.open(await readRevision(client, space.id, parent), addresses);
      return { content, changes: new RemoteChanges(0, before, content) };
    });
  }

  #get(visit: Visit, parts: readonly string[], open: (reader: ContentReader) => Promise<Opened>): Promise<Opened> {
    const key = JSON.stringify([visit.user, visit.root, ...parts]);
    const kept = this.#opened.get(key);
    if (kept && kept.until > Date.now()) return kept.value;
    const { client, instance } = visit;
    const value = open(new ContentReader({ client, download: downloaderOf(instance) }, visit.parts[1] ?? ''));
    this.#opened.set(key, { until: Date.now() + maxAgeMs, value });
    value.catch(() => this.#opened.delete(key));
    return value;
  }
}

/** The space in an address. @throws NoPage if it belongs to another organization */
export async function spaceOf({ client }: Visit, orgId: string, spaceId: string): Promise<Space> {
  const space = await client.call(spaces.view, { params: { spaceId }, query: {} });
  if (space.organization !== orgId) throw new NoPage();
  return space;
}

function addressesOf(visit: Visit, { id, organization, gitSync }: Space, below: readonly string[]): SpaceAddresses {
  return {
    address: [decodeAddress(visit.root).slice(1), 'o', organization, 's', id, ...below].filter(Boolean).join('/'),
    gitSync,
    fileHref: (_, file) => file && visit.root + new URL(file.downloadURL).pathname.replace(/^.*(?=\/files\/)/, ''),
    elsewhere(target) {
      const other = /^\/spaces\/([^/#]+)/.exec(target)?.[1];
      return other === undefined ? undefined : hrefOf(visit, organization, 's', other);
    },
  };
}
