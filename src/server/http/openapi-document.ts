import type * as z from 'zod/mini';
import type { Endpoint } from '../../contract/endpoint.ts';
import { reasons, rules } from '../../contract/errors.ts';
import { groupNames, groups, loadGroup } from '../../contract/groups.ts';
import { type Components, type Json, schemaOf } from '../../contract/json-schema.ts';
import { version } from '../../shared/version.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceResponse } from '../engine/request.ts';

type Schema = z.core.$ZodType;

interface ServiceInfo {
  version: string;
  /** Address of the service. */
  base: string;
}

/** Every endpoint of the contract, in the order of the groups. */
export async function allEndpoints(): Promise<Endpoint[]> {
  const loaded = await Promise.all(groupNames.map(loadGroup));
  return loaded.flatMap((group) => Object.values(group));
}

let document: string | undefined;

/** The instance's own OpenAPI document, made from the contract on its first request. */
export async function describe(instance: Instance): Promise<InstanceResponse> {
  document ??= JSON.stringify(await describeService({ version, base: instance.base }));
  return { status: 200, headers: { 'content-type': 'application/json; charset=utf-8' }, body: document };
}

/** The OpenAPI 3.1 document of the whole contract. Objects that name their type are in its components. */
export async function describeService({ version, base }: ServiceInfo): Promise<Json> {
  const endpoints = await allEndpoints();
  const components: Components = { address: '#/components/schemas/', schemas: { Error: errorSchema } };
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = operation(endpoint, components);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Documentation Platform Management API',
      version,
      description:
        'Organizations, members, teams, spaces, docs sites, change requests, content and OpenAPI specifications.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    security: [{ token: [] }],
    tags: groupNames.map((name) => ({ name, description: groups[name].about })),
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(Object.entries(components.schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operation(endpoint: Endpoint, components: Components): Json {
  const { name, group, summary, description, access, status = 200 } = endpoint;
  const content = (schema: Schema, io: 'input' | 'output') => ({
    'application/json': { schema: schemaOf(schema, io, components) },
  });
  return {
    operationId: name,
    tags: [group],
    summary,
    ...(description === undefined ? {} : { description }),
    'x-access': access,
    ...(access === 'none' ? { security: [] } : {}),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, components)],
    ...(endpoint.body ? { requestBody: { content: content(endpoint.body(), 'input') } } : {}),
    responses: {
      [status]: {
        description: status === 204 || status === 205 ? 'Done.' : 'The answer.',
        ...(endpoint.answer ? { content: content(endpoint.answer(), 'output') } : {}),
      },
      ...Object.fromEntries(refusals(endpoint).map(([code, text]) => [code, { description: text, ...errorContent }])),
      default: { description: 'The request was refused or failed for another reason.', ...errorContent },
    },
  };
}

const errorContent = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } };

/** The refusals that follow from what an endpoint takes and needs. */
function refusals({ path, body, access }: Endpoint): [status: number, text: string][] {
  const all: [status: number, text: string][] = [[400, 'A parameter or the body is not valid.']];
  if (access !== 'none') all.push([401, 'No token was sent, or it is not valid.']);
  if (access !== 'none' && access !== 'token') all.push([403, 'The caller may not do this.']);
  if (path.includes('{')) all.push([404, 'Nothing has this id, or the caller may not see it.']);
  if (body) all.push([413, 'The body is too large.'], [415, 'The body is not JSON.']);
  return all;
}

const pathParameters = ({ path }: Endpoint): Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));

function queryParameters(endpoint: Endpoint, components: Components): Json[] {
  return Object.entries(endpoint.query()._zod.def.shape).map(([name, schema]) => {
    const { description, ...rest } = schemaOf(schema, 'input', components);
    return {
      name,
      in: 'query',
      ...(description === undefined ? {} : { description }),
      ...(schema._zod.optin === 'optional' ? {} : { required: true }),
      schema: rest,
    };
  });
}

const errorSchema: Json = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status.' },
        message: { type: 'string' },
        reason: { type: 'string', enum: Object.keys(reasons) },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['in', 'path', 'rule', 'message'],
            properties: {
              in: { type: 'string', enum: ['body', 'query', 'path', 'header'] },
              path: { type: 'string' },
              rule: { type: 'string', enum: rules },
              message: { type: 'string' },
            },
          },
        },
        requestId: { type: 'string' },
      },
    },
  },
};
