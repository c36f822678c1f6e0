import { atLeast, highest, type RoleName } from '../contract/access.ts';
import { collections as collectionEndpoints } from '../contract/collections.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import type { spaces } from '../contract/spaces.ts';
import type { Client } from '../client/client.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import { type Collection, type Collections, collectionsAbove } from './collections-above.ts';
import { grantsOf, levelOn } from './grants.ts';

export type Member = Pick<AnswerOf<typeof members.view>, 'id' | 'user' | 'role' | 'disabled' | 'teams' | 'spaces'>;
export type Space = Pick<AnswerOf<typeof spaces.view>, 'id' | 'title' | 'parent' | 'defaultLevel' | 'createdAt'>;

/** A possible source of a level, as far as the service reports it. */
interface Source {
  level: RoleName | null;
  text: string;
}

/**
 * Why a member has a level on a space. The service reports no reasons, so the level is compared with the role and the default
 * levels. A level beyond these was granted.
 */
export function reasonFor(member: Member, space: Space, level: RoleName, collections: Collections): string {
  const sources = sourcesOf(member, space, collections);
  const expected = highest(...sources.map((source) => source.level));
  const reasons = sources.filter((source) => source.level === level).map(({ text }) => text);
  // A service with other rules may give less than these.
  if (expected !== level && atLeast(expected, level)) return 'unknown';
  return reasons.length > 0 ? reasons.join('; ') : grantText(member, space, collections);
}

function sourcesOf({ role }: Member, space: Space, collections: Collections): Source[] {
  if (role === null) return [];
  return [
    { level: role, text: `role ${role}` },
    { level: space.defaultLevel, text: 'default level of the space' },
    ...collectionsAbove(space, collections).above.map(({ title, defaultLevel }) => ({
      level: defaultLevel,
      text: `default level of the collection "${title}"`,
    })),
  ];
}

function grantText({ role, teams }: Member, space: Space, collections: Collections): string {
  return [
    role === null ? 'granted to a guest' : 'granted',
    // The service does not report whether a team has a level.
    ...(teams > 0 ? ['by a team'] : []),
    ...(role !== null && !collectionsAbove(space, collections).complete
      ? ['default level of a collection that you cannot see']
      : []),
  ].join(' or ');
}

/** Why a member has no level on a space. */
export const absenceText = ({ role }: Pick<Member, 'role'>): string =>
  role === null ? 'a guest without a grant there' : 'the service returns no level';

/** The level of one member on one space. */
export interface Access {
  member: { id: string; displayName: string; email: string | undefined; role: RoleName | null; disabled: boolean };
  space: { id: string; title: string };
  level: RoleName;
  reason: string;
}

/** Data that is read once for all members. */
export interface Audit {
  client: Client;
  orgId: string;
  collections: Collections;
  /** The spaces to report; all if undefined. */
  spaces?: ReadonlyMap<string, Space>;
}

/** The collections that the caller can see, by ID. */
export async function collectionsOf(client: Client, orgId: string): Promise<Collections> {
  const byId = new Map<string, Collection>();
  for await (const { id, title, parent, defaultLevel } of client.items(collectionEndpoints.list, { params: { orgId } }))
    byId.set(id, { id, title, defaultLevel, ...(parent === undefined ? {} : { parent }) });
  return byId;
}

/** Reads the levels of members on the reported spaces. */
export type AccessReader = (member: Member) => Promise<Access[]>;

/** A reader for many members. If the service lists its grants, it sends no request for each member. */
export async function accessReader(audit: Audit): Promise<AccessReader> {
  const { client, orgId, collections, spaces: reported } = audit;
  const grants = reported && (await grantsOf(client, orgId));
  if (!grants) return (member) => accessOf(audit, member);
  const inOrder = newestFirst([...reported.values()]);
  return async (member) => {
    if (member.role === 'admin') return accessOf(audit, member);
    return inOrder.flatMap((space) => {
      const level = levelOn(member, space, { collections, grants });
      return level === null ? [] : [rowOf(member, space, level, collections)];
    });
  };
}

/** The order in which the service lists the spaces of a member. */
const newestFirst = (spaces: readonly Space[]): Space[] => {
  const timeOf = new Map(spaces.map(({ id, createdAt }) => [id, Date.parse(createdAt)]));
  return spaces.toSorted(
    (one, other) => (timeOf.get(other.id) ?? 0) - (timeOf.get(one.id) ?? 0) || (one.id < other.id ? -1 : 1),
  );
};

/** The levels of a member on the reported spaces. A member who was removed in the meantime has none. */
export async function accessOf(audit: Audit, member: Member): Promise<Access[]> {
  const { client, orgId, collections, spaces } = audit;
  const row = (space: Space, level: RoleName) => rowOf(member, space, level, collections);
  // No request is needed for administrators, or for guests without grants.
  if (spaces && member.role === 'admin') return [...spaces.values()].map((space) => row(space, 'admin'));
  if (member.role === null && member.spaces === 0) return [];
  const rows: Access[] = [];
  try {
    const items = client.items(members.spaces, { params: { orgId, userId: member.id } });
    for await (const { permission, space } of items) {
      if (spaces && !spaces.has(space.id)) continue;
      rows.push(row(space, permission));
      if (rows.length === spaces?.size) break;
    }
  } catch (error) {
    undefinedIfMissing(error);
  }
  return rows;
}

function rowOf(member: Member, space: Space, level: RoleName, collections: Collections): Access {
  const { id, user, role, disabled } = member;
  const reason = reasonFor(member, space, level, collections);
  return {
    member: { id, displayName: user.displayName, email: user.email, role, disabled },
    space: { id: space.id, title: space.title },
    level,
    reason: disabled ? `${reason}; but the member is disabled and has no access` : reason,
  };
}
