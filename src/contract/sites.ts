import * as z from 'zod/mini';
import { dateTime, lazy, position, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, addressPart, list, reference, type TextForm } from './schema.ts';
import { SiteSectionGroup } from './section-groups.ts';
import { Customization } from './site-customization.ts';
import { SiteSection } from './site-sections.ts';
import { SiteSpace } from './site-spaces.ts';
import { shareKey } from './spaces.ts';
import { knownWords } from '../shared/words.ts';

export const siteTypes = ['basic', 'premium', 'ultimate', 'sponsored', 'legacy-basic', 'legacy-premium'] as const;
/** From most to least open. */
export const siteVisibilities = ['public', 'unlisted', 'share-link', 'visitor-auth'] as const;
/** A host with a path prefix. */
export const proxyForm: TextForm = {
  pattern: /^([\w-]+\.)*[\w-]+\.[a-zA-Z]{2,}(\/[\w-]+)+$/,
  message: 'must be a host and a path without https://, such as example.com/docs',
};

/** The features a site may have, without their common prefix, by the plan they belong to. */
export const siteFeatures = {
  basic: knownWords(
    'ads api-playground basic-customization custom-domain full-text-search no-custom-domain page-feedback page-traffic-insights preview-deployments public-visibility seo share-links unlisted-visibility user-contribution',
  ),
  premium: knownWords(
    'advanced-customization advanced-insights ai-search custom-fonts custom-subdirectory multivariant-site pdf-export redirects search-insights',
  ),
  ultimate: ['adaptive-content', 'ai-assistant', 'sections', 'visitor-authentication', 'visitors'],
} as const;
/** Lowest first. */
export const sitePlans = ['basic', 'premium', 'ultimate'] as const;
type Plan = (typeof sitePlans)[number];
export type SiteFeature = `sites-${(typeof siteFeatures)[Plan][number]}`;
const features = Object.values(siteFeatures)
  .flat()
  .map((name): SiteFeature => `sites-${name}`);

const Ads = () =>
  z.discriminatedUnion('status', [
    z.object({ status: z.literal('pending'), submittable: z.boolean() }),
    z.object({ status: z.literal('in-review'), topic: z.enum(['webdev', 'crypto']) }),
    z.object({ status: z.literal('rejected'), reason: z.optional(z.string()) }),
    z.object({ status: z.enum(['live', 'disabled']), topic: z.enum(['webdev', 'crypto']), zoneId: z.string() }),
  ]);

export const Site = lazy(() =>
  z.object({
    object: z.literal('site'),
    id: z.string(),
    type: z.enum(siteTypes),
    title: z.string(),
    hostname: z.optional(z.string()),
    basename: z.optional(z.string()),
    proxy: z.optional(z.object({ origin: z.string(), target: z.string() })),
    visibility: z.enum(siteVisibilities),
    published: z.boolean(),
    siteSpaces: z.number(),
    createdAt: dateTime(),
    adaptiveContent: z.optional(z.object({ enabled: z.boolean() })),
    ads: z.optional(Ads()),
    features: z.array(z.object({ id: z.enum(features), plan: z.enum(siteTypes), frozen: z.boolean() })),
    urls: z.object({ location: z.string(), app: z.string(), published: z.optional(z.string()) }),
  }),
);

const inSections = () => z.object({ type: z.literal('sections'), structure: z.array(SiteSection()) });
const inSiteSpaces = () => z.object({ type: z.literal('siteSpaces'), structure: z.array(SiteSpace()) });

export const PublishedSite = lazy(() =>
  z.object({
    object: z.literal('published-content-site'),
    site: Site(),
    structure: z.discriminatedUnion('type', [inSections(), inSiteSpaces()]),
    customizations: z.object({ site: Customization(), siteSpaces: z.record(z.string(), Customization()) }),
    scripts: z.array(
      z.object({ script: z.string(), contentSecurityPolicy: z.optional(z.string()), cookies: z.boolean() }),
    ),
  }),
);

