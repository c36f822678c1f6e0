import type { AnswerOf } from '../../contract/endpoint.ts';
import type { members } from '../../contract/members.ts';
import * as store from '../../store/members.ts';
import type { Db } from '../../store/store.ts';
import type { MemberAt, OrgAt } from '../engine/context.ts';
import { presentUser } from './users.ts';

/** What somebody is in an organization, as members, teams and their lists show it. */
export type Member = AnswerOf<typeof members.view>;

/** @param spaces how many spaces the member has a level on */
export function presentMember(
  base: string,
  row: MemberAt,
  { teams, spaces }: { teams: number; spaces: number },
): Member {
  const { user: id, display_name, email, photo_url } = row;
  return {
    object: 'member',
    id,
    role: row.role,
    user: presentUser(base, { id, display_name, email, photo_url }),
    disabled: row.disabled === 1,
    joinedAt: row.joined_at,
    ...(row.last_seen_at === null ? {} : { lastSeenAt: row.last_seen_at }),
    sso: row.sso === 1,
    spaces,
    teams,
  };
}

type Spaces = Pick<OrgAt, 'id' | 'spaces'>;

/** How many spaces each can see: members every one of the organization, guests what was granted to them. */
async function spacesCounter(db: Db, org: Spaces, rows: Pick<MemberAt, 'user' | 'role'>[]) {
  const guests = rows.filter(({ role }) => role === null).map(({ user }) => user);
  const granted = guests.length > 0 ? await store.countGrantedSpaces(db, org.id, guests) : undefined;
  return ({ user, role }: Pick<MemberAt, 'user' | 'role'>) => (role === null ? (granted!.get(user) ?? 0) : org.spaces);
}

export async function presentMemberAt(db: Db, base: string, org: OrgAt, row: MemberAt): Promise<Member> {
  const spacesOf = await spacesCounter(db, org, [row]);
  return presentMember(base, row, { teams: await store.countTeams(db, org.id, row.user), spaces: spacesOf(row) });
}

/** Members of a list, whose rows bring the count of their teams. */
export async function presentMembers(db: Db, base: string, org: OrgAt, rows: store.MemberRow[]): Promise<Member[]> {
  const spacesOf = await spacesCounter(db, org, rows);
  return rows.map((row) => presentMember(base, row, { teams: row.teams, spaces: spacesOf(row) }));
}
