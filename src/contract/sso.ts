import * as z from 'zod/mini';
import { dateTime, lazy, RoleOrGuest, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { Team } from './members.ts';
import { about, reference, webAddress } from './schema.ts';

export const SamlProvider = lazy(() =>
  z.object({
    object: z.literal('saml-provider'),
    id: z.string(),
    label: z.string(),
    ssoURL: z.string(),
    entityID: z.string(),
    certificate: z.string(),
    defaultTeam: z.optional(Team()),
    defaultRole: RoleOrGuest(),
    createdAt: dateTime(),
    service: z.object({ acsURL: z.string(), startURL: z.string(), entityID: z.string() }),
    urls: z.object({ location: z.string() }),
  }),
);

const label = () => text({ min: 1, max: 30 }, 'Name on the sign-in button, 1 to 30 characters.');

// Empty as in a provider that has none yet, so that one can be sent back as it was read.
const settings = () => ({
  entityID: z.optional(text({ max: 1024 }, 'Entity ID of the identity provider.')),
  certificate: z.optional(
    text({ max: 10_000 }, 'Signing certificate of the identity provider: X.509, as PEM or bare Base64.'),
  ),
  ssoURL: z.optional(webAddress(2048, "Address of the identity provider's sign-in page.", { empty: true })),
  defaultTeam: z.optional(reference('teamId', 'Team that people join when they first sign in.')),
  defaultRole: z.optional(about(RoleOrGuest(), 'Role that people get when they first sign in; null for guests.')),
});

export const sso = endpoints('sso', {
  listProviders: {
    route: 'GET /v1/orgs/{orgId}/saml',
    summary: 'List the SAML providers of an organization.',
    access: 'organization.admin',
    items: SamlProvider,
  },
  createProvider: {
    route: 'POST /v1/orgs/{orgId}/saml',
    summary: 'Create a SAML provider.',
    access: 'organization.admin',
    body: () => z.object({ label: label(), ...settings() }),
    response: SamlProvider,
    status: 201,
  },
  viewProvider: {
    route: 'GET /v1/orgs/{orgId}/saml/{samlProviderId}',
    summary: 'Show a SAML provider.',
    access: 'organization.admin',
    response: SamlProvider,
  },
  editProvider: {
    route: 'PATCH /v1/orgs/{orgId}/saml/{samlProviderId}',
    summary: 'Edit a SAML provider.',
    access: 'organization.admin',
    body: () => z.object({ label: z.optional(label()), ...settings() }),
    response: SamlProvider,
  },
  deleteProvider: {
    route: 'DELETE /v1/orgs/{orgId}/saml/{samlProviderId}',
    summary: 'Delete a SAML provider.',
    access: 'organization.admin',
    status: 204,
  },
  logins: {
    route: 'GET /v1/orgs/{orgId}/sso',
    summary: 'List the ways to sign in to an organization through SSO.',
    access: 'token',
    response: () => z.object({ items: z.array(z.object({ id: z.string(), label: z.string(), startURL: z.string() })) }),
  },
});
