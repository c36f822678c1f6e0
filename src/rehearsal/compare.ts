import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import { changeRequestContent } from '../contract/change-request-content.ts';
import { changeRequests } from '../contract/change-requests.ts';
import { content } from '../contract/content.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { noIds, parts } from '../organization/parts.ts';
import type { Change, PageChange } from '../organization/plan/change.ts';
import { Selection } from '../organization/selection.ts';
import { readOrganization, type SnapshotWithLists } from '../organization/service/read-organization.ts';
import { type Member, noProgress } from '../organization/service/read-service.ts';
import { mapInOrder } from '../shared/map-in-order.ts';
import { reader } from './twin/twin-file.ts';
import { type AccessReader, accessReader } from '../organization/access.ts';
import { partsOfKinds, planOrganization } from '../organization/plan/make-plan.ts';
import { readRevision } from '../sync/read-remote.ts';
import type { RemotePage } from '../sync/read-remote.ts';
import { linkingPageOf, targetOf } from '../change-requests/link-places.ts';

/** One of the two copies. */
interface Side {
  client: Client;
  orgId: string;
  signal: AbortSignal;
  /** Called with what may not be read, which is then left out. Without it, reading fails instead. */
  refuse?(what: string): void;
}

/** The level of a member on a space before and after; null for none. */
interface AccessChange {
  member: string;
  space: string;
  before: string | null;
  after: string | null;
}

interface BrokenLink {
  space: string;
  page: string;
  target: string;
}

export interface Difference {
  changes: Change[];
  access: AccessChange[];
  brokenLinks: BrokenLink[];
  /** The content behind the changes of kind "content". */
  contents: ContentSides[];
}

/** Content that differs, with its pages at both revisions. */
export interface ContentSides {
  /** As in the change. */
  name: string;
  before: ContentAt;
  after: ContentAt;
}

export interface ContentAt {
  /** Of the copy. */
  client: Client;
  spaceId: string;
  revisionId: string;
  pages: readonly RemotePage[];
}

/** The differences of the second copy. */
export async function compareSides(before: Side, after: Side): Promise<Difference> {
  const old = await readSide(before);
  const now = await readSide(after, old);
  const requests = await changedRequests(before, after, [old, now]);
  const contents = await contentChanges(before, after, [old, now]);
  return {
    changes: [
      ...changesBetween(before.orgId, old, now),
      ...contents.map(({ change }) => change),
      ...requests.map(({ change }) => change),
    ],
    contents: [...contents, ...requests].map(({ sides }) => sides),
    access: await accessChanges(before, after, [old, now]),
    brokenLinks: [
      ...(await newBrokenLinks(before, after, [old, now])),
      ...requests.flatMap(({ brokenLinks: links }) => links),
    ],
  };
}

/** The names of rehearsed objects that differ between the service and the copy. @param changes those of the rehearsal */
export async function changedSince(copy: Side, service: Side, changes: readonly Change[]): Promise<string[]> {
  if (changes.length === 0) return [];
  const only = new Selection(partsOfKinds(new Set(changes.map(({ kind }) => kind))));
  const old = await readSide(copy, undefined, only);
  const now = await readSide(service, old, only);
  const rehearsed = new Set(changes.map(({ kind, name }) => `${kind} ${name}`));
  const contents = await contentChanges(copy, service, [old, now]);
  const others = [...changesBetween(copy.orgId, old, now), ...contents.map(({ change }) => change)];
  return [...new Set(others.map(({ kind, name }) => `${kind} ${name}`))].filter((name) => rehearsed.has(name));
}

/** Levels are compared for single members instead. */
const allButLevels = new Selection(parts.filter((part) => part !== 'levels'));

const readSide = (
  { orgId, ...side }: Side,
  named?: SnapshotWithLists,
  only = allButLevels,
): Promise<SnapshotWithLists> =>
  readOrganization({ ...side, progress: noProgress }, { orgId, only, ids: named?.names.ids ?? noIds() });

/** The changes of a plan from the first to the second. */
function changesBetween(orgId: string, old: SnapshotWithLists, now: SnapshotWithLists): Change[] {
  const { changes } = planOrganization({
    desired: now.organization,
    current: old.organization,
    orgId,
    ids: old.names.ids,
    memberIds: old.memberIds,
    otherIds: old.otherIds,
    prune: true,
  });
  return changes;
}

