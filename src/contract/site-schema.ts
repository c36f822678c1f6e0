import * as z from 'zod/mini';
import { dateTime, lazy } from './common.ts';
import { endpoints } from './endpoint.ts';
import { about, list, record } from './schema.ts';

const draft07 = 'http://json-schema.org/draft-07/schema#';

const described = { description: z.string() };
const text = { type: z.literal('string'), enum: z.optional(list(z.string())) };
const flag = { type: z.literal('boolean') };
const number = { type: z.literal('number') };

const Item = lazy(() => {
  const about = { description: z.optional(z.string()) };
  return z.discriminatedUnion('type', [
    z.object({ ...flag, ...about }),
    z.object({ ...text, ...about }),
    z.object({ ...number, ...about }),
  ]);
});

export const Attribute: () => z.ZodMiniType<Record<string, unknown>> = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ ...flag, ...described }),
    z.object({ ...text, ...described }),
    z.object({ ...number, ...described }),
    z.object({ type: z.literal('array'), items: Item(), ...described }),
    Attributes(),
  ]),
);

const Attributes = () =>
  z.object({
    type: z.literal('object'),
    ...described,
    properties: record(
      z.string(),
      z.lazy(() => Attribute()),
    ),
    additionalProperties: z.literal(false),
  });

/** The part of JSON Schema that describes what a site may know of a visitor. */
const JsonSchema = lazy(() =>
  z.object({
    $schema: z.optional(z.literal(draft07)),
    type: z.literal('object'),
    properties: record(
      z.string(),
      z.lazy(() => Attribute()),
    ).check(
      z.refine((properties) => properties.unsigned === undefined || properties.unsigned.type === 'object', {
        path: ['unsigned', 'type'],
        message: 'must be object: it holds the claims without a signature',
        params: { rule: 'enum' },
      }),
    ),
    additionalProperties: z.literal(false),
  }),
);

export const SiteAdaptiveSchema = lazy(() =>
  z.object({ object: z.literal('site-adaptive-schema'), jsonSchema: JsonSchema(), updatedAt: dateTime() }),
);

export const siteSchema = endpoints('siteSchema', {
  view: {
    route: 'GET /v1/orgs/{orgId}/sites/{siteId}/adaptive-schema',
    summary: 'Show the schema of the visitor attributes for adaptive content.',
    access: 'member',
    response: SiteAdaptiveSchema,
  },
  set: {
    route: 'PUT /v1/orgs/{orgId}/sites/{siteId}/adaptive-schema',
    summary: 'Set the schema of the visitor attributes for adaptive content.',
    access: 'organization.createContent',
    repeatable: true,
    body: () =>
      z.object({
        jsonSchema: about(
          JsonSchema(),
          'JSON Schema (draft 7) of type object: booleans, strings, numbers, arrays of these and objects, each with a description.',
        ),
      }),
    response: SiteAdaptiveSchema,
  },
});
