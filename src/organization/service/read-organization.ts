import type { Client } from '../../client/client.ts';
import { collections } from '../../contract/collections.ts';
import { members } from '../../contract/members.ts';
import { orgs } from '../../contract/orgs.ts';
import { sites } from '../../contract/sites.ts';
import { spaces } from '../../contract/spaces.ts';
import { sso } from '../../contract/sso.ts';
import { teams } from '../../contract/teams.ts';
import { Names, type Titles } from '../names.ts';
import type { Ids, NamedKind, Organization, Part } from '../organization.ts';
import type { Selection } from '../selection.ts';
import { collectionsFile, ordersOf, readSpaces, type Space } from './content.ts';
import { askedMembers, readLevels } from './levels.ts';
import { memberRows, providerFiles, readSettings, readTeams } from './people.ts';
import { readInviteLinks, readSpecifications, readTranslations } from './publishing.ts';
import type { Reading } from './reading.ts';
import { readSites } from './sites.ts';

export interface ReadOptions extends Pick<Reading, 'warn' | 'progress' | 'signal'> {
  client: Client;
  orgId: string;
  /** What to read. */
  only: Selection;
  /** Names that objects have already. */
  ids: Ids;
  /** Titles by the names that files use, for objects without a name. */
  titles?: Titles;
  /** The levels of members are left out if reading them takes more requests. */
  maxLevelRequests?: number;
}

/** An organization as the service has it, and what the files do not say. */
export interface Snapshot {
  organization: Organization;
  /** How many requests the levels of members take. */
  levelRequests: number;
  names: Names;
  otherIds: ReadonlyMap<string, string>;
  memberIds: ReadonlyMap<string, string>;
  /** Slugs of specifications whose text the service does not have, or has in several files. */
  unreadSpecs: readonly string[];
  /** The spaces by name, for their content. */
  spaces: Map<string, Space>;
}

/** Reads an organization. Names of objects that other parts mention are read too. */
export async function readOrganization(options: ReadOptions): Promise<Snapshot> {
  const { client, orgId, only, ids, titles } = options;
  const names = new Names(ids, titles);
  const reading: Reading = { ...options, names, otherIds: new Map(), memberIds: new Map() };
  const params = { orgId };
  const has = (...wanted: Part[]) => only.has(...wanted);
  const chosen = <Item extends { id: string }>(part: NamedKind, items: Item[]) =>
    items.filter(({ id }) => only.includes(part, names.nameOf(part, id)));
  const list = await readLists(reading, only);
  const organization: Organization = {};
  const org = await client.call(orgs.view, { params });
  const settings = await readSettings(reading, org);
  if (has('organization')) organization.organization = settings;
  const people = has('members', 'levels') ? await Array.fromAsync(client.items(members.list, { params })) : [];
  if (has('teams', 'members')) {
    const memberships = await readTeams(reading, has('members') ? list.teams : chosen('teams', list.teams));
    if (has('teams')) organization.teams = new Map([...memberships].filter(([name]) => only.includes('teams', name)));
    if (has('members')) organization.members = memberRows(reading, people, memberships);
  }
  if (has('sso')) organization.sso = providerFiles(reading, chosen('sso', list.providers));
  if (has('collections'))
    organization.collections = collectionsFile(
      reading,
      list.collections,
      ordersOf(reading, list.collections, list.spaces),
    );
  if (has('spaces'))
    organization.spaces = await readSpaces(
      reading,
      chosen('spaces', list.spaces),
      (settings.customFields ?? []).length > 0,
    );
  if (has('sites')) organization.sites = await readSites(reading, chosen('sites', list.sites));
  const specifications = has('openapi') ? await readSpecifications(reading, only) : undefined;
  if (specifications) organization.openapi = specifications.texts;
  if (has('translations')) organization.translations = await readTranslations(reading);
  if (has('invite-links')) organization.inviteLinks = await readInviteLinks(reading);
  const asked = has('levels') ? askedMembers(people, list.spaces) : [];
  if (has('levels') && asked.length <= (options.maxLevelRequests ?? Infinity))
    organization.levels = await readLevels(reading, asked, list.collections);
  return {
    organization,
    levelRequests: asked.length,
    names,
    otherIds: reading.otherIds,
    memberIds: reading.memberIds,
    unreadSpecs: specifications?.unread ?? [],
    spaces: new Map(list.spaces.map((space) => [names.nameOf('spaces', space.id), space])),
  };
}

/** The objects that have names in the files, as far as what is selected needs them; they are named here. */
async function readLists({ client, orgId, names }: Reading, only: Selection) {
  const params = { orgId };
  const all = async <Item>(isNeeded: boolean, items: () => AsyncIterable<Item>): Promise<Item[]> =>
    isNeeded ? Array.fromAsync(items()) : [];
  const needsTeams = only.has('teams', 'members', 'sso');
  const needsPlaces = only.has('collections', 'spaces', 'content', 'sites', 'invite-links', 'levels');
  const needsSites = only.has('sites', 'organization');
  const list = {
    teams: await all(needsTeams, () => client.items(teams.list, { params })),
    providers: await all(only.has('sso'), () => client.items(sso.listProviders, { params })),
    collections: await all(needsPlaces, () => client.items(collections.list, { params })),
    spaces: await all(needsPlaces, () => client.items(spaces.list, { params })),
    sites: await all(needsSites, () => client.items(sites.list, { params })),
  };
  const providers = list.providers.map(({ id, label }) => ({ id, title: label }));
  if (needsTeams) names.name('teams', list.teams);
  if (only.has('sso')) names.name('sso', providers);
  // Spaces and collections stand in one order, so no two of them may have one name.
  if (needsPlaces) names.nameTogether(['collections', list.collections], ['spaces', list.spaces]);
  if (needsSites) names.name('sites', list.sites);
  return list;
}
