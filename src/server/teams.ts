import type { z } from 'zod/mini';
import type { Team } from '../contract/members.ts';
import * as store from '../store/teams.ts';
import type { Db } from '../store/store.ts';
import { teamAllows } from './access.ts';
import type { Caller, MemberAt, OrgAt } from './context.ts';
import { paged, type PageRequest } from './paging.ts';

export const presentTeam = (org: OrgAt, row: store.TeamRow): z.output<ReturnType<typeof Team>> => ({
  object: 'team',
  id: row.id,
  title: row.title,
  members: row.members,
  // No call gives spaces to a team (open parts, section 7).
  spaces: 0,
  createdAt: row.created_at,
  permissions: {
    admin: teamAllows(org, { owns: row.owns === 1 }, 'admin'),
    view: teamAllows(org, { owns: row.owns === 1 }, 'view'),
  },
});

interface MembersTeams {
  db: Db;
  org: OrgAt;
  member: MemberAt;
  caller: Caller;
  page: PageRequest;
  title: string | undefined;
}

export function listTeamsOf({ db, org, member, caller, page, title }: MembersTeams) {
  const asked = { organization: org.id, user: member.user, caller: caller.id, title };
  return paged(page, {
    rows: (after, limit) => store.listTeamsOfMember(db, asked, after, limit),
    key: (row) => [row.title_key, row.id],
    count: () => store.countTeamsOfMember(db, asked),
    present: (rows) => rows.map((row) => ({ team: presentTeam(org, row), member: { role: row.role } })),
  });
}
