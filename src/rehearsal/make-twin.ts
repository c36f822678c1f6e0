import { undefinedIfMissing } from '../client/errors/http-error.ts';
import type { Port } from '../client/port.ts';
import type { RoleName } from '../contract/access.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { openapi } from '../contract/openapi.ts';
import type { orgs } from '../contract/orgs.ts';
import { sectionGroups } from '../contract/section-groups.ts';
import { sites } from '../contract/sites.ts';
import { spaces } from '../contract/spaces.ts';
import { users } from '../contract/users.ts';
import { writeYaml } from '../organization/files/write-files.ts';
import {
  type Lists,
  type Member,
  type Site,
  type Space,
  type Specification,
  askMembers,
  membersToAsk,
  readDocuments,
  readEach,
  fieldValuesOf,
  readSpaceFields,
  readLists,
  readSite,
  readTeams,
  readable,
  showProgress,
} from '../organization/service/read-service.ts';
import { listGrants } from '../organization/grants.ts';
import { ordersOf } from '../organization/service/to-files.ts';
import { getFrom } from '../shared/get-from.ts';
import { copyContents } from './read-content.ts';
import { LeftOut, type TwinReading } from './reading.ts';
import {
  type TwinGrant,
  type TwinSite,
  type TwinSpecification,
  writeCollections,
  writeFieldValues,
  writeFields,
  writeGrants,
  writeInvites,
  writeMembers,
  writeOrganization,
  writeProviders,
  writeSite,
  writeSpace,
  writeSpecification,
  writeTeam,
  writeTranslations,
  writeUsers,
} from './twin/rows.ts';
import { TwinFile, markNotReadable, markTwin, removeDatabase } from './twin/twin-file.ts';

type Organization = AnswerOf<typeof orgs.view>;

export interface TwinOptions {
  organization: Organization;
  /** The address of the service. */
  url: string;
  /** A new file, or an empty one. */
  file: string;
}

/** The number of objects in a twin. */
interface TwinCounts {
  members: number;
  teams: number;
  collections: number;
  spaces: number;
  sites: number;
}

export interface MadeTwin extends TwinCounts {
  leftOut: LeftOut;
}

/** Writes the twin of an organization into a new database. If that fails, the database is removed. */
export async function makeTwin(
  { client, signal, progress, bytes }: Port & Pick<TwinReading, 'bytes'>,
  { organization, url, file }: TwinOptions,
): Promise<MadeTwin> {
  const leftOut = new LeftOut();
  const twin = new TwinFile(file);
  const reading: TwinReading = {
    client,
    signal,
    progress,
    bytes,
    orgId: organization.id,
    twin,
    leftOut,
    refuse: (what) => leftOut.refuse(what),
  };
  try {
    const counts = await buildTwin(reading, organization, url);
    signal.throwIfAborted();
    await twin.close();
    return { ...counts, leftOut };
  } catch (error) {
    await twin.close();
    removeDatabase(file);
    throw error;
  }
}

