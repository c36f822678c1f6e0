import { type Access, atLeast, type RoleName } from '../../contract/access.ts';
import type { Objects, OrgAt, TeamAt } from './context.ts';
import { Forbidden } from './errors.ts';

/** Levels that the permissions of spaces and collections need (open parts, section 7). */
const levels: Record<string, RoleName> = {
  view: 'read',
  access: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  triggerGitSync: 'create',
  create: 'create',
  admin: 'admin',
  viewInviteLinks: 'admin',
};

/**
 * Refuses a call that the caller may not make. Objects of the path are visible already.
 *
 * @throws Forbidden that names the permission
 */
export function permit(access: Access, at: Partial<Objects>): void {
  if (access === 'none' || access === 'token' || access === 'member') return;
  const [object, permission] = access.split('.') as [string, string];
  const held =
    object === 'organization'
      ? organizationAllows(at.org!, permission)
      : object === 'team'
        ? teamAllows(at.org!, at.team!, permission)
        : atLeast((object === 'space' ? at.space : at.collection)?.level, levels[permission]!);
  if (held) return;
  throw forbidden(object, permission);
}

export const forbidden = (object: string, permission: string) =>
  new Forbidden(
    `This needs the permission "${permission}" on the ${object}, which you do not have. Ask an administrator for it.`,
  );

export function organizationAllows(org: OrgAt, permission: string): boolean {
  if (permission === 'view') return org.caller_user !== null;
  const needed = ({ read: 'read', createContent: 'create', admin: 'admin' } as const)[permission];
  return needed !== undefined && atLeast(org.caller_role, needed);
}

export function teamAllows(org: OrgAt, team: Pick<TeamAt, 'owns'>, permission: string): boolean {
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

/** @param ownTeam whether the caller owns a team there */
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
