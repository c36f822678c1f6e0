import type { Client } from '../client/client.ts';
import { undefinedIfMissing } from '../client/errors/http-error.ts';
import { highest, type RoleName } from '../contract/access.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { type Collections, collectionsAbove, type Placed } from './collections-above.ts';

export type Grant = ItemOf<typeof members.grants>;

/** Granted levels by the ID of the space or collection, by the ID of the member. */
export type Grants = ReadonlyMap<string, ReadonlyMap<string, RoleName>>;

/** The grants of an organization; undefined if the service has no list of them. */
export const listGrants = (client: Client, orgId: string): Promise<Grant[] | undefined> =>
  Array.fromAsync(client.items(members.grants, { params: { orgId } })).catch(undefinedIfMissing);

/** The same by member and place. */
export async function grantsOf(client: Client, orgId: string): Promise<Grants | undefined> {
  const list = await listGrants(client, orgId);
  if (!list) return undefined;
  const grants = new Map<string, Map<string, RoleName>>();
  for (const { member, level, space, collection } of list) {
    const places = grants.get(member) ?? new Map<string, RoleName>();
    grants.set(member, places.set(space ?? collection ?? '', level));
  }
  return grants;
}

/** The level of a member on a space by the rule of the service; null for none. */
export function levelOn(
  { id, role }: { id: string; role: RoleName | null },
  space: Placed & { id: string },
  { collections, grants }: { collections: Collections; grants: Grants },
): RoleName | null {
  const places = [space, ...collectionsAbove(space, collections).above];
  const granted = grants.get(id);
  const defaults = role === null ? [] : places.map(({ defaultLevel }) => defaultLevel);
  return highest(role, ...defaults, ...(granted ? places.map((place) => granted.get(place.id)) : []));
}
