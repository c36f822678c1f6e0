import type { GroupName } from '../contract/groups.ts';
import type { AnyHandler } from './implement.ts';

type Handlers = Record<string, AnyHandler>;

const handlers: Record<GroupName, () => Promise<{ handlers: Handlers }>> = {
  users: () => import('./users.ts'),
  orgs: () => import('./orgs.ts'),
  members: () => import('./members.ts'),
  teams: () => import('./teams.ts'),
  invites: () => import('./invites.ts'),
  sso: () => import('./sso.ts'),
  fields: () => import('./customFields.ts'),
  translations: () => import('./translations.ts'),
  subdomains: () => import('./subdomains.ts'),
  collections: () => import('./collections.ts'),
  spaces: () => import('./spaces.ts'),
  content: () => import('./content.ts'),
  revisions: () => import('./revisions.ts'),
  changeRequestContent: () => import('./changeRequestContent.ts'),
  search: () => import('./search.ts'),
  changeRequests: () => import('./changeRequests.ts'),
  comments: () => import('./comments.ts'),
  changeRequestComments: async () => ({ handlers: (await import('./comments.ts')).changeRequestHandlers }),
  sites: () => import('./sites.ts'),
  siteSchema: () => import('./siteSchema.ts'),
  siteCustomization: () => import('./siteCustomization.ts'),
  siteSections: () => import('./siteSections.ts'),
  sectionGroups: () => import('./sectionGroups.ts'),
  siteSpaces: () => import('./siteSpaces.ts'),
  shareLinks: () => import('./shareLinks.ts'),
  openapi: () => import('./openapi.ts'),
};

/** The handlers of one group, loaded on its first request. */
export const loadHandlers = async (name: GroupName): Promise<Handlers> => (await handlers[name]()).handlers;
