import { type Access, atLeast, type RoleName } from '../../contract/access.ts';
import { forbidden, organizationAllows, teamAllows } from './access.ts';
import type { Objects } from './load-objects.ts';

/** The level that a permission on a space or collection needs. */
const levels: Record<string, RoleName> = {
  view: 'read',
  comment: 'comment',
  edit: 'edit',
  merge: 'review',
  admin: 'admin',
};

/**
 * Refuses a call for which the caller has no permission. The objects of the path are known to be visible.
 *
 * @throws Forbidden that names the permission
 */
export function permit(access: Access, objects: Partial<Objects>): void {
  if (access === 'none' || access === 'token' || access === 'member') return;
  const [object = '', permission = ''] = access.split('.');
  if (!isPermitted(object, permission, objects)) throw forbidden(object, permission);
}

function isPermitted(object: string, permission: string, { org, team, space, collection }: Partial<Objects>): boolean {
  if (object === 'organization') return org !== undefined && organizationAllows(org, permission);
  if (object === 'team') return org !== undefined && team !== undefined && teamAllows(org, team, permission);
  const level = (object === 'space' ? space : collection)?.level;
  const needed = levels[permission];
  return needed !== undefined && atLeast(level, needed);
}
