/**
 * What a call needs: `<object>.<permission>` in the words of the objects' `permissions`,
 * `member` for anybody in the organization (guests too), `token` for any caller,
 * `none` for the few addresses that need no token.
 */
export type Access =
  | 'none'
  | 'token'
  | 'member'
  | `organization.${'read' | 'admin' | 'createContent'}`
  | `collection.${'view' | 'admin'}`
  | `space.${'view' | 'comment' | 'edit' | 'merge' | 'admin'}`
  | `team.${'view' | 'admin'}`;

/** Roles from least to most; null, a guest, is below all of them. */
export const roles = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export type RoleName = (typeof roles)[number];

/** Whether `role` gives at least `needed`. */
export function atLeast(role: RoleName | null | undefined, needed: RoleName): boolean {
  return role != null && roles.indexOf(role) >= roles.indexOf(needed);
}

export function highest(...candidates: (RoleName | null | undefined)[]): RoleName | null {
  let best: RoleName | null = null;
  for (const role of candidates) if (role != null && !atLeast(best, role)) best = role;
  return best;
}

export const deniedText = (object: string, permission: string): string =>
  `Permission denied: this needs the permission "${permission}" on the ${object}. Ask an administrator for it.`;

/**
 * What a caller lacks to put a space or collection under a parent: to create content in the whole organization, or there.
 *
 * @param parent null for the top level
 */
export async function lackingUnder(
  parent: string | null,
  isAllowed: { inOrganization: boolean; inCollection(id: string): Promise<boolean> },
): Promise<[object: string, permission: string] | undefined> {
  if (isAllowed.inOrganization) return undefined;
  if (parent === null) return ['organization', 'createContent'];
  return (await isAllowed.inCollection(parent)) ? undefined : ['collection', 'create'];
}
