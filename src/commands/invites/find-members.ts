import type { Client } from '../../client/client.ts';
import type { ItemOf } from '../../contract/endpoint.ts';
import { members } from '../../contract/members.ts';
import { eachOf } from '../../shared/each-of.ts';
import { keyOf } from './people.ts';

type Member = ItemOf<typeof members.list>;

const concurrency = 8;

/** Who of these is a member already, by address. Looks each one up, or through all members, whichever takes fewer requests. */
export async function findMembers(
  client: Client,
  orgId: string,
  people: readonly { email: string }[],
): Promise<Map<string, Member>> {
  const memberByAddress = new Map<string, Member>();
  const addresses = new Set(people.map(({ email }) => keyOf(email)));
  const take = (member: Member) => {
    const key = keyOf(member.user.email ?? '');
    if (addresses.has(key)) memberByAddress.set(key, member);
    return addresses.has(key);
  };
  const params = { orgId };
  const { count } = await client.call(members.list, { params, query: { limit: 1 } });
  if (addresses.size > Math.ceil(count / 1000)) {
    for await (const member of client.items(members.list, { params })) take(member);
    return memberByAddress;
  }
  const look = async (email: string) => {
    // An address may be part of others; the one that is meant ends the search.
    for await (const member of client.items(members.list, { params, query: { search: email } }))
      if (take(member) && memberByAddress.has(email)) break;
  };
  await eachOf([...addresses], look, concurrency);
  return memberByAddress;
}
