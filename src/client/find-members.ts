import type { Client } from './client.ts';
import { undefinedIfMissing } from './errors/http-error.ts';
import type { ItemOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import { users } from '../contract/users.ts';
import { personIn } from '../shared/person-form.ts';
import { eachOf } from '../shared/each-of.ts';

export type Member = ItemOf<typeof members.list>;

const concurrency = 8;
const pageSize = 1000;

/** The same address, however it is spelled. */
export const keyOf = (email: string): string => email.toLowerCase();

/**
 * Finds members by ID, email address or `@me`. Looks each one up, or lists all members, whichever takes fewer requests.
 *
 * @returns members by the given name; email addresses are in lower case
 */
export async function findMembersNamed(
  client: Client,
  orgId: string,
  names: readonly string[],
): Promise<Map<string, Member>> {
  const found = new Map<string, Member>();
  const wanted = new Set(names.map(nameKey));
  if (wanted.size === 0) return found;
  const take = (member: Member) => {
    for (const key of [member.id, keyOf(member.user.email ?? '')]) if (wanted.has(key)) found.set(key, member);
  };
  const params = { orgId };
  if (wanted.delete('@me')) {
    const { id } = await client.call(users.current, {});
    const caller = await viewMember(client, orgId, id);
    if (caller) found.set('@me', caller);
  }
  const { count } = await client.call(members.list, { params, query: { limit: 1 } });
  if (wanted.size > Math.ceil(count / pageSize)) {
    for await (const member of client.items(members.list, { params })) take(member);
    return found;
  }
  const look = async (name: string) => {
    if (!name.includes('@')) {
      const member = await viewMember(client, orgId, name);
      if (member) take(member);
      return;
    }
    // An address may be part of others; the one that is meant ends the search.
    for await (const member of client.items(members.list, { params, query: { search: name } })) {
      take(member);
      if (found.has(name)) break;
    }
  };
  await eachOf([...wanted], look, concurrency);
  return found;
}

/** The key of a name in the result of `findMembersNamed`. */
export function nameKey(name: string): string {
  const word = personIn(name.trim()).replace(/^id:/, '');
  return word.includes('@') ? keyOf(word) : word;
}

const viewMember = (client: Client, orgId: string, userId: string): Promise<Member | undefined> =>
  client.call(members.view, { params: { orgId, userId } }).catch(undefinedIfMissing);
