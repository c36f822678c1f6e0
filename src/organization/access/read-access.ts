import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { RoleName } from '../../contract/access.ts';
import { collections as collectionEndpoints } from '../../contract/collections.ts';
import { members } from '../../contract/members.ts';
import { type Collection, type Collections, type Member, reasonFor, type Space } from './reasons.ts';

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