/** Reads an organization and writes it, with its IDs, into the database of the twin. */
async function buildTwin(reading: TwinReading, org: Organization, url: string): Promise<TwinCounts> {
  const { client, orgId, twin } = reading;
  const caller = await client.call(users.current, {});
  const lists = visibleLists(reading, await readLists(reading, () => true));
  await noteDeletedSpaces(reading);
  const spaceIds = new Set(lists.spaces.map(({ id }) => id));
  const collectionIds = new Set(lists.collections.map(({ id }) => id));
  const teams = await readTeams(reading, lists.teams);
  const hasFields = lists.fields.length > 0 || reading.leftOut.refused.has('list of custom fields');
  const spaceFields = await readSpaceFields(reading, hasFields ? lists.spaces : []);
  if (lists.fields.length === 0) lists.fields.push(...fieldsIn(spaceFields));
  const fieldValues = fieldValuesOf(spaceFields);
  const grants = await readTwinGrants(reading, lists);
  if (!lists.members.some(({ id }) => id === caller.id)) {
    lists.members.push(memberFrom(org, caller));
    grants.push(...ownGrants(caller.id, lists));
  }
  const source = { url, organization: orgId, createdAt: new Date().toISOString() };
  await twin.write(async (db) => {
    await writeOrganization(db, org);
    await writeUsers(db, [caller], org.createdAt);
    // Commands on the twin run as the user who created it, with the same role.
    await markTwin(db, source, caller.id);
    await writeMembers(db, orgId, lists.members);
    for (const team of teams) await writeTeam(db, orgId, team);
    await writeProviders(db, orgId, lists.providers, new Set(lists.teams.map(({ id }) => id)));
    await writeFields(db, orgId, lists.fields);
    const placeOf = placesIn(lists);
    await writeCollections(db, lists.collections, placeOf, org.createdAt);
    const fieldIds = new Map(lists.fields.map(({ name, id }) => [name, id]));
    for (const space of lists.spaces) {
      await writeSpace(db, space, placeOf(space.id));
      await writeFieldValues(db, space.id, fieldValues.get(space.id) ?? [], fieldIds);
    }
    await writeGrants(db, orgId, grants);
    await writeTranslations(db, orgId, lists.translations);
    const links = lists.inviteLinks.filter((invite) => {
      if ('space' in invite) return spaceIds.has(invite.space.id);
      return 'collection' in invite ? collectionIds.has(invite.collection.id) : true;
    });
    await writeInvites(db, org, links);
  });
  await copyContents(reading, lists.spaces, caller.id);
  await copySites(reading, lists.sites, spaceIds);
  await copySpecifications(reading, lists.specifications);
  const notReadable = Object.fromEntries(reading.leftOut.refused);
  await twin.write((db) => markNotReadable(db, { ...source, notReadable }));
  return {
    members: lists.members.length,
    teams: lists.teams.length,
    collections: lists.collections.length,
    spaces: lists.spaces.length,
    sites: lists.sites.length,
  };
}

/** What was granted to the members in the twin, on its spaces and collections. */
async function readTwinGrants(reading: TwinReading, lists: Lists): Promise<TwinGrant[]> {
  const { client, orgId } = reading;
  const [people, places] = [idsOf(lists.members), idsOf([...lists.spaces, ...lists.collections])];
  if (people.size === 0) return [];
  const list = await listGrants(client, orgId);
  const grants: TwinGrant[] =
    list ??
    (await askMembers(reading, { ...lists, members: membersToAsk(lists.members, lists.spaces) })).map(
      ({ member: { id: member }, space, level }) => ({ member, space, level }),
    );
  return grants.filter(({ member, space, collection }) => people.has(member) && places.has(space ?? collection ?? ''));
}

/** The fields that guests see in spaces, although they may not list them. */
const fieldsIn = (spaceFields: Awaited<ReturnType<typeof readSpaceFields>>): Lists['fields'] => {
  const list = [...spaceFields.values()].flat().map(({ customField }) => customField);
  return [...new Map(list.map((field) => [field.id, field])).values()];
};

/** The levels of the caller, from the permissions on each space and collection. */
const ownGrants = (member: string, { spaces: spaceList, collections }: Lists): TwinGrant[] => [
  ...spaceList.map(({ id, permissions }) => ({ member, space: id, level: levelOnSpace(permissions) })),
  ...collections.map(({ id, permissions: { admin, create } }) => ({
    member,
    collection: id,
    level: admin ? ('admin' as const) : create ? ('create' as const) : ('read' as const),
  })),
];

function levelOnSpace({ admin, triggerGitSync, review, edit, comment }: Space['permissions']): RoleName {
  if (admin) return 'admin';
  if (triggerGitSync) return 'create';
  if (review) return 'review';
  return edit ? 'edit' : comment ? 'comment' : 'read';
}

const idsOf = (list: readonly { id: string }[]): ReadonlySet<string> => new Set(list.map(({ id }) => id));

/** The contents of a collection that the caller cannot see are at the top level of the twin. */
function visibleLists({ refuse }: TwinReading, lists: Lists): Lists {
  const visible = new Set(lists.collections.map(({ id }) => id));
  const place = <Item extends { parent?: string | undefined }>({ parent, ...item }: Item) => {
    if (parent === undefined || visible.has(parent)) return { ...item, ...(parent !== undefined && { parent }) };
    refuse('collection above a space');
    return item;
  };
  return { ...lists, collections: lists.collections.map(place), spaces: lists.spaces.map(place) };
}

