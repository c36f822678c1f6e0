import * as z from 'zod/mini';
import { Collection } from './collections.ts';
import { lazy, RoleOrGuest } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, emailAddress, reference } from './schema.ts';
import { Space } from './spaces.ts';

const common = { object: z.literal('invite'), id: z.string(), redundant: z.boolean() };

/** A link invite: to the organization, to one space, or to one collection. */
export const Invite = lazy(() =>
  z.union([
    z.object({ ...common, role: RoleOrGuest() }),
    z.object({ ...common, level: RoleOrGuest(), space: Space() }),
    z.object({ ...common, level: RoleOrGuest(), collection: Collection() }),
  ]),
);

const role = () => about(RoleOrGuest(), 'Role in the organization; null for guests.');
const level = () => about(RoleOrGuest(), 'Level on the space or collection.');

export const invites = endpoints('invites', {
  send: {
    route: 'POST /v1/orgs/{orgId}/invites',
    summary: 'Invite people by email; they become members immediately.',
    access: 'organization.admin',
    body: () =>
      z.object({
        emails: z
          .array(z.union([emailAddress(), z.object({ email: emailAddress(), role: role() })]))
          .check(
            z.minLength(1),
            z.maxLength(100),
            z.describe('Email addresses, 1 to 100, or objects with an address and a role.'),
          ),
        role: z.optional(
          about(RoleOrGuest(), "Role of people without their own role (default: the organization's default role)."),
        ),
        sso: z._default(
          about(z.boolean(), "Invite as SSO users; only addresses in the organization's email domains."),
          false,
        ),
      }),
    response: () => z.object({ users: z.array(z.string()), invited: z.number(), failedSSOEmails: z.array(z.string()) }),
  },
  accept: {
    route: 'POST /v1/orgs/{orgId}/invites/{inviteId}',
    summary: 'Join an organization with an invite link.',
    access: 'token',
    response: () => z.object({}),
  },
  listLinks: {
    route: 'GET /v1/orgs/{orgId}/link-invites',
    summary: 'List the invite links of an organization.',
    access: 'organization.admin',
    items: Invite,
  },
  createLink: {
    route: 'POST /v1/orgs/{orgId}/link-invites',
    summary: 'Create an invite link to an organization, a space or a collection.',
    access: 'organization.admin',
    body: () =>
      z.union([
        z.object({ level: level(), space: reference('spaceId', 'Space to invite to.') }),
        z.object({ level: level(), collection: reference('collectionId', 'Collection to invite to.') }),
        z.object({ role: role() }),
      ]),
    response: Invite,
    status: 201,
  },
  viewLink: {
    route: 'GET /v1/orgs/{orgId}/link-invites/{inviteId}',
    summary: 'Show an invite link.',
    access: 'organization.admin',
    response: Invite,
  },
  editLink: {
    route: 'PATCH /v1/orgs/{orgId}/link-invites/{inviteId}',
    summary: 'Change the role or level of an invite link.',
    access: 'organization.admin',
    body: () =>
      z.object({
        role: z.optional(about(RoleOrGuest(), 'New role, for a link to the organization.')),
        level: z.optional(about(RoleOrGuest(), 'New level, for a link to a space or collection.')),
      }),
    response: Invite,
  },
  deleteLink: {
    route: 'DELETE /v1/orgs/{orgId}/link-invites/{inviteId}',
    summary: 'Delete an invite link; people who joined with it stay members.',
    access: 'organization.admin',
    status: 205,
  },
});
