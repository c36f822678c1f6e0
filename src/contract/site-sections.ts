import * as z from 'zod/mini';
import { lazy, position, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { reference } from './schema.ts';
import { condition, path, SiteSpace } from './site-spaces.ts';
import { shareKey } from './spaces.ts';

export const SiteSection = lazy(() =>
  z.object({
    object: z.literal('site-section'),
    id: z.string(),
    title: z.string(),
    description: z.optional(z.string()),
    default: z.optional(z.boolean()),
    path: z.string(),
    condition: z.optional(z.string()),
    sectionGroup: z.optional(z.string()),
    siteSpaces: z.array(SiteSpace()),
    urls: z.object({ published: z.optional(z.string()) }),
    icon: z.optional(z.string()),
  }),
);

export const icon = () => z.nullable(text({ max: 50 })).check(z.describe('Name of an icon; null for none.'));

const SectionPointer = () => z.object({ type: z.literal('site-section'), siteSection: reference('siteSectionId') });

export const siteSections = endpoints('siteSections', {
  list: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/sections',
    summary: 'List the sections of a site.',
    access: 'member',
    query: () => ({ shareKey: shareKey() }),
    items: SiteSection,
  },
  add: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/sections',
    summary: 'Add a section with a space to a site.',
    description:
      'The first section also creates a second one: spaces outside sections move into it, and it becomes the default section.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        spaceId: reference('spaceId', 'Space to show in the section.'),
        title: z.optional(
          z
            .nullable(text({ min: 2, max: 64 }))
            .check(z.describe('Title, 2 to 64 characters (default: the title of the space).')),
        ),
        icon: z.optional(icon()),
      }),
    response: SiteSection,
    status: 201,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Edit a section of a site.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        title: z.optional(text({ min: 2, max: 128 }, 'Title, 2 to 128 characters.')),
        path: z.optional(path()),
        defaultSiteSpace: z.optional(reference('siteSpaceId', 'Site space to show first in this section.')),
        condition: z.optional(condition()),
        icon: z.optional(icon()),
        description: z.optional(
          z.nullable(text({ max: 256 })).check(z.describe('Description, at most 256 characters; null for none.')),
        ),
      }),
    response: SiteSection,
  },
  remove: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}/sections/{siteSectionId}',
    summary: 'Remove a section and its site spaces from a site; the spaces stay.',
    access: 'organization.createContent',
    status: 205,
  },
  move: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/sections/{siteSectionId}/move',
    summary: 'Move a section of a site.',
    access: 'organization.createContent',
    body: () => z.object({ position: z.optional(position(SectionPointer)) }),
    response: SiteSection,
  },
});
