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

/** Where a level may come from, as far as the service shows it. */
interface Source {
  level: RoleName | null;
  text: string;
}

/**
 * Why a member has a level on a space: everything that gives this level. The service tells the level and no reason, so it
 * is compared with the role and the default levels. What these do not give was granted.
 */
export function reasonFor(member: Member, space: Space, level: RoleName, collections: Collections): string {
  const sources = sourcesOf(member, space, collections);
  const known = highest(...sources.map((source) => source.level));
  const reasons = sources.filter((source) => source.level === level).map(({ text }) => text);
  // A service with other rules may give less than these: then nothing is known about it.
  if (known !== level && atLeast(known, level)) return 'unknown';
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
    // The service does not say whether teams give levels.
    ...(teams > 0 ? ['by a team'] : []),
    ...(role !== null && !collectionsAbove(space, collections).complete
      ? ['default level of a collection that you cannot see']
      : []),
  ].join(' or ');
}

/** The collections that a space is in, the lowest first. @returns `complete` is false where one of them is not visible */
export function collectionsAbove(
  { parent }: Pick<Space, 'parent'>,
  collections: Collections,
): { above: Collection[]; complete: boolean } {
  const above: Collection[] = [];
  for (let id = parent; id !== undefined; id = above.at(-1)?.parent) {
    const collection = collections.get(id);
    // A service that shows a circle must not keep this from ending.
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

/** What is read once, and serves all members. */
export interface Audit {
  client: Client;
  orgId: string;
  collections: Collections;
  /** The spaces that are asked about; all where absent. */
  spaces?: ReadonlyMap<string, Space>;
}

/** The collections that the caller can see, by id. */
export async function collectionsOf(client: Client, orgId: string): Promise<Collections> {
  const byId = new Map<string, Collection>();
  for await (const { id, title, parent, defaultLevel } of client.items(collectionEndpoints.list, { params: { orgId } }))
    byId.set(id, { id, title, defaultLevel, ...(parent === undefined ? {} : { parent }) });
  return byId;
}

/** What a member can do, on the spaces that are asked about. A member who was removed meanwhile has nothing. */
export async function accessOf(audit: Audit, member: Member): Promise<Access[]> {
  const { client, orgId, collections, spaces } = audit;
  const row = (space: Space, level: RoleName) => rowOf(member, space, level, collections);
  // What an administrator can do is known without a request, and so is what guests cannot do to whom nothing was granted.
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
