import * as z from 'zod/mini';
import { dateTime, flags, lazy, text } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, type TextForm, webAddress } from './schema.ts';

export const slugForm: TextForm = {
  pattern: /^[a-z0-9]+(?:-[a-z0-9]+)*$/,
  message: 'must be lower-case letters, digits and single dashes between them',
};
const maxBody = 50 * 1024 * 1024;

export const OpenAPISpec = lazy(() =>
  z.object({
    object: z.literal('openapi-spec'),
    id: z.string(),
    createdAt: dateTime(),
    updatedAt: dateTime(),
    slug: z.string(),
    sourceURL: z.optional(z.string()),
    processingState: z.enum(['pending', 'progress', 'complete']),
    lastVersion: z.optional(z.string()),
    lastProcessedAt: z.optional(dateTime()),
    lastProcessErrorCode: z.optional(z.enum(['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR'])),
    permissions: flags('view', 'edit'),
    urls: z.object({ location: z.string(), app: z.string() }),
  }),
);

/** What the error codes of a specification mean. */
export const processErrors = {
  FETCH_TIMEOUT: 'fetching it from its address took longer than 10 s',
  FETCH_ERROR: 'it could not be fetched from its address, or is larger than 50 MiB',
  PARSE_ERROR: 'it is not an OpenAPI 3 or Swagger 2 document',
} as const;

export const OpenAPISpecVersion = lazy(() =>
  z.object({
    object: z.literal('openapi-spec-version'),
    id: z.string(),
    createdAt: dateTime(),
    url: z.string(),
    urls: z.object({ location: z.string() }),
  }),
);

const VersionContent = () => z.object({ filesystem: z.record(z.string(), z.unknown()), url: z.string() });

const source = () =>
  about(
    z.union([z.object({ url: webAddress(2048) }), z.object({ text: text({ min: 1 }) })]),
    'Description: {"url": ...} or {"text": ...}, OpenAPI 3 or Swagger 2 in JSON or YAML.',
  );

export const openapi = endpoints('openapi', {
  list: {
    route: 'GET /v1/orgs/{orgId}/openapi',
    summary: 'List the OpenAPI specifications of an organization.',
    access: 'organization.read',
    items: OpenAPISpec,
  },
  create: {
    route: 'POST /v1/orgs/{orgId}/openapi',
    summary: 'Create an OpenAPI specification from an address or text.',
    access: 'organization.createContent',
    maxBody,
    body: () =>
      z.object({
        slug: text(
          { min: 1, max: 100, form: slugForm },
          'Name in addresses: lower-case letters, digits and single dashes.',
        ),
        source: source(),
      }),
    response: OpenAPISpec,
    status: 201,
  },
  view: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}',
    summary: 'Show an OpenAPI specification and its processing state.',
    description: 'The header ETag names the state.',
    access: 'organization.read',
    response: OpenAPISpec,
  },
  put: {
    route: 'PUT /v1/orgs/{orgId}/openapi/{specSlug}',
    summary: 'Create or update an OpenAPI specification.',
    description: 'With an ETag in the header If-Match, a specification in another state is not changed (412).',
    access: 'organization.createContent',
    maxBody,
    repeatable: true,
    creates: 'specSlug',
    body: () => z.object({ source: source() }),
    response: OpenAPISpec,
  },
  delete: {
    route: 'DELETE /v1/orgs/{orgId}/openapi/{specSlug}',
    summary: 'Delete an OpenAPI specification and all its versions.',
    access: 'organization.createContent',
    status: 205,
  },
  versions: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}/versions',
    summary: 'List the versions of an OpenAPI specification.',
    access: 'organization.read',
    items: OpenAPISpecVersion,
  },
  latestVersion: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}/versions/latest',
    summary: 'Show the latest version of an OpenAPI specification.',
    access: 'organization.read',
    response: OpenAPISpecVersion,
  },
  version: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}/versions/{versionId}',
    summary: 'Show a version of an OpenAPI specification.',
    access: 'organization.read',
    response: OpenAPISpecVersion,
  },
  latestContent: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}/versions/latest/content',
    summary: 'Get the document of the latest version.',
    access: 'organization.read',
    response: VersionContent,
  },
  versionContent: {
    route: 'GET /v1/orgs/{orgId}/openapi/{specSlug}/versions/{versionId}/content',
    summary: 'Get the document of a version.',
    access: 'organization.read',
    response: VersionContent,
  },
});
