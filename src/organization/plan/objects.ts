import { createHash, randomBytes } from 'node:crypto';
import { collectionsIn } from '../files/references.ts';
import type { Organization } from '../organization.ts';
import type { Change } from './change.ts';
import { inviteLinkName } from './publishing.ts';
import { hashOf, type Secrets } from './variables.ts';

/** What the service has of the object of a change, in the words of the files; undefined where there is none. */
function objectOf(organization: Organization, { kind, name }: Pick<Change, 'kind' | 'name'>): unknown {
  switch (kind) {
    case 'organization': {
      const { customFields: _, ...settings } = organization.organization ?? {};
      return settings;
    }
    case 'custom field':
      return organization.organization?.customFields?.find((field) => field.name === name);
    case 'member': {
      const { teams: _, ...row } = organization.members?.find(({ email }) => email === name) ?? {};
      return 'email' in row ? row : undefined;
    }
    case 'team':
      return organization.teams?.get(name);
    case 'SSO provider':
      return organization.sso?.get(name);
    case 'collection': {
      const found = [...collectionsIn(organization.collections?.collections)].find(({ node }) => node.name === name);
      return found && { ...found.node, collections: undefined, parent: found.parent };
    }
    case 'space':
      return organization.spaces?.get(name);
    case 'specification':
      return organization.openapi?.get(name);
    case 'site':
      return organization.sites?.get(name);
    case 'translation':
      return organization.translations?.translations.find(({ title }) => title === name);
    case 'invite link':
      return organization.inviteLinks?.links.filter((link) => inviteLinkName(link) === name);
    default:
      return undefined;
  }
}

/** A hash of that object: another one after any change of it. The secrets in it cannot be guessed by a fast hash. */
export function objectHash(
  organization: Organization,
  change: Pick<Change, 'kind' | 'name'>,
  secrets: Secrets,
): string {
  const text = textOf(organization, change);
  const hasSecret = [...secrets.keys()].some((secret) => text.includes(JSON.stringify(secret).slice(1, -1)));
  return hasSecret ? slowHash(text, randomBytes(16).toString('base64')) : fastHash(text);
}

/** Whether the object is the one that has this hash. */
export function hasHash(organization: Organization, change: Pick<Change, 'kind' | 'name'>, hash: string): boolean {
  const text = textOf(organization, change);
  const [, salt] = /^(.*):/.exec(hash) ?? [];
  return hash === (salt === undefined ? fastHash(text) : slowHash(text, salt));
}

const textOf = (organization: Organization, change: Pick<Change, 'kind' | 'name'>): string =>
  JSON.stringify(objectOf(organization, change) ?? null);

const fastHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

const slowHash = (text: string, salt: string) => `${salt}:${hashOf(text, salt).toString('base64')}`;
