import * as z from 'zod/mini';
import { lazy, position, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, addressPath, reference } from './schema.ts';
import { shareKey, Space } from './spaces.ts';

export const SiteSpace = lazy(() =>
  z.object({
    object: z.literal('site-space'),
    id: z.string(),
    path: z.string(),
    section: z.optional(z.string()),
    space: Space(),
    title: z.string(),
    default: z.optional(z.boolean()),
    condition: z.optional(z.string()),
    hasAdvancedCustomizationFeature: z.optional(z.boolean()),
    urls: z.object({ published: z.optional(z.string()) }),
  }),
);

export const path = () =>
  text({ min: 1, max: 100, form: addressPath }, 'Last part of the published address, 1 to 100 characters.');
export const condition = () =>
  z
    .nullable(text({ min: 1, max: 1024 }))
    .check(z.describe('Expression that decides which visitors see it; null for everyone.'));

const SiteSpacePointer = () => z.object({ type: z.literal('site-space'), siteSpace: reference('siteSpaceId') });

export const siteSpaces = endpoints('siteSpaces', {
  list: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/site-spaces',
    summary: 'List the spaces of a site.',
    access: 'member',
    query: () => ({
      shareKey: shareKey(),
      default: z.optional(about(z.boolean(), 'Only default site spaces (true) or only others (false); default: all.')),
    }),
    items: SiteSpace,
  },
  add: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/site-spaces',
    summary: 'Add a space to a site.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        spaceId: reference('spaceId', 'Space to add.'),
        sectionId: z.optional(
          reference('siteSectionId', 'Section to add it to (default: the default section, if there are sections).'),
        ),
      }),
    response: SiteSpace,
    status: 201,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Edit the path or condition of a space in a site.',
    access: 'organization.createContent',
    body: () => z.object({ path: z.optional(path()), condition: z.optional(condition()) }),
    response: SiteSpace,
  },
  remove: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}/site-spaces/{siteSpaceId}',
    summary: 'Remove a space from a site; the space itself stays.',
    access: 'organization.createContent',
    status: 205,
  },
  move: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/site-spaces/{siteSpaceId}/move',
    summary: 'Move a space within its section of a site.',
    access: 'organization.createContent',
    body: () => z.object({ position: z.optional(position(SiteSpacePointer)) }),
    response: SiteSpace,
  },
});
