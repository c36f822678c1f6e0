import * as z from 'zod/mini';
import type { Endpoint } from '../../contract/endpoint.ts';
import { reasons, rules } from '../../contract/errors.ts';
import { groupNames, groups, loadGroup } from '../../contract/groups.ts';
import { isObject } from '../../shared/is-object.ts';
import { version } from '../../shared/version.ts';
import type { Instance } from '../engine/instance.ts';
import type { InstanceResponse } from '../engine/request.ts';

type Json = Record<string, unknown>;
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
  const components: Json = { Error: errorSchema };
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
      schemas: Object.fromEntries(Object.entries(components).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    },
  };
}

function operation(endpoint: Endpoint, components: Json): Json {
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

function queryParameters(endpoint: Endpoint, components: Json): Json[] {
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

/** A schema as JSON Schema. Objects of a named type, and recursive ones, are moved to the components. */
function schemaOf(schema: Schema, io: 'input' | 'output', components: Json): Json {
  // Inside another object, a recursive schema is referred to by name and not as the root.
  const { properties = {}, $defs: defs = {} } = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: 'any' });
  const names = new Map(Object.entries(defs).map(([key, def]) => [key, componentName(key, def)]));
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? `#/components/schemas/${names.get(member.slice(member.lastIndexOf('/') + 1))}`
        : rename(member),
    ]);
    return Object.fromEntries(entries);
  };
  for (const [key, name] of names) {
    if (!(name in components)) components[name] = lift(rename(defs[key]), components, io, name);
  }
  const lifted = lift(rename(properties.schema), components, io);
  return isObject(lifted) ? lifted : {};
}

/** The name of its type, else one made from its members, so that the same schema has the same name everywhere. */
function componentName(key: string, def: Json): string {
  const named = typeName(def);
  if (named !== undefined) return named;
  if (!key.startsWith('__')) return key;
  const properties = isObject(def.properties) ? Object.keys(def.properties) : [];
  const members = properties.join(' ') || JSON.stringify(def).replaceAll(/__schema\d+/g, '');
  let hash = 0;
  for (let i = 0; i < members.length; i++) hash = (Math.imul(hash, 31) + members.charCodeAt(i)) >>> 0;
  return `Recursive${hash.toString(36).toUpperCase()}`;
}

/** Moves objects of a named type to the components, and refers to them there. */
function lift(value: unknown, components: Json, io: 'input' | 'output', itself?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => lift(item, components, io));
  if (typeof value !== 'object' || value === null) return value;
  const lifted = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, lift(member, components, io)]));
  // An answer may have more members: clients let them pass through.
  if (io === 'output' && lifted.additionalProperties === false) delete lifted.additionalProperties;
  const name = typeName(lifted);
  if (name === undefined || name === itself) return lifted;
  const component = components[name];
  if (component !== undefined && JSON.stringify(component) !== JSON.stringify(lifted)) return lifted;
  components[name] = lifted;
  return { $ref: `#/components/schemas/${name}` };
}

/** `change-request` is `ChangeRequest`. */
function typeName(schema: Json): string | undefined {
  const object = isObject(schema.properties) ? schema.properties.object : undefined;
  if (!isObject(object) || typeof object.const !== 'string') return undefined;
  return object.const
    .split(/[-_]/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
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
