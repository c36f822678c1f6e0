import { globalRegistry as registry } from 'zod/mini';
import type * as z from 'zod/mini';
import { definitionOf } from './definition.ts';
import type { Endpoint } from './endpoint.ts';
import { type Referenced, referencedBy } from './schema.ts';

/** A value that a schema describes, as flags, prompts and query parameters need it. */
export interface Field {
  kind: 'string' | 'number' | 'boolean' | 'enum' | 'array' | 'object' | 'union' | 'record' | 'unknown';
  optional: boolean;
  nullable: boolean;
  description?: string;
  /** Allowed values of an enumeration. */
  values?: string[];
  /** The items of an array. */
  item?: Field;
  /** Members of an object. */
  members?: Record<string, Field>;
  /** The alternatives of a union. */
  branches?: Field[];
  default?: unknown;
  /** The object whose id this is, or whose ids the keys of a record are. */
  object?: Referenced;
}

/** Reads a schema's shape. Objects below `depth` levels become unknown, which ends recursive schemas. */
export function fieldOf(schema: z.core.$ZodType, depth = 4): Field {
  const field: Field = { kind: 'unknown', optional: false, nullable: false };
  let current = schema;
  for (;;) {
    const description = registry.get(current)?.description;
    if (description !== undefined && field.description === undefined) field.description = description;
    const def = definitionOf(current);
    switch (def.type) {
      case 'optional':
        field.optional = true;
        current = def.innerType;
        break;
      case 'nullable':
        field.nullable = true;
        current = def.innerType;
        break;
      case 'default':
        field.optional = true;
        field.default = def.defaultValue;
        current = def.innerType;
        break;
      case 'lazy':
        current = def.getter();
        break;
      default:
        return Object.assign(field, kindOf(def, depth), objectIn(current));
    }
  }
}

/** The query parameters and the body of an endpoint. */
export interface FieldSet {
  query: Record<string, Field>;
  body?: Field;
}

const fieldSets = new Map<string, FieldSet>();

/** Read from the schemas once. */
export function fieldsOf({ name, query, body }: Pick<Endpoint, 'name' | 'query' | 'body'>): FieldSet {
  let fields = fieldSets.get(name);
  if (!fields) {
    fields = { query: fieldOf(query()).members ?? {}, ...(body ? { body: fieldOf(body()) } : {}) };
    fieldSets.set(name, fields);
  }
  return fields;
}

function objectIn(schema: z.core.$ZodType): Pick<Field, 'object'> {
  const object = referencedBy(schema);
  return object === undefined ? {} : { object };
}

function kindOf(def: ReturnType<typeof definitionOf>, depth: number): Partial<Field> {
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: def.type };
    case 'enum':
      return { kind: 'enum', values: Object.values(def.entries).map(String) };
    case 'literal':
      return { kind: 'enum', values: def.values.map(String) };
    case 'array':
      return { kind: 'array', item: fieldOf(def.element, depth - 1) };
    case 'object':
      if (depth <= 0) return { kind: 'unknown' };
      return {
        kind: 'object',
        members: Object.fromEntries(
          Object.entries(def.shape).map(([name, member]) => [name, fieldOf(member, depth - 1)]),
        ),
      };
    case 'union':
      if (depth <= 0) return { kind: 'unknown' };
      return { kind: 'union', branches: def.options.map((branch) => fieldOf(branch, depth - 1)) };
    case 'record':
      return { kind: 'record', ...objectIn(def.keyType) };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * The one codec from text to values, for query parameters and flags alike. A text that is not of the field's kind stays
 * text, so that validation can report it.
 */
export function decodeText(field: Field, text: string): unknown {
  if (field.kind === 'number') return /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  if (field.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Values of query parameters by their fields: an array repeats its key, of anything else the last one counts. */
export function decodeQuery(fields: Record<string, Field>, query: Record<string, string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const texts = Object.hasOwn(query, name) ? (query[name] ?? []) : [];
    const last = texts.at(-1);
    if (last === undefined) continue;
    const { item } = field;
    values[name] = item ? texts.map((text) => decodeText(item, text)) : decodeText(field, last);
  }
  return values;
}

/** The other direction: query parameters from values. */
export function encodeQuery(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
