import type { Endpoint } from '../../contract/endpoint.ts';
import { nounOf, objectNamedBy } from '../../contract/objects.ts';
import type { Row, Tables } from '../../store/tables.ts';
import * as lookups from '../../store/lookups.ts';
import { findSiteSpace } from '../../store/site-spaces.ts';
import { retainedSince } from '../../store/retention.ts';
import type { Db } from '../../store/store.ts';
import { type Caller, type Objects, type OrgAt } from './context.ts';
import { organizationAllows, teamAllows } from './access.ts';
import { Forbidden, NotFound } from './errors.ts';
import { levelOn } from '../organizations/levels.ts';

interface Lookup {
  db: Db;
  now: string;
  caller: Caller;
  endpoint: Endpoint;
  at: Partial<Objects>;
}

type Loader<K extends keyof Objects> = (lookup: Lookup, id: string) => Promise<Objects[K] | undefined>;

/** Loads every object the path names, in its order. What is not there, or not the caller's to see, is 404. */
export async function resolve(
  db: Db,
  caller: Caller,
  endpoint: Endpoint,
  params: Record<string, string>,
  now: string,
): Promise<Partial<Objects>> {
  const at: Partial<Objects> = {};
  const lookup: Lookup = { db, now, caller, endpoint, at };
  for (const [param, id] of Object.entries(params)) {
    const name = objectNamedBy(param)?.key as keyof Objects | undefined;
    if (name === undefined || (name === 'member' && !at.org)) continue;
    const found = await (loaders[name] as Loader<typeof name>)(lookup, id);
    if (!found) {
      // A PUT that creates names what is not there yet.
      if (endpoint.creates === param) continue;
      throw new NotFound(nounOf(param), id);
    }
    (at as Record<string, unknown>)[name] = found;
  }
  return at;
}

/** @throws NotFound for people outside, Forbidden for a disabled member and for writes where the organization is blocked */
async function organization({ db, caller, endpoint }: Lookup, id: string): Promise<OrgAt | undefined> {
  const org = await lookups.findOrganization(db, id, caller.id);
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

const under = <T extends keyof Tables & string>(
  table: T,
  parent: keyof Tables[T] & string,
  holder: keyof Objects,
  key?: keyof Tables[T] & string,
) => {
  const find = lookups.lookup(table, parent, key);
  return (lookup: Lookup, id: string): Promise<Row<T> | undefined> =>
    find(lookup.db, (lookup.at[holder] as { id: string }).id, id);
};

/** For objects whose `view` needs a role in the organization: guests do not see them. */
const forReaders =
  <T>(find: (lookup: Lookup, id: string) => Promise<T | undefined>) =>
  async (lookup: Lookup, id: string): Promise<T | undefined> =>
    organizationAllows(lookup.at.org!, 'read') ? find(lookup, id) : undefined;

const byNumber = lookups.lookup('change_request', 'space', 'number');
const byId = under('change_request', 'space', 'space');
const commentOfSpace = under('comment', 'space', 'space');
const inviteOfOrg = under('invite', 'organization', 'org');
const teamOfOrg = under('team', 'organization', 'org');
const teamMember = lookups.lookup('team_member', 'team', 'user');

const loaders: { [K in keyof Objects]: Loader<K> } = {
  org: organization,
  async space(lookup, id) {
    const { db, now, caller, endpoint, at } = lookup;
    const space = await lookups.findSpace(db, id);
    if (!space || (space.deleted_at !== null && space.deleted_at <= retainedSince(now))) return undefined;
    at.org = (await organization(lookup, space.organization)) as OrgAt;
    if (!at.org) return undefined;
    const level = await levelOn(db, { organization: at.org.id, user: caller.id, role: roleIn(at.org) }, 'space', space);
    if (level === null) return undefined;
    if (space.deleted_at !== null && !(endpoint.ofDeleted && level === 'admin')) return undefined;
    return { ...space, level };
  },
  async collection(lookup, id) {
    const { db, caller, at } = lookup;
    const collection = await lookups.findCollection(db, id);
    if (!collection) return undefined;
    at.org = (await organization(lookup, collection.organization)) as OrgAt;
    if (!at.org) return undefined;
    const level = await levelOn(
      db,
      { organization: at.org.id, user: caller.id, role: roleIn(at.org) },
      'collection',
      collection,
    );
    return level === null ? undefined : { ...collection, level };
  },
  member: ({ db, at }, id) => lookups.findMember(db, at.org!.id, id),
  async team(lookup, id) {
    const team = await teamOfOrg(lookup, id);
    if (!team) return undefined;
    const own = await teamMember(lookup.db, id, lookup.caller.id);
    const seen = { ...team, owns: own?.role === 'owner' };
    return teamAllows(lookup.at.org!, seen, 'view') ? seen : undefined;
  },
  async invite(lookup, id) {
    const invite = await inviteOfOrg(lookup, id);
    if (!invite || invite.space === null) return invite;
    const space = await lookups.findSpace(lookup.db, invite.space);
    return space?.deleted_at === null ? invite : undefined;
  },
  provider: under('saml_provider', 'organization', 'org'),
  site: under('site', 'organization', 'org'),
  section: under('site_section', 'site', 'site'),
  sectionGroup: under('site_section_group', 'site', 'site'),
  siteSpace: ({ db, at }, id) => findSiteSpace(db, at.site!.id, id),
  shareLink: under('share_link', 'site', 'site'),
  changeRequest: (lookup, id) =>
    /^\d{1,15}$/.test(id)
      ? byNumber(lookup.db, lookup.at.space!.id, Number(id) as unknown as string)
      : byId(lookup, id),
  async comment(lookup, id) {
    const comment = await commentOfSpace(lookup, id);
    return comment && comment.change_request === (lookup.at.changeRequest?.id ?? null) ? comment : undefined;
  },
  reply: under('comment_reply', 'comment', 'comment'),
  field: forReaders(under('custom_field', 'organization', 'org', 'name')),
  spec: forReaders(under('openapi_spec', 'organization', 'org', 'slug')),
  translation: forReaders(under('translation', 'organization', 'org')),
};

/** The caller's role: null for a guest, undefined for somebody outside. */
export const roleIn = (org: OrgAt) => (org.caller_user === null ? undefined : org.caller_role);
