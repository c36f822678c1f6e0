import * as z from 'zod/mini';
import { dateTime, lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about } from './schema.ts';

export const ShareLink = lazy(() =>
  z.object({
    object: z.literal('share-link'),
    id: z.string(),
    createdAt: dateTime(),
    name: z.string(),
    active: z.boolean(),
    urls: z.object({ published: z.string() }),
  }),
);

const name = () => text({ max: 50 }, 'Name, at most 50 characters, for example of the recipient.');

export const shareLinks = endpoints('shareLinks', {
  list: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/share-links',
    summary: 'List the share links of a site.',
    description: 'The key of a link, as used with --share-key, is the last part of its address.',
    access: 'member',
    items: ShareLink,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/share-links',
    summary: 'Create a share link.',
    access: 'organization.createContent',
    body: () => z.object({ name: name() }),
    response: ShareLink,
    status: 201,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}/share-links/{shareLinkId}',
    summary: 'Rename, activate or deactivate a share link.',
    access: 'organization.createContent',
    body: () =>
      z.object({ name: z.optional(name()), active: z.optional(about(z.boolean(), 'Whether the link is active.')) }),
    response: ShareLink,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}/share-links/{shareLinkId}',
    summary: 'Delete a share link; its address stops working.',
    access: 'organization.createContent',
    status: 205,
  },
});
