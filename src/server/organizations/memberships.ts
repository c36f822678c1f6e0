import type { AnswerOf } from '../../contract/endpoint.ts';
import type { members } from '../../contract/members.ts';
import * as store from '../../store/members.ts';
import type { Db } from '../../store/store.ts';
import type { LoadedMember, LoadedOrg } from '../engine/context.ts';
import { presentUser } from './users.ts';

type Member = AnswerOf<typeof members.view>;

/** @param spaces how many spaces the member has a level on */
function presentMember(base: string, row: LoadedMember, { teams, spaces }: { teams: number; spaces: number }): Member {
  const { user: id, display_name, email, photo_url } = row;
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

export async function presentMemberAt(db: Db, base: string, org: LoadedOrg, row: LoadedMember): Promise<Member> {
  const spacesOf = await spacesCounter(db, org, [row]);
  return presentMember(base, row, { teams: await store.countTeams(db, org.id, row.user), spaces: spacesOf(row) });
}

/** For the members of a list, whose rows have the count of their teams. */
export async function memberPresenter(db: Db, base: string, org: LoadedOrg, rows: store.MemberRow[]) {
  const spacesOf = await spacesCounter(db, org, rows);
  return (row: store.MemberRow): Member => presentMember(base, row, { teams: row.teams, spaces: spacesOf(row) });
}
