import * as z from 'zod/mini';
import { dateTime, flags, lazy, order, Role, RoleOrGuest, text, User } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about } from './schema.ts';
import { Space } from './spaces.ts';

export const Member = lazy(() =>
  z.object({
    object: z.literal('member'),
    id: z.string(),
    role: RoleOrGuest(),
    user: User(),
    disabled: z.boolean(),
    joinedAt: dateTime(),
    lastSeenAt: z.optional(dateTime()),
    sso: z.boolean(),
    spaces: z.number(),
    teams: z.number(),
  }),
);

export const Team = lazy(() =>
  z.object({
    object: z.literal('team'),
    id: z.string(),
    title: z.string(),
    members: z.number(),
    spaces: z.number(),
    createdAt: dateTime(),
    permissions: flags('admin', 'view'),
  }),
);
export const TeamRole = lazy(() => z.enum(['owner', 'member']));

/** A level granted to a member on a space or on a collection. */
const Grant = lazy(() =>
  z.object({
    object: z.literal('grant'),
    member: z.string(),
    level: Role(),
    space: z.optional(z.string()),
    collection: z.optional(z.string()),
  }),
);

export const members = endpoints('members', {
  list: {
    route: 'GET /v1/orgs/{orgId}/members',
    summary: 'List the members of an organization.',
    description: 'With --sort lastSeenAt, disabled members and members who were never seen are skipped.',
    access: 'organization.read',
    query: () => ({
      order: order('Latest first (desc) or earliest first (asc).'),
      role: z.optional(
        about(
          z.enum(['admin', 'create', 'review', 'edit', 'comment', 'read', 'guest']),
          'Only members with this role.',
        ),
      ),
      search: z.optional(text({ max: 512 }, 'Only members whose name or email address contains this.')),
      sort: z._default(about(z.enum(['joinedAt', 'lastSeenAt']), 'Sort order.'), 'joinedAt'),
    }),
    items: Member,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/members/{userId}',
    summary: 'Show a member.',
    access: 'organization.read',
    response: Member,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/members/{userId}',
    summary: 'Change the role of a member.',
    access: 'organization.admin',
    body: () =>
      z.object({ role: z.optional(about(RoleOrGuest(), 'New role; guests have no role in the organization.')) }),
    response: Member,
  },
  remove: {
    route: 'DELETE /v1/orgs/{orgId}/members/{userId}',
    summary: 'Remove a member from the organization.',
    access: 'organization.admin',
    status: 204,
  },
  markSso: {
    route: 'POST /v1/orgs/{orgId}/members/{userId}/sso',
    summary: 'Mark a member as signing in through SSO.',
    access: 'organization.admin',
    response: Member,
  },
  spaces: {
    route: 'GET /v1/orgs/{orgId}/members/{userId}/spaces',
    summary: 'List the spaces that a member can see, with the permission on each.',
    access: 'organization.read',
    query: () => ({ order: order() }),
    items: () => z.object({ permission: Role(), space: Space() }),
  },
  grants: {
    route: 'GET /v1/orgs/{orgId}/grants',
    summary: 'List the levels granted on spaces and collections.',
    description:
      "An extension: only docsctl's own service has this list. One item for each member and space or collection. A member's level on a space is the highest of the role, the default levels of the space and the collections above it (not for guests), and what was granted on any of these.",
    access: 'organization.read',
    items: Grant,
  },
  teams: {
    route: 'GET /v1/orgs/{orgId}/members/{userId}/teams',
    summary: 'List the teams of a member.',
    access: 'organization.read',
    query: () => ({ title: z.optional(text({ max: 512 }, 'Only teams whose title contains this.')) }),
    items: () => z.object({ team: Team(), member: z.object({ role: TeamRole() }) }),
  },
});
