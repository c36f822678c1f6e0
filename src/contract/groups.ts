import { isObject } from '../shared/is-object.ts';
import type { Endpoint } from './endpoint.ts';

/** A group of endpoints, loaded when a request or a command needs it. */
export interface ContractGroup {
  /** What its endpoints are about, for the tags of the OpenAPI document. */
  about: string;
  /**
   * The paths of the group; `*` matches a parameter. A path belongs to the group with the longest matching
   * prefix, so that routing loads one group and no more.
   */
  paths: readonly string[];
  load: () => Promise<Record<string, unknown>>;
}

/** Every group by the name of its export; the files about it have this name in every layer. */
export const groups = {
  users: { about: 'The caller and other users.', paths: ['user', 'users/*'], load: () => import('./users.ts') },
  orgs: {
    about: 'Organizations and their settings.',
    paths: ['orgs', 'orgs/*', 'orgs/*/ping', 'email-domains/*'],
    load: () => import('./orgs.ts'),
  },
  members: {
    about: 'Members of an organization, their roles and levels.',
    paths: ['orgs/*/members', 'orgs/*/grants'],
    load: () => import('./members.ts'),
  },
  teams: { about: 'Teams and their members.', paths: ['orgs/*/teams'], load: () => import('./teams.ts') },
  invites: {
    about: 'Invitations by email and by link.',
    paths: ['orgs/*/invites', 'orgs/*/link-invites'],
    load: () => import('./invites.ts'),
  },
  sso: { about: 'Single sign-on with SAML.', paths: ['orgs/*/saml', 'orgs/*/sso'], load: () => import('./sso.ts') },
  fields: {
    about: 'Custom fields and their values in spaces.',
    paths: ['orgs/*/custom-fields', 'spaces/*/custom-fields'],
    load: () => import('./custom-fields.ts'),
  },
  translations: {
    about: 'Translations of spaces into other languages.',
    paths: ['orgs/*/translations'],
    load: () => import('./translations.ts'),
  },
  subdomains: { about: 'Subdomains of docs sites.', paths: ['subdomains/*'], load: () => import('./subdomains.ts') },
  collections: {
    about: 'Collections of spaces.',
    paths: ['orgs/*/collections', 'collections/*'],
    load: () => import('./collections.ts'),
  },
  spaces: {
    about: 'Spaces and their settings.',
    paths: ['orgs/*/spaces', 'spaces/*'],
    load: () => import('./spaces.ts'),
  },
  content: {
    about: 'Pages, files and links of a space.',
    paths: ['spaces/*/content', 'spaces/*/links'],
    load: () => import('./content.ts'),
  },
  revisions: {
    about: 'Earlier revisions of a space.',
    paths: ['spaces/*/revisions'],
    load: () => import('./revisions.ts'),
  },
  changeRequestContent: {
    about: 'Pages, files and links of a change request.',
    paths: ['spaces/*/change-requests/*/content', 'spaces/*/change-requests/*/links', 'spaces/*/change-requests/*/pdf'],
    load: () => import('./change-request-content.ts'),
  },
  search: {
    about: 'Search in spaces and organizations.',
    paths: ['orgs/*/search', 'spaces/*/search'],
    load: () => import('./search.ts'),
  },
  changeRequests: {
    about: 'Change requests.',
    paths: ['spaces/*/change-requests'],
    load: () => import('./change-requests.ts'),
  },
  comments: {
    about: 'Comments on a space, with replies.',
    paths: ['spaces/*/comments'],
    load: () => import('./comments.ts'),
  },
  changeRequestComments: {
    about: 'Comments on a change request, with replies.',
    paths: ['spaces/*/change-requests/*/comments'],
    load: () => import('./comments.ts'),
  },
  sites: { about: 'Docs sites and their publication.', paths: ['orgs/*/sites'], load: () => import('./sites.ts') },
  siteSchema: {
    about: 'The schema of visitor attributes for adaptive content.',
    paths: ['orgs/*/sites/*/adaptive-schema'],
    load: () => import('./site-schema.ts'),
  },
  siteCustomization: {
    about: 'Customization of a docs site.',
    paths: ['orgs/*/sites/*/customization'],
    load: () => import('./site-customization.ts'),
  },
  siteSections: {
    about: 'Sections of a docs site.',
    paths: ['orgs/*/sites/*/sections'],
    load: () => import('./site-sections.ts'),
  },
  sectionGroups: {
    about: 'Groups of sections of a docs site.',
    paths: ['orgs/*/sites/*/section-groups'],
    load: () => import('./section-groups.ts'),
  },
  siteSpaces: {
    about: 'Spaces in a docs site.',
    paths: ['orgs/*/sites/*/site-spaces'],
    load: () => import('./site-spaces.ts'),
  },
  shareLinks: {
    about: 'Links that give anyone who has them access to a docs site.',
    paths: ['orgs/*/sites/*/share-links'],
    load: () => import('./share-links.ts'),
  },
  openapi: {
    about: 'OpenAPI specifications and their versions.',
    paths: ['orgs/*/openapi'],
    load: () => import('./openapi.ts'),
  },
} as const satisfies Record<string, ContractGroup>;

export type GroupName = keyof typeof groups;

const isGroupName = (name: string): name is GroupName => Object.hasOwn(groups, name);

export const groupNames: readonly GroupName[] = Object.keys(groups).filter(isGroupName);

const prefixes = groupNames
  .flatMap((name) => groups[name].paths.map((path) => ({ name, segments: path.split('/') })))
  .toSorted((a, b) => b.segments.length - a.segments.length || countStars(a.segments) - countStars(b.segments));

function countStars(segments: string[]): number {
  return segments.filter((segment) => segment === '*').length;
}

/** The group that a path after `/v1/` belongs to, whether or not the path exists there. */
export function groupOf(segments: readonly string[]): GroupName | undefined {
  return prefixes.find(
    (prefix) =>
      prefix.segments.length <= segments.length &&
      prefix.segments.every((segment, index) => segment === '*' || segment === segments[index]),
  )?.name;
}

const isEndpoints = (value: unknown): value is Record<string, Endpoint> => isObject(value);

/** The endpoints of one group by key. */
export async function loadGroup(name: GroupName): Promise<Record<string, Endpoint>> {
  const module: Record<string, unknown> = await groups[name].load();
  const group = module[name];
  if (!isEndpoints(group)) throw new Error(`The module of the group ${name} has no export of this name.`);
  return group;
}
