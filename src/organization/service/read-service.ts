import { atLeast, highest, type RoleName } from '../../contract/access.ts';
import { collections } from '../../contract/collections.ts';
import { fields } from '../../contract/custom-fields.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { openapi } from '../../contract/openapi.ts';
import { shareLinks } from '../../contract/share-links.ts';
import { siteCustomization } from '../../contract/site-customization.ts';
import { siteSchema } from '../../contract/site-schema.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import { translations } from '../../contract/translations.ts';
import { collectionsAbove } from '../collections-above.ts';
import { grantsOf, type Grants, levelOn } from '../grants.ts';
import type { Part } from '../parts.ts';
import { HttpError, isMissing, undefinedIfMissing } from '../../client/errors/http-error.ts';
import type { Port, Progress } from '../../client/port.ts';
import { reasons } from '../../contract/errors.ts';
import { mapInOrder } from '../../shared/map-in-order.ts';

/** Options of all functions that read an organization. */
export interface Reading extends Pick<Port, 'client' | 'signal' | 'progress'> {
  orgId: string;
  /** Called with what the caller may not read, which is then left out. Without it, reading fails instead. */
  refuse?(what: string): void;
}

/** For reading while the progress shows something else. */
export const noProgress: Progress = { say() {}, count() {} };

export function showProgress(
  { progress }: Pick<Reading, 'progress'>,
  what: string,
  done: number,
  total?: number,
): void {
  progress.say(`Reading ${what}`);
  progress.count(done, total);
}

/** Concurrent requests. */
const maxRequests = 8;

/** Reads several items at once, and returns the results in order. */
export async function readEach<Item, Result>(
  reading: Pick<Reading, 'progress' | 'signal'>,
  what: string,
  items: readonly Item[],
  read: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for await (const result of mapInOrder(items, maxRequests, read)) {
    reading.signal.throwIfAborted();
    results.push(result);
    showProgress(reading, what, results.length, items.length);
  }
  return results;
}

/** The result of `read`, or `otherwise` if it may not be read or no longer exists, and `refuse` accepts that. */
export async function readable<Result>(
  { refuse }: Pick<Reading, 'refuse'>,
  what: string,
  read: () => Promise<Result>,
  otherwise: Result,
): Promise<Result> {
  try {
    return await read();
  } catch (error) {
    const isRefusal = error instanceof HttpError && error.status === reasons.forbidden;
    if (!refuse || !(isRefusal || isMissing(error))) throw error;
    refuse(what);
    return otherwise;
  }
}

export type Field = ItemOf<typeof fields.list>;
export type Member = ItemOf<typeof members.list>;
export type Team = ItemOf<typeof teams.list>;
export type TeamMember = ItemOf<typeof teams.listMembers>;
export type Provider = ItemOf<typeof sso.listProviders>;
export type Collection = ItemOf<typeof collections.list>;
export type Space = ItemOf<typeof spaces.list>;
export type Site = ItemOf<typeof sites.list>;
export type Specification = ItemOf<typeof openapi.list>;
export type Translation = ItemOf<typeof translations.list>;
export type InviteLink = ItemOf<typeof invites.listLinks>;

export type Lists = Awaited<ReturnType<typeof readLists>>;

/** The objects of an organization in the order of the service. Lists that no selected part needs are empty. */
export async function readLists(reading: Reading, has: (...parts: readonly Part[]) => boolean) {
  const { client, orgId } = reading;
  const input = { params: { orgId } };
  const list = async <Item>(isNeeded: boolean, what: string, pages: () => AsyncIterable<{ items: Item[] }>) => {
    const items: Item[] = [];
    const read = async () => {
      for await (const page of pages()) {
        items.push(...page.items);
        showProgress(reading, what, items.length);
      }
    };
    if (isNeeded) await readable(reading, `list of ${what}`, read, undefined);
    return items;
  };
  const needsPlaces = has('collections', 'spaces', 'content', 'sites', 'invite-links', 'levels');
  return {
    members: await list(has('members', 'levels'), 'members', () => client.pages(members.list, input)),
    fields: await list(has('organization', 'spaces'), 'custom fields', () => client.pages(fields.list, input)),
    teams: await list(has('teams', 'members', 'sso'), 'teams', () => client.pages(teams.list, input)),
    providers: await list(has('sso'), 'SSO providers', () => client.pages(sso.listProviders, input)),
    collections: await list(needsPlaces, 'collections', () => client.pages(collections.list, input)),
    spaces: await list(needsPlaces, 'spaces', () => client.pages(spaces.list, input)),
    sites: await list(has('sites', 'organization'), 'sites', () => client.pages(sites.list, input)),
    specifications: await list(has('openapi'), 'specifications', () => client.pages(openapi.list, input)),
    translations: await list(has('translations'), 'translations', () => client.pages(translations.list, input)),
    inviteLinks: await list(has('invite-links'), 'invite links', () => client.pages(invites.listLinks, input)),
  };
}