/** Whether the default levels of spaces and collections are the same on both sides. */
function samePlaces(old: SnapshotWithLists, now: SnapshotWithLists): boolean {
  const levels = ({ spaces, organization }: SnapshotWithLists) => [
    [...spaces].map(([name, { id, parent, defaultLevel }]) => [name, id, parent, defaultLevel]),
    organization.collections?.collections,
  ];
  return isDeepStrictEqual(levels(old), levels(now));
}

async function accessChanges(
  before: Side,
  after: Side,
  [old, now]: [SnapshotWithLists, SnapshotWithLists],
): Promise<AccessChange[]> {
  const [oldPeople, newPeople] = [peopleOf(old), peopleOf(now)];
  const hasSamePlaces = samePlaces(old, now);
  const ids = [...new Set([...oldPeople.keys(), ...newPeople.keys()])].filter((id) => {
    const [one, other] = [oldPeople.get(id), newPeople.get(id)];
    const isSame = one?.role === other?.role && one?.disabled === other?.disabled && one?.spaces === other?.spaces;
    return !hasSamePlaces || !isSame;
  });
  const changes: AccessChange[] = [];
  if (ids.length === 0) return [];
  const [readOld, readNew] = await Promise.all([readerOf(before, old), readerOf(after, now)]);
  const read = (id: string) =>
    Promise.all([levelsOf(readOld, oldPeople.get(id)), levelsOf(readNew, newPeople.get(id))]);
  for await (const [one, other] of mapInOrder(ids, 4, read)) {
    const member = other.name || one.name;
    for (const [space, { title, level }] of one.levels) {
      const level2 = other.levels.get(space)?.level ?? null;
      if (level2 !== level) changes.push({ member, space: title, before: level, after: level2 });
    }
    for (const [space, { title, level }] of other.levels)
      if (!one.levels.has(space)) changes.push({ member, space: title, before: null, after: level });
  }
  return changes;
}

const byId = <Item extends { id: string }>(list: readonly Item[]) => new Map(list.map((item) => [item.id, item]));
const peopleOf = ({ lists }: SnapshotWithLists) => byId(lists.members.filter(({ id }) => id !== reader));
const readerOf = (
  { client, orgId }: Side,
  { lists: { collections, spaces } }: SnapshotWithLists,
): Promise<AccessReader> => accessReader({ client, orgId, collections: byId(collections), spaces: byId(spaces) });

async function levelsOf(read: AccessReader, member: Member | undefined) {
  const rows = member && !member.disabled ? await read(member) : [];
  const levels = new Map(rows.map(({ space, level }) => [space.id, { title: space.title, level }]));
  return { name: member ? (member.user.email ?? member.user.displayName) : '', levels };
}

type Link = ItemOf<typeof content.links>;

/** Links that are broken on the second side only. */
async function newBrokenLinks(
  before: Side,
  after: Side,
  [old, now]: [SnapshotWithLists, SnapshotWithLists],
): Promise<BrokenLink[]> {
  const known = new Set<string>();
  for await (const links of mapInOrder(old.spaces.values(), 4, ({ id }) => brokenLinks(before, id)))
    for (const link of links) known.add(keyOf(link));
  const broken: BrokenLink[] = [];
  const read = async ([name, { id }]: [string, { id: string }]) => ({ name, links: await brokenLinks(after, id) });
  for await (const { name, links } of mapInOrder(now.spaces, 4, read))
    for (const link of links)
      if (!known.has(keyOf(link))) broken.push({ space: name, page: linkingPageOf(link), target: targetOf(link) });
  return broken;
}

const brokenLinks = ({ client }: Side, spaceId: string): Promise<Link[]> =>
  Array.fromAsync(client.items(content.links, { params: { spaceId }, query: { status: 'broken' } }));

const keyOf = (link: Link): string =>
  JSON.stringify([
    link.locationReferences.map((place) => ('space' in place ? place.space.id : '')),
    linkingPageOf(link),
    targetOf(link),
  ]);

