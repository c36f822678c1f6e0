import { isMissing } from '../../client/errors/http-error.ts';
import { orgs } from '../../contract/orgs.ts';
import type { LevelRow } from '../files/schemas.ts';
import { Names, type Titles } from '../names.ts';
import type { Ids, NamedKind, Organization } from '../parts.ts';
import type { Selection } from '../selection.ts';
import { isHiddenSpace } from '../../shared/state-title.ts';
import {
  type Grant,
  type Lists,
  membersToAsk,
  readEach,
  readFieldValues,
  readGrants,
  type Reading,
  readLists,
  readSite,
  readTeams,
  type Space,
} from './read-service.ts';
import {
  addressOf,
  collectionsFile,
  compareTexts,
  inviteLinksFile,
  memberRows,
  type Naming,
  organizationFile,
  providerFiles,
  readSpecifications,
  siteFile,
  sortedByName,
  spaceFiles,
  teamFiles,
  translationsFile,
} from './to-files.ts';

export interface ReadOptions {
  orgId: string;
  /** What to read. */
  only: Selection;
  /** Existing names. */
  ids: Ids;
  /** Titles by the names in the files, to name objects without a name. */
  titles?: Titles;
  /** The levels of members are skipped if reading them takes more requests. */
  maxLevelRequests?: number;
}

/** An organization in the service, with what its files do not contain. */
export interface Snapshot {
  organization: Organization;
  /** How many requests it takes to read the levels of members. */
  levelRequests: number;
  names: Names;
  otherIds: ReadonlyMap<string, string>;
  memberIds: ReadonlyMap<string, string>;
  /** What was skipped, and why. */
  warnings: readonly string[];
  /** Slugs of specifications whose text the service does not have, or has in several files. */
  unreadSpecs: readonly string[];
  /** The spaces by name, for their content. */
  spaces: Map<string, Space>;
}

/** With the objects as the service returned them. */
export interface SnapshotWithLists extends Snapshot {
  lists: Lists;
}

type Port = Pick<Reading, 'client' | 'signal' | 'progress' | 'refuse'>;

/** How often an organization is read while others delete what was listed. */
const maxReads = 3;

/** Reads an organization, including the names of objects that other parts mention. */
export async function readOrganization(port: Port, options: ReadOptions): Promise<SnapshotWithLists> {
  const { only } = options;
  for (let count = 1; ; count += 1) {
    const lists = await readLists({ ...port, orgId: options.orgId }, (...parts) => only.has(...parts));
    try {
      return await readListed(port, lists, options);
    } catch (error) {
      if (!isMissing(error) || count === maxReads) throw error;
    }
  }
}

async function readListed(
  { client, signal, progress, refuse }: Port,
  all: Lists,
  { orgId, only, ids, titles, maxLevelRequests = Infinity }: ReadOptions,
): Promise<SnapshotWithLists> {
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
    ...(refuse && { refuse }),
  };
  const lists = { ...all, spaces: all.spaces.filter((space) => !isHiddenSpace(space)) };
  nameAll(names, lists, only);
  const organization = await readParts(reading, lists, only);
  const specifications = await readSpecifications(
    reading,
    lists.specifications.filter(({ slug }) => only.includes('openapi', slug)),
  );
  if (only.has('openapi')) organization.openapi = specifications.texts;
  const asked = only.has('levels') ? membersToAsk(lists.members, lists.spaces) : [];
  if (only.has('levels') && asked.length <= maxLevelRequests)
    organization.levels = levelRows(names, await readGrants(reading, { ...lists, members: asked }));
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
  if (has('sites')) {
    const sites = await readEach(reading, 'sites', chosen('sites', lists.sites), (site) => readSite(reading, site));
    organization.sites = sortedByName(
      sites.map((whole) => [names.nameOf('sites', whole.site.id), siteFile(reading, whole)] as const),
    );
  }
  if (has('translations')) organization.translations = translationsFile(reading, lists.translations);
  if (has('invite-links')) organization['invite-links'] = inviteLinksFile(reading, lists.inviteLinks);
  return organization;
}

/** Names the objects of the kinds that were read. */
function nameAll(names: Names, lists: Lists, only: Selection): void {
  const providers = lists.providers.map(({ id, label }) => ({ id, title: label }));
  if (only.has('teams', 'members', 'sso')) names.name(['teams', lists.teams]);
  if (only.has('sso')) names.name(['sso', providers]);
  // Spaces and collections share an order, so their names must differ.
  if (only.has('collections', 'spaces', 'content', 'sites', 'invite-links', 'levels'))
    names.name(['collections', lists.collections], ['spaces', lists.spaces]);
  if (only.has('sites', 'organization')) names.name(['sites', lists.sites]);
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