/** Teams with their members. */
export const readTeams = (reading: Reading, list: readonly Team[]): Promise<{ team: Team; members: TeamMember[] }[]> =>
  readEach(reading, 'teams', list, async (team) => {
    const params = { orgId: reading.orgId, teamId: team.id };
    const all = () => Array.fromAsync(reading.client.items(teams.listMembers, { params }));
    return { team, members: team.members === 0 ? [] : await readable(reading, 'members of a team', all, []) };
  });

/** The custom fields of spaces, with and without a value, by the ID of the space. */
export async function readSpaceFields(reading: Reading, list: readonly Space[]) {
  const entries = await readEach(reading, 'custom fields of spaces', list, async ({ id }) => {
    const all = () => reading.client.call(fields.viewValues, { params: { spaceId: id } });
    return [id, await readable(reading, 'custom fields of a space', all, [])] as const;
  });
  return new Map(entries);
}

type SpaceFields = Awaited<ReturnType<typeof readSpaceFields>>;

/** The values of custom fields by the ID of their space. */
export const fieldValuesOf = (spaceFields: SpaceFields) =>
  new Map(
    [...spaceFields].map(([id, values]) => [
      id,
      values.flatMap(({ customField: { name }, value }) => (value === undefined ? [] : [{ name, value }])),
    ]),
  );

export const readFieldValues = async (reading: Reading, list: readonly Space[]) =>
  fieldValuesOf(await readSpaceFields(reading, list));

/** The level of a member on a space. */
export interface Grant {
  member: Member;
  space: string;
  level: RoleName;
}

/**
 * The members whose levels have to be requested one by one. Administrators can do everything, and guests without spaces
 * nothing.
 */
export const membersToAsk = (list: readonly Member[], spaceList: readonly Space[]): Member[] =>
  spaceList.length === 0
    ? []
    : list.filter(({ role, spaces: count }) => role !== 'admin' && (role !== null || count > 0));

/** The members, spaces and collections whose levels are read. */
type Levels = Pick<Lists, 'members' | 'spaces' | 'collections'>;

/**
 * The levels of members on spaces beyond their role and the default levels. A grant on a collection counts as one on each
 * space in it, because only some services report the source of a level.
 *
 * @param lists the members to ask
 */
export async function readGrants(reading: Reading, lists: Levels): Promise<Grant[]> {
  if (lists.members.length === 0) return [];
  const grants = await grantsOf(reading.client, reading.orgId);
  return grants ? grantsIn(lists, grants) : askMembers(reading, lists);
}

function grantsIn({ members: list, spaces: spaceList, collections: collectionList }: Levels, grants: Grants): Grant[] {
  const byId = new Map(collectionList.map((collection) => [collection.id, collection]));
  return list
    .filter(({ id }) => grants.has(id))
    .flatMap((member) =>
      spaceList.flatMap((space) => {
        const level = levelOn(member, space, { collections: byId, grants });
        const isGranted = level !== null && !atLeast(defaultLevel(member.role, space, byId), level);
        return isGranted ? [{ member, space: space.id, level }] : [];
      }),
    );
}

/** The same with a request for each member, for services that have no list of grants. */
export async function askMembers(
  reading: Reading,
  { members: list, collections: collectionList }: Levels,
): Promise<Grant[]> {
  const byId = new Map(collectionList.map((collection) => [collection.id, collection]));
  const grants = await readEach(reading, 'levels of members', list, async (member) => {
    const granted: Grant[] = [];
    const params = { orgId: reading.orgId, userId: member.id };
    const read = async () => {
      for await (const { permission, space } of reading.client.items(members.spaces, { params }))
        if (!atLeast(defaultLevel(member.role, space, byId), permission))
          granted.push({ member, space: space.id, level: permission });
    };
    try {
      await readable(reading, 'levels of a member', read, undefined);
    } catch (error) {
      // The member was removed in the meantime.
      if (!isMissing(error)) throw error;
    }
    return granted;
  });
  return grants.flat();
}

/** The level from the role and the default levels. Guests have neither. */
const defaultLevel = (
  role: RoleName | null,
  space: Pick<Space, 'defaultLevel' | 'parent'>,
  byId: ReadonlyMap<string, Collection>,
): RoleName | null =>
  role &&
  highest(role, space.defaultLevel, ...collectionsAbove(space, byId).above.map(({ defaultLevel }) => defaultLevel));

/** A site with its settings. */
export type WholeSite = Awaited<ReturnType<typeof readSite>>;

export async function readSite({ client, orgId }: Reading, site: Site) {
  const params = { orgId, siteId: site.id };
  const [structure, customization, schema, links] = await Promise.all([
    client.call(sites.structure, { params }),
    client.call(siteCustomization.view, { params }),
    client.call(siteSchema.view, { params }).catch(undefinedIfMissing),
    Array.fromAsync(client.items(shareLinks.list, { params })),
  ]);
  return { site, structure, customization, schema, links };
}

/** The files of the latest version of a specification; undefined if it has no version. */
export async function readDocuments(
  { client, orgId }: Reading,
  { slug, lastVersion }: Specification,
): Promise<[name: string, document: unknown][] | undefined> {
  if (lastVersion === undefined) return undefined;
  const params = { orgId, specSlug: slug, versionId: lastVersion };
  const { filesystem } = await client.call(openapi.versionContent, { params });
  return Object.entries(filesystem);
}
