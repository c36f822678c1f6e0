import * as z from 'zod/mini';
import { lazy, position, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, list, reference } from './schema.ts';
import { icon, SiteSection } from './site-sections.ts';

export const SiteSectionGroup = lazy(() =>
  z.object({
    object: z.literal('site-section-group'),
    id: z.string(),
    title: z.string(),
    sections: z.array(SiteSection()),
    icon: z.optional(z.string()),
  }),
);

const title = () => text({ min: 1, max: 100 }, 'Title, 1 to 100 characters.');
const Pointer = () => z.object({ type: z.enum(['site-section', 'site-section-group']), id: z.string() });

export const sectionGroups = endpoints('sectionGroups', {
  list: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/section-groups',
    summary: 'List the section groups of a site.',
    access: 'member',
    items: SiteSectionGroup,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/section-groups',
    summary: 'Create a section group.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        title: title(),
        icon: z.optional(icon()),
        sections: z.optional(about(list(reference('siteSectionId')), 'Sections of the group, in this order.')),
      }),
    response: SiteSectionGroup,
    status: 201,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Edit the title or icon of a section group.',
    access: 'organization.createContent',
    body: () => z.object({ title: z.optional(title()), icon: z.optional(icon()) }),
    response: SiteSectionGroup,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}/section-groups/{siteSectionGroupId}',
    summary: 'Delete a section group; its sections stay outside groups.',
    access: 'organization.createContent',
    status: 205,
  },
  add: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections',
    summary: 'Add a section to a section group, taking it out of its current group.',
    access: 'organization.createContent',
    body: () => z.object({ sectionId: reference('siteSectionId', 'Section to add.') }),
    response: SiteSectionGroup,
    status: 201,
  },
  remove: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}',
    summary: 'Remove a section from its group; it stays in the site.',
    access: 'organization.createContent',
    status: 205,
  },
  move: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/section-groups/{siteSectionGroupId}/move',
    summary: 'Move a section group with its sections.',
    access: 'organization.createContent',
    body: () => z.object({ position: z.optional(position(Pointer)) }),
    response: SiteSectionGroup,
  },
});
