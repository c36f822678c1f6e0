import type { AnswerOf } from '../../contract/endpoint.ts';
import type { ValidationIssue } from '../../contract/errors.ts';
import { pointer } from '../../contract/validation-issues.ts';
import { teams } from '../../contract/teams.ts';
import { findMember } from '../../store/lookups.ts';
import { findMemberNamed } from '../../store/members.ts';
import * as store from '../../store/teams.ts';
import type { Db } from '../../store/store.ts';
import { teamAllows } from '../engine/access.ts';
import type { Caller, LoadedMember, LoadedOrg } from '../engine/context.ts';
import { Invalid, NotFound } from '../engine/errors.ts';
import { implement } from '../engine/implement.ts';
import { memberPresenter } from './memberships.ts';
import { paged, type PageRequest } from '../engine/paging.ts';

export const presentTeam = (org: LoadedOrg, row: store.TeamRow): AnswerOf<typeof teams.view> => ({
  object: 'team',
  id: row.id,
  title: row.title,
  members: row.members,
  // No call gives spaces to a team.
  spaces: 0,
  createdAt: row.created_at,
  permissions: {
    admin: teamAllows(org, { owns: row.owns === 1 }, 'admin'),
    view: teamAllows(org, { owns: row.owns === 1 }, 'view'),
  },
});

interface TeamsOfMember {
  db: Db;
  org: LoadedOrg;
  member: LoadedMember;
  caller: Caller;
  page: PageRequest;
  title: string | undefined;
}

export function listTeamsOfMember({ db, org, member, caller, page, title }: TeamsOfMember) {
  const filter = { organization: org.id, user: member.user, caller: caller.id, title };
  return paged(page, {
    rows: (after, limit) => store.listTeamsOfMember(db, filter, after, limit),
    keyTypes: ['string', 'string'],
    key: (row) => [row.title_key, row.id],
    count: () => store.countTeamsOfMember(db, filter),
    present: (rows) => rows.map((row) => ({ team: presentTeam(org, row), member: { role: row.role } })),
  });
}

const present = async (db: Db, org: LoadedOrg, id: string, caller: Caller) =>
  presentTeam(org, await store.getTeam(db, id, caller.id));

const notMemberIssue = (...path: (string | number)[]): ValidationIssue => ({
  in: 'body',
  path: pointer(path),
  rule: 'reference',
  message: 'is not a member of this organization',
});

/** @throws Invalid with each of `members` that is not a member of the organization */
async function assertMembers(db: Db, org: LoadedOrg, members: string[]): Promise<void> {
  const issues: ValidationIssue[] = [];
  for (const [index, id] of members.entries()) {
    if (!(await findMember(db, org.id, id))) issues.push(notMemberIssue('members', index));
  }
  if (issues.length > 0) throw new Invalid(issues);
}

export const handlers = implement(teams, {
  list({ db, objects: { org }, query, page, caller }) {
    const { title, owner } = query;
    return paged(page, {
      rows: (after, limit) =>
        store.listTeams(db, { organization: org.id, caller: caller.id, title, owner }, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.title_key, row.id],
      count: () => store.countTeams(db, { organization: org.id, title, owner }),
      present: (rows) => rows.map((row) => presentTeam(org, row)),
    });
  },

  async create({ db, objects: { org }, body, caller, now }) {
    const members = body.members ?? [];
    await assertMembers(db, org, members);
    const id = await store.createTeam(db, { organization: org.id, title: body.title, members, now });
    return present(db, org, id, caller);
  },

  view: ({ db, objects: { org, team }, caller }) => present(db, org, team.id, caller),

  async edit({ db, objects: { org, team }, body, caller }) {
    await store.renameTeam(db, team.id, body.title);
    return present(db, org, team.id, caller);
  },

  delete: ({ db, objects: { team } }) => store.deleteTeam(db, team.id),

  listMembers: ({ db, objects: { org, team }, page, base, caller }) =>
    paged(page, {
      rows: (after, limit) => store.listTeamMembers(db, team.id, after, limit),
      keyTypes: ['string', 'string'],
      key: (row) => [row.name_key, row.user],
      count: async () => (await store.getTeam(db, team.id, caller.id)).members,
      present: async (rows) => {
        const permissions = { view: teamAllows(org, team, 'view') };
        const presentMember = await memberPresenter(db, base, org, rows);
        return rows.map((row) => ({ organization: presentMember(row), team: { role: row.team_role }, permissions }));
      },
    }),

  async updateMembers({ db, objects: { org, team }, body }) {
    const { add = [], memberships = {}, remove = [] } = body;
    const issues: ValidationIssue[] = [];
    for (const [index, idOrEmail] of add.entries()) {
      const user = await findMemberNamed(db, org.id, idOrEmail);
      if (user === undefined) issues.push(notMemberIssue('add', index));
      else await store.addToTeam(db, team.id, user);
    }
    for (const [user, { role }] of Object.entries(memberships)) {
      if (await findMember(db, org.id, user)) await store.setTeamRole(db, team.id, user, role);
      else issues.push(notMemberIssue('memberships', user));
    }
    // The transaction undoes the changes above.
    if (issues.length > 0) throw new Invalid(issues);
    for (const idOrEmail of remove) {
      const user = await findMemberNamed(db, org.id, idOrEmail);
      if (user !== undefined) await store.removeFromTeam(db, team.id, user);
    }
  },

  async setMember({ db, objects: { team, member }, body }) {
    if (body.role === undefined) await store.addToTeam(db, team.id, member.user);
    else await store.setTeamRole(db, team.id, member.user, body.role);
  },

  async removeMember({ db, objects: { team, member } }) {
    const removed = await store.removeFromTeam(db, team.id, member.user);
    if (removed === 0) throw new NotFound('member of this team', member.user);
  },
});
