import type { AnswerOf } from '../contract/endpoint.ts';
import type { members } from '../contract/members.ts';
import * as store from '../store/members.ts';
import type { Db } from '../store/store.ts';
import type { MemberAt, OrgAt } from './context.ts';
import { presentUser } from './users.ts';

/** What somebody is in an organization, as members, teams and their lists show it. */
export type Member = AnswerOf<typeof members.view>;

/** @param spaces how many spaces the member has a level on */
export function presentMember(
  base: string,
  row: MemberAt,
  { teams, spaces }: { teams: number; spaces: number },
): Member {
  return {
    object: 'member',
    id: row.user,
    role: row.role,
    user: presentUser(base, { ...row, id: row.user }),
    disabled: row.disabled === 1,
    joinedAt: row.joined_at,
    ...(row.last_seen_at === null ? {} : { lastSeenAt: row.last_seen_at }),
    sso: row.sso === 1,
    spaces,
    teams,
  };
}

/** Members see every space of the organization, guests what was granted to them. */
export const countSpaces = async (db: Db, org: Pick<OrgAt, 'id' | 'spaces'>, row: Pick<MemberAt, 'user' | 'role'>) =>
  row.role === null ? store.countGrantedSpaces(db, org.id, row.user) : org.spaces;

export const presentMemberAt = async (db: Db, base: string, org: OrgAt, row: MemberAt): Promise<Member> =>
  presentMember(base, row, {
    teams: await store.countTeams(db, org.id, row.user),
    spaces: await countSpaces(db, org, row),
  });

/** Members of a list, whose rows bring the count of their teams. */
export const presentMembers = (db: Db, base: string, org: OrgAt, rows: store.MemberRow[]): Promise<Member[]> =>
  Promise.all(
    rows.map(async (row) => presentMember(base, row, { teams: row.teams, spaces: await countSpaces(db, org, row) })),
  );
