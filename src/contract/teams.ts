import * as z from 'zod/mini';
import { text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Member, Team, TeamRole } from './members.ts';
import { about, list, record, reference } from './schema.ts';

const title = () => text({ min: 1, max: 64 }, 'Name of the team, 1 to 64 characters.');

export const teams = endpoints('teams', {
  list: {
    route: 'GET /v1/orgs/{orgId}/teams',
    summary: 'List the teams of an organization.',
    access: 'organization.read',
    query: () => ({
      owner: z.optional(reference('userId', 'Only teams of which this member is an owner.')),
      title: z.optional(text({ max: 512 }, 'Only teams whose title contains this.')),
    }),
    items: Team,
  },
  create: {
    route: 'PUT /v1/orgs/{orgId}/teams',
    summary: 'Create a team.',
    access: 'organization.admin',
    body: () =>
      z.object({
        title: title(),
        members: z.optional(about(list(reference('userId')), 'First members, by ID.')),
      }),
    response: Team,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/teams/{teamId}',
    summary: 'Show a team.',
    access: 'team.view',
    response: Team,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/teams/{teamId}',
    summary: 'Rename a team.',
    access: 'team.admin',
    body: () => z.object({ title: title() }),
    response: Team,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/teams/{teamId}',
    summary: 'Delete a team.',
    access: 'organization.admin',
    status: 204,
  },
  listMembers: {
    route: 'GET /v1/orgs/{orgId}/teams/{teamId}/members',
    summary: 'List the members of a team.',
    access: 'team.view',
    items: () =>
      z.object({
        organization: Member(),
        team: z.object({ role: TeamRole() }),
        permissions: z.object({ view: z.boolean() }),
      }),
  },
  updateMembers: {
    route: 'PUT /v1/orgs/{orgId}/teams/{teamId}/members',
    summary: 'Add, change and remove several members of a team at once.',
    description: 'Members are added first, then roles are set, then members are removed.',
    access: 'team.admin',
    repeatable: true,
    body: () =>
      z.object({
        add: z.optional(
          about(list(reference('userId', undefined, { takesEmail: true })), 'Members to add, by ID or email address.'),
        ),
        memberships: z.optional(
          about(record(reference('userId'), z.object({ role: TeamRole() })), 'Roles in the team by member ID.'),
        ),
        remove: z.optional(
          about(
            list(reference('userId', undefined, { takesEmail: true })),
            'Members to remove, by ID or email address.',
          ),
        ),
      }),
    status: 204,
  },
  setMember: {
    route: 'PUT /v1/orgs/{orgId}/teams/{teamId}/members/{userId}',
    summary: 'Add a member to a team, or change their role.',
    access: 'team.admin',
    repeatable: true,
    body: () =>
      z.object({
        role: z.optional(about(TeamRole(), 'Role in the team (default: the current one, or member for new members).')),
      }),
    status: 204,
  },
  removeMember: {
    route: 'DELETE /v1/orgs/{orgId}/teams/{teamId}/members/{userId}',
    summary: 'Remove a member from a team.',
    access: 'team.admin',
    status: 204,
  },
});