const Structure = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('sections'), structure: z.array(z.union([SiteSection(), SiteSectionGroup()])) }),
    inSiteSpaces(),
  ]),
);

const Pointer = () => z.object({ type: z.enum(['site-space', 'site-section', 'site-section-group']), id: z.string() });

const title = () => text({ min: 2, max: 128 }, 'Title, 2 to 128 characters.');
const visibility = () =>
  about(
    z.enum(siteVisibilities),
    'Who can read the published site: everyone, with or without search engines; people with a share link; people who sign in.',
  );

export const sites = endpoints('sites', {
  list: {
    route: 'GET /v1/orgs/{orgId}/sites',
    summary: 'List the docs sites of an organization.',
    access: 'member',
    query: () => ({
      space: z.optional(reference('spaceId', 'Only sites that contain this space.')),
      title: z.optional(text({ max: 512 }, 'Only sites whose title contains this.')),
      published: z.optional(about(z.boolean(), 'Only published or only unpublished sites.')),
      type: z.optional(about(z.array(z.enum(siteTypes)), 'Only sites of these types.')),
    }),
    items: Site,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/sites',
    summary: 'Create a docs site.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        type: z._default(about(z.enum(siteTypes), 'Type of the site.'), 'basic'),
        title: z.optional(title()),
        visibility: z.optional(visibility()),
        spaces: z.optional(
          about(
            z.union([list(reference('spaceId'), 100), z.enum(['empty', 'sample'])]),
            'Spaces to show, starting with the default one; or "empty" or "sample" for a new space.',
          ),
        ),
      }),
    response: Site,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}',
    summary: 'Show a docs site.',
    access: 'member',
    query: () => ({ shareKey: shareKey() }),
    response: Site,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}',
    summary: 'Edit a docs site.',
    access: 'organization.createContent',
    body: () =>
      z.object({
        title: z.optional(title()),
        visibility: z.optional(visibility()),
        basename: z.optional(
          text({ min: 1, max: 100, form: addressPart }, 'Name in the published address, 1 to 100 characters.'),
        ),
        adaptiveContent: z.optional(
          z.object({ enabled: about(z.boolean(), 'Whether content adapts to the visitor.') }),
        ),
        defaultSiteSpace: z.optional(
          reference('siteSpaceId', 'Site space to show first: in the default section, if the site has sections.'),
        ),
        defaultSiteSection: z.optional(reference('siteSectionId', 'Section to show first.')),
        proxy: z.optional(
          z
            .nullable(text({ max: 512, form: proxyForm }))
            .check(z.describe('Address where a proxy serves the site, such as example.com/docs; null for none.')),
        ),
      }),
    response: Site,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/sites/{siteId}',
    summary: 'Delete a docs site; its spaces stay.',
    access: 'organization.createContent',
    status: 205,
  },
  publish: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/publish',
    summary: 'Publish a docs site.',
    access: 'organization.createContent',
    response: Site,
  },
  unpublish: {
    route: 'POST /v1/orgs/{orgId}/sites/{siteId}/unpublish',
    summary: 'Unpublish a docs site.',
    access: 'organization.createContent',
    response: Site,
  },
  published: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/published',
    summary: 'Show a published docs site: settings, structure and customization.',
    access: 'member',
    query: () => ({ shareKey: shareKey() }),
    response: PublishedSite,
  },
  structure: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/structure',
    summary: 'Show the structure of a docs site: section groups, sections and site spaces.',
    access: 'member',
    query: () => ({ shareKey: shareKey() }),
    response: Structure,
  },
  sort: {
    route: 'PATCH /v1/orgs/{orgId}/sites/{siteId}/structure/sort',
    summary: 'Move a section group, section or site space of a docs site.',
    access: 'organization.createContent',
    body: () => z.object({ item: about(Pointer(), 'What to move.'), position: position(Pointer) }),
    response: () => z.union([SiteSpace(), SiteSection(), SiteSectionGroup()]),
  },
});
