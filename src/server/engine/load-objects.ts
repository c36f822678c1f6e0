import type { Endpoint } from '../../contract/endpoint.ts';
import type { RoleName } from '../../contract/access.ts';
import type { ObjectKey } from '../../contract/objects.ts';
import * as lookups from '../../store/lookups.ts';
import { findSpecBySlug } from '../../store/openapi.ts';
import { retainedSince } from '../../store/retention.ts';
import { findSiteSpace } from '../../store/site-spaces.ts';
import type { Db } from '../../store/store.ts';
import { allTogether } from '../../store/together.ts';
import type { Row, Tables } from '../../store/tables.ts';
import { levelOn } from '../organizations/levels.ts';
import { organizationAllows, roleIn, teamAllows } from './access.ts';
import { Forbidden } from './errors.ts';

export type Caller = Row<'user'>;
/** An organization with the caller's membership. */
export type LoadedOrg = lookups.OrganizationRow;
/** A space or collection with the caller's level on it. */
export type LoadedSpace = Row<'space'> & { level: RoleName };
export type LoadedCollection = Row<'collection'> & { level: RoleName };
export type LoadedMember = lookups.MemberRow;
/** `owns`: whether the caller is one of its owners. */
type LoadedTeam = Row<'team'> & { owns: boolean };

/** The objects that others are looked up in. */
interface Parents {
  org: LoadedOrg;
  space: { id: string };
  changeRequest: { id: string };
  comment: { id: string };
  site: { id: string };
}

export interface Lookup {
  db: Db;
  now: string;
  caller: Caller;
  endpoint: Endpoint;
  /** What was loaded before. The loader of a space or a collection adds its organization. */
  objects: Partial<Parents>;
}

/** Gives the object with this id; undefined when it does not exist, or the caller must not see it. */
export type Loader<T> = (lookup: Lookup, id: string) => Promise<T | undefined>;

/** What path parameters name, loaded and visible to the caller before a handler runs. */
export type Objects = {
  [K in keyof typeof loaders]: NonNullable<Awaited<ReturnType<(typeof loaders)[K]>>>;
};

/** How each object of `contract/objects.ts` is loaded. The types of the objects in handlers follow. */
export const loaders = {
  org: loadOrganization,
  space: loadSpace,
  collection: loadCollection,
  member: (lookup: Lookup, id: string) => lookups.findMember(lookup.db, parentOf(lookup, 'org').id, id),
  team: loadTeam,
  invite: loadInvite,
  provider: under('org', 'saml_provider', 'organization'),
  site: under('org', 'site', 'organization'),
  section: under('site', 'site_section', 'site'),
  sectionGroup: under('site', 'site_section_group', 'site'),
  siteSpace: (lookup: Lookup, id: string) => findSiteSpace(lookup.db, parentOf(lookup, 'site').id, id),
  shareLink: under('site', 'share_link', 'site'),
  changeRequest: loadChangeRequest,
  comment: loadComment,
  reply: under('comment', 'comment_reply', 'comment'),
  field: exceptGuests(under('org', 'custom_field', 'organization', 'name')),
  spec: exceptGuests((lookup: Lookup, slug: string) => findSpecBySlug(lookup.db, parentOf(lookup, 'org').id, slug)),
  translation: exceptGuests(under('org', 'translation', 'organization')),
} satisfies Record<ObjectKey, unknown>;

/** Loads a row of `table` by its id, or its `key`, in a parent that comes before it in the path. */
function under<T extends keyof Tables & string>(
  parent: keyof Parents,
  table: T,
  parentColumn: keyof Tables[T] & string,
  key?: keyof Tables[T] & string,
): Loader<Row<T>> {
  const find = lookups.lookup(table, parentColumn, key);
  return (lookup, id) => find(lookup.db, parentOf(lookup, parent).id, id);
}

/** For objects whose `view` needs a role in the organization, which guests do not have. */
function exceptGuests<T>(load: Loader<T>): Loader<T> {
  return async (lookup, id) => (organizationAllows(parentOf(lookup, 'org'), 'read') ? load(lookup, id) : undefined);
}

function parentOf<K extends keyof Parents>({ objects, endpoint }: Lookup, key: K): Parents[K] {
  const parent: Partial<Parents>[K] = objects[key];
  if (parent === undefined) throw new Error(`The path ${endpoint.path} has no ${key} before what is looked up in it.`);
  return parent;
}

