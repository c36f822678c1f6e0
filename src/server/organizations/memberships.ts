import type { AnswerOf } from '../../contract/endpoint.ts';
import type { members } from '../../contract/members.ts';
import * as store from '../../store/members.ts';
import type { Db } from '../../store/store.ts';
import type { LoadedMember, LoadedOrg } from '../engine/context.ts';
import { presentUser } from './users.ts';

type Member = AnswerOf<typeof members.view>;

/** @param spaces how many spaces the member has a level on */
function presentMember(base: string, row: LoadedMember, spaces: number): Member {
  const { user: id, display_name, email, photo_url, teams } = row;
  return {
    object: 'member',
    id,
    role: row.role,
    user: presentUser(base, { id, display_name, email, photo_url }),
    disabled: row.disabled === 1,
    joinedAt: row.joined_at,
    lastSeenAt: row.last_seen_at ?? undefined,
    sso: row.sso === 1,
    spaces,
    teams,
  };
}

type Membership = Pick<LoadedMember, 'user' | 'role'>;

/** How many spaces each member can see: guests those granted to them, others all of the organization. */
async function spacesCounter(db: Db, org: Pick<LoadedOrg, 'id' | 'spaces'>, rows: Membership[]) {
  const guests = rows.filter(({ role }) => role === null).map(({ user }) => user);
  const granted = guests.length > 0 ? await store.countGrantedSpaces(db, org.id, guests) : undefined;
  return ({ user, role }: Membership) => (role === null ? (granted?.get(user) ?? 0) : org.spaces);
}

export const presentMemberAt = async (db: Db, base: string, org: LoadedOrg, row: LoadedMember): Promise<Member> =>
  (await memberPresenter(db, base, org, [row]))(row);

export async function memberPresenter(db: Db, base: string, org: LoadedOrg, rows: LoadedMember[]) {
  const spacesOf = await spacesCounter(db, org, rows);
  return (row: LoadedMember): Member => presentMember(base, row, spacesOf(row));
}
