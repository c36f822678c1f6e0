import type { Client } from '../../client/client.ts';
import { HttpError, isMissing } from '../../client/errors/http-error.ts';
import { reasons } from '../../contract/errors.ts';
import { invites } from '../../contract/invites.ts';
import { members } from '../../contract/members.ts';
import { sso } from '../../contract/sso.ts';
import { openFileStore } from '../../store/sqlite/file-store.ts';
import type { Db } from '../../store/store.ts';
import { writeInvites, writeMembers, writeProviders, writeUsers } from './rows.ts';

/** The collections of objects that somebody may change, or try to change, without being able to read them. */
const kinds = {
  members: 'member',
  'link-invites': 'invite link',
  invites: 'invite link',
  saml: 'SSO provider',
} as const;

/** An object that a copy lacks, perhaps because the caller may not read it. */
export interface Missing {
  kind: (typeof kinds)[keyof typeof kinds];
  id: string;
}

/** The objects in these paths that a copy may lack. */
export function objectsIn(paths: readonly string[]): Missing[] {
  const pattern = /^\/v1\/orgs\/[^/]+\/(members|link-invites|invites|saml)\/([^/?]+)/;
  const found = paths.flatMap((path) => {
    const [, name, id] = pattern.exec(path) ?? [];
    return name !== undefined && id !== undefined ? [{ kind: kinds[name as keyof typeof kinds], id }] : [];
  });
  return [...new Map(found.map((object) => [JSON.stringify(object), object])).values()];
}

/** Whether the service has an object and refuses to show it. */
export async function isHidden(client: Client, orgId: string, { kind, id }: Missing): Promise<boolean> {
  try {
    if (kind === 'member') await client.call(members.view, { params: { orgId, userId: id } });
    else if (kind === 'invite link') await client.call(invites.viewLink, { params: { orgId, inviteId: id } });
    else await client.call(sso.viewProvider, { params: { orgId, samlProviderId: id } });
    return false;
  } catch (error) {
    if (error instanceof HttpError && error.status === reasons.forbidden) return true;
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Adds hidden objects to a copy, so that it refuses a change of them as the service does. Only their IDs are known. */
export async function addStubs(file: string, organization: string, list: readonly Missing[]): Promise<void> {
  const store = openFileStore(file);
  try {
    for (const object of list) await store.write((db) => writeStub(db, organization, object));
  } finally {
    await store.close();
  }
}

async function writeStub(db: Db, organization: string, { kind, id }: Missing): Promise<void> {
  const createdAt = new Date(0).toISOString();
  if (kind === 'invite link') {
    const invite = { object: 'invite' as const, id, role: null, redundant: false };
    await writeInvites(db, { id: organization, createdAt }, [invite]);
  } else if (kind === 'member') {
    const user = { object: 'user' as const, id, displayName: id, urls: { location: '' } };
    await writeUsers(db, [user], createdAt);
    const member = {
      object: 'member' as const,
      id,
      role: null,
      user,
      disabled: false,
      joinedAt: createdAt,
      sso: false,
    };
    await writeMembers(db, organization, [{ ...member, spaces: 0, teams: 0 }]);
  } else {
    const texts = { label: id, ssoURL: '', entityID: '', certificate: '' };
    const provider = { object: 'saml-provider' as const, id, ...texts, defaultRole: null, createdAt };
    const service = { acsURL: '', startURL: '', entityID: '' };
    await writeProviders(db, organization, [{ ...provider, service, urls: { location: '' } }], new Set());
  }
}
