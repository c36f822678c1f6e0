import { orgs } from '../../contract/orgs.ts';
import type { LevelRow } from '../files/levels.ts';
import type { SiteFile } from '../files/schemas.ts';
import { Names, type Titles } from '../names.ts';
import type { Ids, NamedKind, Organization } from '../organization.ts';
import type { Selection } from '../selection.ts';
import { collectionsFile, spaceFiles } from './places.ts';
import { addressOf, memberRows, organizationFile, providerFiles, teamFiles } from './people.ts';
import { inviteLinksFile, readSpecifications, translationsFile } from './publishing.ts';
import {
  askedMembers,
  type Grant,
  type Lists,
  readFieldValues,
  readGrants,
  readLists,
  readSite,
  readTeams,
  type Site,
  type Space,
} from './read-service.ts';
import { compareTexts, type Naming, readEach, type Reading, sortedByName } from './reading.ts';
import { siteFile } from './sites.ts';

interface ReadOptions {
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
  /** What was left out, and why. */
  warnings: readonly string[];
  /** Slugs of specifications whose text the service does not have, or has in several files. */
  unreadSpecs: readonly string[];
  /** The spaces by name, for their content. */
  spaces: Map<string, Space>;
  lists: Lists;
}

/** Reads an organization. Names of objects that other parts mention are read too. */
export async function readOrganization(
  { client, signal, progress }: Pick<Reading, 'client' | 'signal' | 'progress'>,
  { orgId, only, ids, titles, maxLevelRequests = Infinity }: ReadOptions,
): Promise<Snapshot> {
  const names = new Names(ids, titles);
  const reading: Reading & Naming = {
    client,
    signal,
    progress,
    orgId,
    names,
    otherIds: new Map(),
    memberIds: new Map(),
    warnings: [],
  };
  const lists = await readLists(reading, (...parts) => only.has(...parts));
  nameAll(names, lists, only);
  const organization = await readParts(reading, lists, only);
  const specifications = await readSpecifications(
    reading,
    lists.specifications.filter(({ slug }) => only.includes('openapi', slug)),
  );
  if (only.has('openapi')) organization.openapi = specifications.texts;
  const asked = only.has('levels') ? askedMembers(lists.members, lists.spaces) : [];
  if (only.has('levels') && asked.length <= maxLevelRequests)
    organization.levels = levelRows(names, await readGrants(reading, asked, lists.collections));
  return {
    organization,
    levelRequests: asked.length,
    names,
    otherIds: reading.otherIds,
    memberIds: reading.memberIds,
    warnings: reading.warnings,
    unreadSpecs: specifications.unread,
    spaces: new Map(lists.spaces.map((space) => [names.nameOf('spaces', space.id), space])),
    lists,
  };
}

/** All parts but specifications and levels. */
async function readParts(reading: Reading & Naming, lists: Lists, only: Selection): Promise<Organization> {
  const { client, orgId, names } = reading;
  const has: Selection['has'] = (...parts) => only.has(...parts);
  const chosen = <Item extends { id: string }>(part: NamedKind, items: Item[]) =>
    items.filter(({ id }) => only.includes(part, names.nameOf(part, id)));
  const organization: Organization = {};
  if (has('organization')) {
    const org = await client.call(orgs.view, { params: { orgId } });
    organization.organization = organizationFile(reading, org, lists.fields);
  }
  if (has('teams', 'members')) {
    const list = await readTeams(reading, has('members') ? lists.teams : chosen('teams', lists.teams));
    const teams = teamFiles(reading, list);
    if (has('teams')) organization.teams = new Map([...teams].filter(([name]) => only.includes('teams', name)));
    if (has('members')) organization.members = memberRows(reading, lists.members, teams);
  }
  if (has('sso')) organization.sso = providerFiles(reading, chosen('sso', lists.providers));
  if (has('collections')) organization.collections = collectionsFile(reading, lists.collections, lists.spaces);
  if (has('spaces')) {
    const list = chosen('spaces', lists.spaces);
    const values = await readFieldValues(reading, lists.fields.length > 0 ? list : []);
    organization.spaces = spaceFiles(reading, list, values);
  }
  if (has('sites')) organization.sites = await readSites(reading, chosen('sites', lists.sites));
  if (has('translations')) organization.translations = translationsFile(reading, lists.translations);
  if (has('invite-links')) organization.inviteLinks = inviteLinksFile(reading, lists.inviteLinks);
  return organization;
}

async function readSites(reading: Reading & Naming, list: readonly Site[]): Promise<Map<string, SiteFile>> {
  const sites = await readEach(reading, 'sites', list, (site) => readSite(reading, site));
  return sortedByName(
    sites.map((whole) => [reading.names.nameOf('sites', whole.site.id), siteFile(reading, whole)] as const),
  );
}

/** Names the objects that have names in the files, of the kinds that were read. */
function nameAll(names: Names, lists: Lists, only: Selection): void {
  const providers = lists.providers.map(({ id, label }) => ({ id, title: label }));
  if (only.has('teams', 'members', 'sso')) names.name('teams', lists.teams);
  if (only.has('sso')) names.name('sso', providers);
  // Spaces and collections are in one order, so no two of them may have one name.
  if (only.has('collections', 'spaces', 'content', 'sites', 'invite-links', 'levels'))
    names.nameTogether(['collections', lists.collections], ['spaces', lists.spaces]);
  if (only.has('sites', 'organization')) names.name('sites', lists.sites);
}

/** levels.csv */
const levelRows = (names: Names, grants: readonly Grant[]): LevelRow[] =>
  grants
    .map(({ member, space, level }) => ({
      email: addressOf(member),
      space: names.find('spaces', space) ?? space,
      level,
    }))
    .toSorted((one, other) => compareTexts(one.email, other.email) || compareTexts(one.space, other.space));