/** The place of each space and collection among its siblings. */
function placesIn({ collections, spaces: list }: Lists): (id: string) => number {
  const orders = ordersOf(collections, list).values();
  const places = new Map([...orders].flatMap((order) => order.map(({ id }, index) => [id, index])));
  return (id) => getFrom(places, id);
}

async function noteDeletedSpaces(reading: TwinReading): Promise<void> {
  const { client, orgId, leftOut } = reading;
  const input = { params: { orgId }, query: { deleted: true } };
  const all = () => Array.fromAsync(client.items(spaces.list, input));
  const deleted = await readable(reading, 'list of deleted spaces', all, []);
  leftOut.hide('deleted spaces that could be restored', deleted.length);
}

/** The caller as a member with the permissions on the organization, if the members are not visible. */
const memberFrom = ({ permissions, createdAt }: Organization, user: AnswerOf<typeof users.current>): Member => ({
  object: 'member',
  id: user.id,
  role: permissions.admin ? 'admin' : permissions.createContent ? 'create' : permissions.listMembers ? 'read' : null,
  user,
  disabled: false,
  joinedAt: createdAt,
  sso: false,
  spaces: 0,
  teams: 0,
});

async function copySites(reading: TwinReading, list: readonly Site[], spaceIds: ReadonlySet<string>): Promise<void> {
  const { orgId, twin } = reading;
  await readEach(reading, 'sites', list, async (site) => {
    const whole = await readable(reading, 'site', () => readTwinSite(reading, site), undefined);
    if (whole) await twin.write((db) => writeSite(db, orgId, whole, spaceIds));
  });
}

/** A site with what exports leave out: settings of single site spaces, and groups without sections. */
async function readTwinSite(reading: TwinReading, site: Site): Promise<TwinSite> {
  const { client, orgId } = reading;
  const params = { orgId, siteId: site.id };
  const [whole, published] = await Promise.all([
    readSite(reading, site),
    site.published ? client.call(sites.published, { params }).catch(undefinedIfMissing) : undefined,
  ]);
  const emptyGroups =
    whole.structure.type === 'siteSpaces' ? await Array.fromAsync(client.items(sectionGroups.list, { params })) : [];
  return { ...whole, emptyGroups, siteSpaces: published?.customizations.siteSpaces ?? {} };
}

async function copySpecifications(reading: TwinReading, list: readonly Specification[]): Promise<void> {
  const { orgId, twin } = reading;
  // One after the other, because a description may have 50 MB.
  for (const [index, spec] of list.entries()) {
    reading.signal.throwIfAborted();
    const version = await readable(reading, 'specification', () => readLatest(reading, spec), undefined);
    await twin.write((db) => writeSpecification(db, orgId, { spec, version }));
    showProgress(reading, 'specifications', index + 1, list.length);
  }
}

async function readLatest(reading: TwinReading, spec: Specification): Promise<TwinSpecification['version']> {
  const { client, orgId, leftOut } = reading;
  const { slug, lastVersion, processingState } = spec;
  if (processingState !== 'complete') leftOut.hide('sources of specifications that are not processed yet');
  if (lastVersion === undefined) return undefined;
  const params = { orgId, specSlug: slug };
  const { count = 1, items } = await client.call(openapi.versions, { params, query: { limit: 1 } });
  leftOut.hide('earlier versions of specifications', count - 1);
  const { id, createdAt } =
    items.find((version) => version.id === lastVersion) ??
    (await client.call(openapi.version, { params: { ...params, versionId: lastVersion } }));
  const [document, ...others] = (await readDocuments(reading, spec)) ?? [];
  leftOut.hide('further files of specifications', others.length);
  if (!document) return undefined;
  const [name, content] = document;
  return { id, createdAt, text: name.endsWith('.json') ? JSON.stringify(content) : writeYaml(content) };
}
