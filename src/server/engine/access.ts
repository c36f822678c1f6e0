import { atLeast, deniedText, type RoleName } from '../../contract/access.ts';
import type { OrganizationRow } from '../../store/lookups.ts';
import { Forbidden } from './errors.ts';

export const forbidden = (object: string, permission: string) => new Forbidden(deniedText(object, permission));

export function organizationAllows(org: OrganizationRow, permission: string): boolean {
  const needed = organizationRoles[permission];
  return needed !== undefined && atLeast(org.caller_role, needed);
}

const organizationRoles: Record<string, RoleName> = { read: 'read', createContent: 'create', admin: 'admin' };

export function teamAllows(org: OrganizationRow, team: { owns: boolean }, permission: string): boolean {
  return permission === 'view'
    ? atLeast(org.caller_role, 'read') || team.owns
    : org.caller_role === 'admin' || team.owns;
}

/** The `permissions` of a space. */
export const spacePermissions = (level: RoleName | null) => ({
  view: level !== null,
  access: level !== null,
  admin: level === 'admin',
  viewInviteLinks: level === 'admin',
  edit: atLeast(level, 'edit'),
  triggerGitSync: atLeast(level, 'create'),
  comment: atLeast(level, 'comment'),
  merge: atLeast(level, 'review'),
  review: atLeast(level, 'review'),
});

export const collectionPermissions = (level: RoleName) => ({
  view: true,
  admin: level === 'admin',
  viewInviteLinks: level === 'admin',
  create: atLeast(level, 'create'),
});

/** @param ownTeam whether the caller owns a team in the organization */
export const organizationPermissions = (role: RoleName | null, ownTeam: boolean) => ({
  view: true,
  admin: role === 'admin',
  ownTeam,
  createContent: atLeast(role, 'create'),
  createOpenAPISpec: atLeast(role, 'create'),
  viewBilling: role === 'admin',
  listMembers: atLeast(role, 'read'),
  listTeams: atLeast(role, 'read'),
  listIntegrations: atLeast(role, 'create'),
});

/** The caller's role: null for a guest, undefined for somebody who is not a member. */
export const roleIn = (org: OrganizationRow) => (org.caller_user === null ? undefined : org.caller_role);
