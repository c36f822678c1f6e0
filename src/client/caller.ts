import type { RoleName } from '../contract/access.ts';
import { members } from '../contract/members.ts';
import { orgs } from '../contract/orgs.ts';
import type { Client } from './client.ts';
import { HttpError } from './errors/http-error.ts';

/** What a caller is and may do in an organization. */
export interface CallerIn {
  organization: { id: string; title: string };
  /** Null for a guest. */
  role: RoleName | null;
  disabled: boolean;
  /** The permissions that the service reports for the organization. */
  permissions: string[];
}

/** Reads the role and the permissions of the caller. @throws the error of the service if it hides the organization */
export async function callerIn(client: Client, orgId: string, userId: string): Promise<CallerIn> {
  const [organization, { role, disabled }] = await Promise.all([
    client.call(orgs.view, { params: { orgId } }),
    roleIn(client, { orgId, userId }),
  ]);
  const permissions = Object.entries(organization.permissions ?? {}).flatMap(([name, isGranted]) =>
    isGranted ? [name] : [],
  );
  const { id, title } = organization;
  return { organization: { id, title }, role, disabled, permissions };
}

async function roleIn(client: Client, params: { orgId: string; userId: string }) {
  try {
    return await client.call(members.view, { params });
  } catch (error) {
    // Guests get 403 for every member, themselves included.
    if (error instanceof HttpError && error.status === 403) return { role: null, disabled: false };
    throw error;
  }
}
