import type { Endpoint } from './endpoint.ts';

/** A group of endpoints, loaded when a request or a command needs it. */
export interface ContractGroup {
  /**
   * Which paths are the group's: `*` stands for a parameter. A path belongs to the group with the longest matching
   * prefix, so that routing loads one group and no more.
   */
  paths: readonly string[];
  load: () => Promise<Record<string, Record<string, Endpoint> | unknown>>;
}

/** Every group under the name of its export and of its modules in all rooms. */
export const groups = {
  users: { paths: ['user', 'users/*'], load: () => import('./users.ts') },
  orgs: {
    paths: ['orgs', 'orgs/*', 'orgs/*/ping', 'email-domains/*'],
    load: () => import('./orgs.ts'),
  },
  members: { paths: ['orgs/*/members'], load: () => import('./members.ts') },
  teams: { paths: ['orgs/*/teams'], load: () => import('./teams.ts') },
  invites: { paths: ['orgs/*/invites', 'orgs/*/link-invites'], load: () => import('./invites.ts') },
  sso: { paths: ['orgs/*/saml', 'orgs/*/sso'], load: () => import('./sso.ts') },
  fields: { paths: ['orgs/*/custom-fields', 'spaces/*/custom-fields'], load: () => import('./customFields.ts') },
  translations: { paths: ['orgs/*/translations'], load: () => import('./translations.ts') },
  subdomains: { paths: ['subdomains/*'], load: () => import('./subdomains.ts') },
  collections: { paths: ['orgs/*/collections', 'collections/*'], load: () => import('./collections.ts') },
  spaces: { paths: ['orgs/*/spaces', 'spaces/*'], load: () => import('./spaces.ts') },
  content: { paths: ['spaces/*/content', 'spaces/*/links'], load: () => import('./content.ts') },
  revisions: { paths: ['spaces/*/revisions'], load: () => import('./revisions.ts') },
  changeRequestContent: {
    paths: ['spaces/*/change-requests/*/content', 'spaces/*/change-requests/*/links', 'spaces/*/change-requests/*/pdf'],
    load: () => import('./changeRequestContent.ts'),
  },
  search: { paths: ['orgs/*/search', 'spaces/*/search'], load: () => import('./search.ts') },
  changeRequests: { paths: ['spaces/*/change-requests'], load: () => import('./changeRequests.ts') },
  comments: { paths: ['spaces/*/comments'], load: () => import('./comments.ts') },
  changeRequestComments: { paths: ['spaces/*/change-requests/*/comments'], load: () => import('./comments.ts') },
  sites: { paths: ['orgs/*/sites'], load: () => import('./sites.ts') },
  siteSchema: { paths: ['orgs/*/sites/*/adaptive-schema'], load: () => import('./siteSchema.ts') },
  siteCustomization: { paths: ['orgs/*/sites/*/customization'], load: () => import('./siteCustomization.ts') },
  siteSections: { paths: ['orgs/*/sites/*/sections'], load: () => import('./siteSections.ts') },
  sectionGroups: { paths: ['orgs/*/sites/*/section-groups'], load: () => import('./sectionGroups.ts') },
  siteSpaces: { paths: ['orgs/*/sites/*/site-spaces'], load: () => import('./siteSpaces.ts') },
  shareLinks: { paths: ['orgs/*/sites/*/share-links'], load: () => import('./shareLinks.ts') },
  openapi: { paths: ['orgs/*/openapi'], load: () => import('./openapi.ts') },
} as const satisfies Record<string, ContractGroup>;

export type GroupName = keyof typeof groups;

const prefixes = Object.entries(groups)
  .flatMap(([name, { paths }]) => paths.map((path) => ({ name: name as GroupName, segments: path.split('/') })))
  .toSorted((a, b) => b.segments.length - a.segments.length || countStars(a.segments) - countStars(b.segments));

function countStars(segments: string[]): number {
  return segments.filter((segment) => segment === '*').length;
}

/** The group that a path after `/v1/` belongs to, whether or not the path exists there. */
export function groupOf(segments: readonly string[]): GroupName | undefined {
  return prefixes.find(
    (prefix) =>
      prefix.segments.length <= segments.length &&
      prefix.segments.every((segment, at) => segment === '*' || segment === segments[at]),
  )?.name;
}

/** The endpoints of one group by key. */
export async function loadGroup(name: GroupName): Promise<Record<string, Endpoint>> {
  const module = (await groups[name].load()) as Record<string, unknown>;
  return module[name] as Record<string, Endpoint>;
}
