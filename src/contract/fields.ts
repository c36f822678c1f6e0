import { globalRegistry as registry } from 'zod/mini';
import type * as z from 'zod/mini';
import type { Endpoint } from './endpoint.ts';

/** What a schema asks for, as flags, prompts and query parameters need to know it. */
export interface Field {
  kind: 'string' | 'number' | 'boolean' | 'enum' | 'array' | 'object' | 'union' | 'record' | 'unknown';
  optional: boolean;
  nullable: boolean;
  description?: string;
  /** Allowed words of an enumeration. */
  values?: string[];
  /** What an array holds. */
  item?: Field;
  /** Members of an object. */
  members?: Record<string, Field>;
  /** The shapes a union allows. */
  branches?: Field[];
  default?: unknown;
}

interface Def {
  type: string;
  innerType?: z.core.$ZodType;
  element?: z.core.$ZodType;
  shape?: Record<string, z.core.$ZodType>;
  options?: z.core.$ZodType[];
  entries?: Record<string, string>;
  values?: unknown[];
  defaultValue?: unknown;
  getter?: () => z.core.$ZodType;
}

/** Reads a schema's shape. Objects below `depth` levels are told as unknown, which ends recursive schemas. */
export function fieldOf(schema: z.core.$ZodType, depth = 4): Field {
  const field: Field = { kind: 'unknown', optional: false, nullable: false };
  let current = schema;
  for (;;) {
    const description = described(current);
    if (description !== undefined && field.description === undefined) field.description = description;
    const def = current._zod.def as unknown as Def;
    if (def.type === 'optional') field.optional = true;
    else if (def.type === 'nullable') field.nullable = true;
    else if (def.type === 'default') {
      field.optional = true;
      field.default = def.defaultValue;
    } else if (def.type === 'lazy') {
      current = def.getter!();
      continue;
    } else return Object.assign(field, kindOf(def, depth));
    current = def.innerType!;
  }
}

/** What an endpoint's query parameters and body ask for. */
export interface Asked {
  query: Record<string, Field>;
  body?: Field;
}

const askedBy = new Map<string, Asked>();

/** What a build read off the schemas beforehand, by the endpoints' names: then a command needs none of them. */
export function foresee(asked: Record<string, Asked>): void {
  for (const [name, fields] of Object.entries(asked)) askedBy.set(name, fields);
}

/** Read off the schemas once. */
export function askedOf({ name, query, body }: Pick<Endpoint, 'name' | 'query' | 'body'>): Asked {
  let asked = askedBy.get(name);
  if (!asked)
    askedBy.set(name, (asked = { query: fieldOf(query()).members!, ...(body ? { body: fieldOf(body()) } : {}) }));
  return asked;
}

const metadata = (schema: z.core.$ZodType) => registry.get(schema) as { description?: string } | undefined;
const described = (schema: z.core.$ZodType) => metadata(schema)?.description;

function kindOf(def: Def, depth: number): Partial<Field> {
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return { kind: def.type };
    case 'int':
      return { kind: 'number' };
    case 'enum':
      return { kind: 'enum', values: Object.values(def.entries!) };
    case 'literal':
      return { kind: 'enum', values: def.values!.map(String) };
    case 'array':
      return { kind: 'array', item: fieldOf(def.element!, depth - 1) };
    case 'object':
      if (depth <= 0) return { kind: 'unknown' };
      return {
        kind: 'object',
        members: Object.fromEntries(
          Object.entries(def.shape!).map(([name, member]) => [name, fieldOf(member, depth - 1)]),
        ),
      };
    case 'union':
      return depth <= 0
        ? { kind: 'unknown' }
        : { kind: 'union', branches: def.options!.map((s) => fieldOf(s, depth - 1)) };
    case 'record':
      return { kind: 'record' };
    default:
      return { kind: 'unknown' };
  }
}

/**
 * The one codec from text to values, for query parameters and flags alike. What does not read as the field's kind
 * stays text, so that validation can name the fault.
 */
export function decodeText(field: Field, text: string): unknown {
  if (field.kind === 'number') return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
  if (field.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** Values of query parameters by their fields: an array repeats its key, of anything else the last one counts. */
export function decodeQuery(fields: Record<string, Field>, query: Record<string, string[]>): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const given = Object.hasOwn(query, name) ? query[name]! : undefined;
    if (given === undefined) continue;
    values[name] =
      field.kind === 'array' ? given.map((text) => decodeText(field.item!, text)) : decodeText(field, given.at(-1)!);
  }
  return values;
}

/** The same way back: query parameters of values. */
export function encodeQuery(values: Record<string, unknown>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
