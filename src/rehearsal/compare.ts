import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import { content } from '../contract/content.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { Places } from '../organization/files/problems.ts';
import { noIds } from '../organization/organization.ts';
import type { Change } from '../organization/plan/change.ts';
import { planOrganization } from '../organization/plan/plan.ts';
import { Selection } from '../organization/selection.ts';
import { readOrganization, type Snapshot } from '../organization/service/read-organization.ts';
import { mapInOrder } from '../shared/map-in-order.ts';
import { accessOf, collectionsOf } from '../organization/access/read-access.ts';
import type { Member } from '../organization/access/reasons.ts';
import { partsOfKinds } from '../organization/plan/make-plan.ts';
import { contentChanges } from './content-changes.ts';
import { linkingPageOf, targetOf } from '../commands/shared/columns.ts';

/** One of the two copies. */
export interface Side {
  client: Client;
  orgId: string;
  signal: AbortSignal;
}

/** What somebody can do on a space before and after; null for nothing. */
export interface AccessChange {
  member: string;
  space: string;
  before: string | null;
  after: string | null;
}

export interface BrokenLink {
  space: string;
  page: string;
  target: string;
}

export interface Difference {
  changes: Change[];
  access: AccessChange[];
  brokenLinks: BrokenLink[];
}

/** What is different in the second copy. */
export async function compareSides(before: Side, after: Side): Promise<Difference> {
  const old = await readSide(before);
  const now = await readSide(after, old);
  return {
    changes: [...changesBetween(before.orgId, old, now), ...(await contentChanges(before, after, [old, now]))],
    access: await accessChanges(before, after, samePlaces(old, now)),
    brokenLinks: await newBrokenLinks(before, after, [old, now]),
  };
}

/**
 * What is otherwise at the service than in the copy, of the objects that the rehearsal changed: their names.
 *
 * @param changes those of the rehearsal
 */
export async function changedSince(copy: Side, service: Side, changes: readonly Change[]): Promise<string[]> {
  if (changes.length === 0) return [];
  const only = new Selection(partsOfKinds(new Set(changes.map(({ kind }) => kind))));
  const old = await readSide(copy, undefined, only);
  const now = await readSide(service, old, only);
  const rehearsed = new Set(changes.map(({ kind, name }) => `${kind} ${name}`));
  const others = [...changesBetween(copy.orgId, old, now), ...(await contentChanges(copy, service, [old, now]))];
  return [...new Set(others.map(({ kind, name }) => `${kind} ${name}`))].filter((name) => rehearsed.has(name));
}

const readSide = ({ client, orgId, signal }: Side, named?: Snapshot, only = new Selection()): Promise<Snapshot> =>
  readOrganization({
    client,
    orgId,
    signal,
    warn: () => {},
    progress: () => {},
    only,
    ids: named?.names.ids ?? noIds(),
  });

/** The changes that a plan from the first to the second would have. */
function changesBetween(orgId: string, old: Snapshot, now: Snapshot): Change[] {
  const { changes } = planOrganization({
    desired: now.organization,
    current: old.organization,
    orgId,
    ids: old.names.ids,
    memberIds: old.memberIds,
    otherIds: old.otherIds,
    unreadSpecs: [],
    places: new Places(new Map()),
    unchanged: new Set(),
    prune: true,
  });
  return changes;
}

/** Whether spaces and collections give the same levels on both sides. */
function samePlaces(old: Snapshot, now: Snapshot): boolean {
  const levels = ({ spaces, organization }: Snapshot) => [
    [...spaces].map(([name, { id, parent, defaultLevel }]) => [name, id, parent, defaultLevel]),
    organization.collections?.collections,
  ];
  return isDeepStrictEqual(levels(old), levels(now));
}

async function accessChanges(before: Side, after: Side, hasSamePlaces: boolean): Promise<AccessChange[]> {
  const [old, now] = [await membersOf(before), await membersOf(after)];
  const ids = [...new Set([...old.keys(), ...now.keys()])].filter((id) => {
    const [one, other] = [old.get(id), now.get(id)];
    const isSame = one?.role === other?.role && one?.disabled === other?.disabled && one?.spaces === other?.spaces;
    return !hasSamePlaces || !isSame;
  });
  const sides = [
    { side: before, people: old, collections: await collectionsOf(before.client, before.orgId) },
    { side: after, people: now, collections: await collectionsOf(after.client, after.orgId) },
  ] as const;
  const changes: AccessChange[] = [];
  const read = (id: string) => Promise.all(sides.map((each) => levelsOf(each, id)));
  for await (const [one, other] of mapInOrder(ids, 4, read)) {
    if (!one || !other) continue;
    const name = other.name || one.name;
    for (const [space, { title, level }] of one.levels) {
      const level2 = other.levels.get(space)?.level ?? null;
      if (level2 !== level) changes.push({ member: name, space: title, before: level, after: level2 });
    }
    for (const [space, { title, level }] of other.levels)
      if (!one.levels.has(space)) changes.push({ member: name, space: title, before: null, after: level });
  }
  return changes;
}

async function membersOf({ client, orgId }: Side): Promise<Map<string, Member>> {
  const people = new Map<string, Member>();
  for await (const { id, user, role, disabled, teams, spaces } of client.items(members.list, { params: { orgId } }))
    people.set(id, { id, user, role, disabled, teams, spaces });
  return people;
}

interface Levels {
  side: Side;
  people: ReadonlyMap<string, Member>;
  collections: Awaited<ReturnType<typeof collectionsOf>>;
}

async function levelsOf({ side: { client, orgId }, people, collections }: Levels, id: string) {
  const member = people.get(id);
  const rows = member && !member.disabled ? await accessOf({ client, orgId, collections }, member) : [];
  const levels = new Map(rows.map(({ space, level }) => [space.id, { title: space.title, level }]));
  return { name: member ? (member.user.email ?? member.user.displayName) : '', levels };
}

type Link = ItemOf<typeof content.links>;

/** Links that are broken on the second side and were not on the first. */
async function newBrokenLinks(before: Side, after: Side, [old, now]: [Snapshot, Snapshot]): Promise<BrokenLink[]> {
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