/** Spaces that exist on both sides with different content. */
async function contentChanges(
  before: Side,
  after: Side,
  [old, now]: [SnapshotWithLists, SnapshotWithLists],
): Promise<{ change: Change; sides: ContentSides }[]> {
  const changes: { change: Change; sides: ContentSides }[] = [];
  for (const [name, { id, revision }] of old.spaces) {
    const revisionId = now.spaces.get(name)?.revision;
    if (revisionId === undefined || revisionId === revision) continue;
    const sides = {
      name,
      before: await contentAt(before, id, revision),
      after: await contentAt(after, id, revisionId),
    };
    const pages = pageChanges(sides.before.pages, sides.after.pages);
    // Only files may differ.
    const fields = pages.length > 0 ? [] : [{ field: 'revision', before: revision, after: revisionId }];
    const change: Change = { kind: 'content', name, action: 'update', fields, file: `spaces/${name}/content`, pages };
    changes.push({ change, sides });
  }
  return changes;
}

const contentAt = async ({ client }: Side, spaceId: string, revisionId: string): Promise<ContentAt> => ({
  client,
  spaceId,
  revisionId,
  pages: (await readRevision(client, { spaceId, revisionId })).pages,
});

/** Change requests that were created or changed, with what they change in main content and the links that they break. */
async function changedRequests(
  before: Side,
  after: Side,
  [old, now]: [SnapshotWithLists, SnapshotWithLists],
): Promise<{ change: Change; sides: ContentSides; brokenLinks: BrokenLink[] }[]> {
  const changed: { change: Change; sides: ContentSides; brokenLinks: BrokenLink[] }[] = [];
  for (const [title, { id: spaceId, revision: revisionId }] of now.spaces) {
    const isOld = [...old.spaces.values()].some(({ id }) => id === spaceId);
    const known = new Set((isOld ? await unmerged(before, spaceId) : []).map(({ revision }) => revision));
    for (const request of await unmerged(after, spaceId)) {
      if (known.has(request.revision)) continue;
      const name = `${title} #${request.number}`;
      const [main, own] = await Promise.all([
        contentAt(after, spaceId, revisionId),
        contentAt(after, spaceId, request.revision),
      ]);
      const pages = pageChanges(main.pages, own.pages);
      const params = { spaceId, changeRequestId: request.id };
      const query = { status: 'broken', brokenContext: 'change-request' } as const;
      const links = await Array.fromAsync(after.client.items(changeRequestContent.links, { params, query }));
      changed.push({
        change: { kind: 'content', name, action: 'update', fields: [], file: `spaces/${title}/content`, pages },
        sides: { name, before: main, after: own },
        brokenLinks: links.map((link) => ({ space: name, page: linkingPageOf(link), target: targetOf(link) })),
      });
    }
  }
  return changed;
}

async function unmerged({ client }: Side, spaceId: string): Promise<ItemOf<typeof changeRequests.list>[]> {
  const lists = (['draft', 'open'] as const).map((status) =>
    Array.fromAsync(client.items(changeRequests.list, { params: { spaceId }, query: { status } })),
  );
  return (await Promise.all(lists)).flat();
}

/** Both sides are copies of one database, so pages with the same document have the same text. */
function pageChanges(old: readonly RemotePage[], now: readonly RemotePage[]): PageChange[] {
  const before = new Map(old.map((page) => [page.id, page]));
  const after = new Set(now.map(({ id }) => id));
  const changes = now.flatMap((page): PageChange[] => {
    const { id, title, path = title } = page;
    const previous = before.get(id);
    if (!previous) return [{ action: 'create', path, title }];
    const { path: from = previous.title } = previous;
    const isMoved = page.parent !== previous.parent || from !== path;
    const fields = changedMembers(previous, page);
    return [
      ...(isMoved ? [{ action: 'move' as const, path, from, to: path }] : []),
      ...(fields.length > 0 ? [{ action: 'update' as const, path, fields }] : []),
    ];
  });
  const removed = old.flatMap(({ id, title, path = title }): PageChange[] =>
    after.has(id) ? [] : [{ action: 'delete', path, title }],
  );
  return [...changes, ...removed];
}

/** Members that are reported in another form, or follow from others. */
const notShown: ReadonlySet<string> = new Set(['id', 'parent', 'path', 'slug', 'text', 'updatedAt']);

function changedMembers(previous: RemotePage, page: RemotePage): string[] {
  const members = new Set([...Object.keys(previous), ...Object.keys(page)]);
  return [...members].flatMap((member) => {
    const [before, after]: unknown[] = [Reflect.get(previous, member), Reflect.get(page, member)];
    if (notShown.has(member) || isDeepStrictEqual(before, after)) return [];
    return [member === 'document' ? 'text' : member];
  });
}
