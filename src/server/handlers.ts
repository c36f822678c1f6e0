import type { GroupName } from '../contract/groups.ts';
import type { AnyHandler } from './engine/implement.ts';
import { createRouter } from './engine/routes.ts';

type Handlers = Record<string, AnyHandler>;

const handlers: Record<GroupName, () => Promise<{ handlers: Handlers }>> = {
  users: () => import('./organizations/users.ts'),
  orgs: () => import('./organizations/orgs.ts'),
  members: () => import('./organizations/members.ts'),
  teams: () => import('./organizations/teams.ts'),
  invites: () => import('./organizations/invites.ts'),
  sso: () => import('./organizations/sso.ts'),
  fields: () => import('./organizations/custom-fields.ts'),
  translations: () => import('./organizations/translations.ts'),
  subdomains: () => import('./organizations/subdomains.ts'),
  collections: () => import('./content/spaces/collections.ts'),
  spaces: () => import('./content/spaces/spaces.ts'),
  content: () => import('./content/content.ts'),
  revisions: () => import('./content/revisions.ts'),
  changeRequestContent: () => import('./content/change-request-content.ts'),
  search: () => import('./content/search/search.ts'),
  changeRequests: () => import('./content/change-requests/change-requests.ts'),
  comments: () => import('./content/comments/comments.ts'),
  changeRequestComments: async () => ({
    handlers: (await import('./content/comments/comments.ts')).changeRequestHandlers,
  }),
  sites: () => import('./sites/sites.ts'),
  siteSchema: () => import('./sites/site-schema.ts'),
  siteCustomization: () => import('./sites/site-customization.ts'),
  siteSections: () => import('./sites/site-sections.ts'),
  sectionGroups: () => import('./sites/section-groups.ts'),
  siteSpaces: () => import('./sites/site-spaces.ts'),
  shareLinks: () => import('./sites/share-links.ts'),
  openapi: () => import('./openapi/openapi.ts'),
};

/** The endpoint and handler of a method and path. The handlers of a group are loaded on its first request. */
export const findRoute = createRouter(async (name) => (await handlers[name]()).handlers);
