import { atLeast, highest, type RoleName } from '../contract/access.ts';
import { type collections, collections as collectionEndpoints } from '../contract/collections.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import type { spaces } from '../contract/spaces.ts';
import type { Client } from '../client/client.ts';
import { HttpError } from '../client/errors/http-error.ts';

export type Member = Pick<AnswerOf<typeof members.view>, 'id' | 'user' | 'role' | 'disabled' | 'teams' | 'spaces'>;
export type Space = Pick<AnswerOf<typeof spaces.view>, 'id' | 'title' | 'parent' | 'defaultLevel'>;
export type Collection = Pick<AnswerOf<typeof collections.view>, 'id' | 'title' | 'parent' | 'defaultLevel'>;
export type Collections = ReadonlyMap<string, Collection>;

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

/** The collections that contain a space, innermost first. @returns `complete` is false if one of them is not visible */
export function collectionsAbove(
  { parent }: Pick<Space, 'parent'>,
  collections: Collections,
): { above: Collection[]; complete: boolean } {
  const above: Collection[] = [];
  for (let id = parent; id !== undefined; id = above.at(-1)?.parent) {
    const collection = collections.get(id);
    // A service that reports a cycle must not cause an endless loop.
    if (!collection || above.includes(collection)) return { above, complete: false };
    above.push(collection);
  }
  return { above, complete: true };
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
    if (!(error instanceof HttpError && error.status === 404)) throw error;
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