/** @throws Forbidden for a disabled member, and for a write if the organization is blocked */
async function loadOrganization(lookup: Lookup, id: string): Promise<LoadedOrg | undefined> {
  return checkedOrganization(lookup, await lookups.findOrganization(lookup.db, id, lookup.caller.id));
}

/** @throws as `loadOrganization` */
function checkedOrganization({ endpoint }: Lookup, org: LoadedOrg | undefined): LoadedOrg | undefined {
  if (!org) return undefined;
  if (org.caller_user === null && endpoint.access !== 'token') return undefined;
  if (org.caller_disabled) {
    throw new Forbidden(
      'Your membership in this organization is disabled. Ask one of its administrators.',
      'member-disabled',
    );
  }
  if (org.blocked !== null && endpoint.method !== 'GET') {
    throw new Forbidden(
      'This organization is blocked, so nothing in it can be changed. Contact support.',
      'organization-blocked',
    );
  }
  return org;
}

async function loadSpace(lookup: Lookup, id: string): Promise<LoadedSpace | undefined> {
  const { db, now, caller, endpoint, objects } = lookup;
  const [space, found] = await allTogether([lookups.findSpace(db, id), lookups.findOrganizationOf(db, id, caller.id)]);
  if (!space || (space.deleted_at !== null && space.deleted_at <= retainedSince(now))) return undefined;
  const org = checkedOrganization(lookup, found);
  if (!org) return undefined;
  const level = await levelOn(db, { organization: org.id, user: caller.id, role: roleIn(org) }, 'space', space);
  if (level === null) return undefined;
  if (space.deleted_at !== null && !(endpoint.ofDeleted && level === 'admin')) return undefined;
  objects.org = org;
  return { ...space, level };
}

async function loadCollection(lookup: Lookup, id: string): Promise<LoadedCollection | undefined> {
  const { db, caller, objects } = lookup;
  const collection = await lookups.findCollection(db, id);
  if (!collection) return undefined;
  const org = await loadOrganization(lookup, collection.organization);
  if (!org) return undefined;
  const access = { organization: org.id, user: caller.id, role: roleIn(org) };
  const level = await levelOn(db, access, 'collection', collection);
  if (level === null) return undefined;
  objects.org = org;
  return { ...collection, level };
}

const teamOfOrganization = lookups.lookup('team', 'organization');
const teamMember = lookups.lookup('team_member', 'team', 'user');

async function loadTeam(lookup: Lookup, id: string): Promise<LoadedTeam | undefined> {
  const { db, caller } = lookup;
  const org = parentOf(lookup, 'org');
  const row = await teamOfOrganization(db, org.id, id);
  if (!row) return undefined;
  const membership = await teamMember(db, id, caller.id);
  const team = { ...row, owns: membership?.role === 'owner' };
  return teamAllows(org, team, 'view') ? team : undefined;
}

const inviteOfOrganization = lookups.lookup('invite', 'organization');

/** An invite link, unless it leads to a deleted space. */
async function loadInvite(lookup: Lookup, id: string): Promise<Row<'invite'> | undefined> {
  const { db } = lookup;
  const invite = await inviteOfOrganization(db, parentOf(lookup, 'org').id, id);
  if (!invite || invite.space === null) return invite;
  const space = await lookups.findSpace(db, invite.space);
  return space?.deleted_at === null ? invite : undefined;
}

const changeRequestById = lookups.lookup('change_request', 'space');
const changeRequestByNumber = lookups.lookup('change_request', 'space', 'number');

async function loadChangeRequest(lookup: Lookup, id: string): Promise<Row<'change_request'> | undefined> {
  const space = parentOf(lookup, 'space').id;
  const isNumber = /^\d{1,15}$/.test(id);
  return isNumber ? changeRequestByNumber(lookup.db, space, Number(id)) : changeRequestById(lookup.db, space, id);
}

const commentOfSpace = lookups.lookup('comment', 'space');

/** A comment of the change request in the path, or of the space itself. */
async function loadComment(lookup: Lookup, id: string): Promise<Row<'comment'> | undefined> {
  const comment = await commentOfSpace(lookup.db, parentOf(lookup, 'space').id, id);
  return comment?.change_request === (lookup.objects.changeRequest?.id ?? null) ? comment : undefined;
}
