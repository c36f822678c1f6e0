import type { AnswerOf } from '../contract/endpoint.ts';
import { members } from '../contract/members.ts';
import * as store from '../store/members.ts';
import type { Db } from '../store/store.ts';
import type { MemberAt, OrgAt } from './context.ts';
import { Conflict } from './faults.ts';
import { implement } from './implement.ts';
import { paged } from './paging.ts';
import { listSpacesOf } from './spaces.ts';
import { listTeamsOf } from './teams.ts';
import { presentUser } from './users.ts';

type Member = AnswerOf<typeof members.view>;

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

async function refuseLastAdmin(db: Db, org: OrgAt, member: MemberAt) {
  if (member.role !== 'admin' || (await store.countAdmins(db, org.id)) > 1) return;
  throw new Conflict(
    'last-admin',
    'This is the last administrator of the organization. Make somebody else administrator first.',
  );
}

export const handlers = implement(members, {
  list: ({ db, at: { org }, query, page, base }) =>
    paged(page, {
      rows: (after, limit) => store.listMembers(db, org.id, query, after, limit),
      key: (row) => [query.sort === 'lastSeenAt' ? row.last_seen_at : row.joined_at, row.user],
      count: () => store.countMembers(db, org.id, query),
      present: (rows) =>
        Promise.all(
          rows.map(async (row) =>
            presentMember(base, row, {
              teams: row.teams,
              spaces: row.role === null ? await countSpaces(db, org, row) : org.spaces,
            }),
          ),
        ),
    }),

  view: ({ db, at, base }) => presentMemberAt(db, base, at.org, at.member),

  async edit({ db, at: { org, member }, body, base }) {
    const { role } = body;
    if (role !== undefined && role !== member.role) {
      if (role !== 'admin') await refuseLastAdmin(db, org, member);
      await store.changeMember(db, org.id, member.user, { role });
    }
    return presentMemberAt(db, base, org, { ...member, role: role === undefined ? member.role : role });
  },

  async remove({ db, at: { org, member } }) {
    await refuseLastAdmin(db, org, member);
    await store.removeMember(db, org.id, member.user);
  },

  async markSso({ db, at: { org, member }, base }) {
    await store.changeMember(db, org.id, member.user, { sso: 1 });
    return presentMemberAt(db, base, org, { ...member, sso: 1 });
  },

  spaces: ({ db, at: { org, member }, query, page, base, caller }) =>
    listSpacesOf({ db, base, caller, org, member, page, order: query.order }),

  teams: ({ db, at: { org, member }, query, page, caller }) =>
    listTeamsOf({ db, org, member, page, title: query.title, caller }),
});
