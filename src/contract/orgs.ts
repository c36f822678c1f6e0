import * as z from 'zod/mini';
import { dateTime, flags, lazy, RoleOrGuest, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, emailDomain, reference, webAddress } from './schema.ts';
import { knownWords } from '../shared/words.ts';

export const useCases = knownWords(
  'internalDocs docsSite audienceControlledSite productDocs teamKnowledgeBase designSystem openSourceDocs notes other',
);
export const plans = knownWords('free_2024 plus_2024 pro_2024 enterprise_2024 community_2024 free plus pro');

const hostnameForm = {
  pattern: /^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$/,
  message: 'must be lower-case letters, digits and dashes, with a letter or digit first and last',
};

/** A label of a public address: the rule of subdomains. */
export const hostname = (description?: string) => text({ min: 3, max: 32, form: hostnameForm }, description);

const title = () => text({ min: 2, max: 255 }, 'Name of the organization, 2 to 255 characters.');
const emailDomains = () =>
  z.array(emailDomain()).check(z.maxLength(100), z.describe('Email domains of the organization.'));

export const Organization = lazy(() =>
  z.object({
    object: z.literal('organization'),
    id: z.string(),
    title: z.string(),
    createdAt: dateTime(),
    emailDomains: z.array(z.string()),
    hostname: z.optional(z.string()),
    type: z.enum(['business', 'community']),
    useCase: z.optional(z.enum(useCases)),
    communityType: z.optional(z.enum(['nonProfit', 'openSource', 'education'])),
    defaultRole: z.optional(RoleOrGuest()),
    defaultContent: z.optional(z.object({ type: z.literal('site'), site: z.string() })),
    sso: z.optional(z.boolean()),
    ai: z.optional(z.boolean()),
    inviteLinks: z.boolean(),
    plan: z.enum(plans),
    billing: z.optional(
      z.object({
        interval: z.enum(['monthly', 'yearly']),
        endDate: dateTime(),
        hasPaymentFailed: z.boolean(),
        isScheduledToCancel: z.boolean(),
      }),
    ),
    urls: z.object({ location: z.string(), app: z.string(), logo: z.optional(z.string()) }),
    trial: z.object({
      status: z.enum(['notapplicable', 'none', 'active', 'ended', 'expired']),
      endDate: z.optional(dateTime()),
      decision: z.optional(z.literal('downgrade')),
    }),
    customHostname: z.optional(z.string()),
    blocked: z.optional(z.object({ reason: z.literal('security') })),
    internal_isOnNewTrial: z.optional(z.literal(true)),
    internal_billingMigration: z.optional(
      z.object({ deadline: dateTime(), discountPercent: z.number(), discountEndDate: dateTime() }),
    ),
    permissions: flags(
      ...knownWords(
        'view admin ownTeam createContent createOpenAPISpec viewBilling listMembers listTeams listIntegrations',
      ),
    ),
  }),
);

export const orgs = endpoints('orgs', {
  list: {
    route: 'GET /v1/orgs',
    summary: 'List the organizations that you belong to.',
    access: 'token',
    items: Organization,
  },
  create: {
    route: 'POST /v1/orgs',
    summary: 'Create an organization and become its administrator.',
    access: 'token',
    body: () =>
      z.object({
        title: title(),
        emailDomains: z.optional(emailDomains()),
        type: z.optional(about(z.enum(['business', 'community']), 'Kind of organization.')),
        useCase: z.optional(about(z.enum(useCases), 'Purpose of the organization.')),
      }),
    response: Organization,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}',
    summary: 'Show an organization.',
    access: 'member',
    response: Organization,
  },
  edit: {
    route: 'PATCH /v1/orgs/{orgId}',
    summary: 'Edit an organization.',
    access: 'organization.admin',
    body: () =>
      z.object({
        title: z.optional(title()),
        emailDomains: z.optional(emailDomains()),
        hostname: z.optional(hostname('Label of its public address, 3 to 32 characters.')),
        defaultRole: z.optional(about(RoleOrGuest(), 'Role of new members; null for guests.')),
        defaultContent: z.optional(
          about(
            z.nullable(
              z.object({ type: z.literal('site'), site: reference('siteId', 'Site that visitors see first.') }),
            ),
            'What visitors see first.',
          ),
        ),
        logo: z.optional(about(z.nullable(webAddress(2048)), 'Address of the logo.')),
        sso: z.optional(about(z.boolean(), 'Whether everybody must sign in through SSO.')),
        ai: z.optional(about(z.boolean(), 'Whether AI features are on.')),
        inviteLinks: z.optional(about(z.boolean(), 'Whether invite links work.')),
      }),
    response: Organization,
  },
  byDomain: {
    route: 'GET /v1/email-domains/{emailDomain}/orgs',
    summary: 'List the organizations of an email domain.',
    access: 'token',
    response: () => z.object({ organizations: z.array(Organization()) }),
  },
  ping: {
    route: 'POST /v1/orgs/{orgId}/ping',
    summary: 'Update your last-seen time in an organization.',
    access: 'member',
    response: () => z.object({ serviceVisitorClaims: z.optional(z.string()) }),
  },
});
