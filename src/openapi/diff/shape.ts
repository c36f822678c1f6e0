import { isObject } from '../../shared/is-object.ts';
import { type Fields, itemsOf } from '../fields.ts';

/** A value of a document, or the value at one of its keys. */
export interface Ref {
  node: object;
  key?: string;
}

/** The conditions of a schema for a value other than null, whichever keywords and references it uses. */
export interface Shape {
  id: number;
  /** The schemas that apply together. */
  parts: readonly Fields[];
  /** Undefined means any. */
  types: ReadonlySet<string> | undefined;
  /** The values allowed, as JSON; undefined means any. */
  values: ReadonlySet<string> | undefined;
  format: string | undefined;
  pattern: string | undefined;
  limits: ReadonlyMap<string, Limit>;
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  /** Schemas of other properties, by pattern of their names. */
  patterns: ReadonlyMap<string, unknown>;
  /** A schema, `false` for none, undefined if it is not specified. */
  additional: unknown;
  items: unknown;
  prefixItems: readonly unknown[];
  isReadOnly: boolean;
  isWriteOnly: boolean;
  isDeprecated: boolean;
  /** A reference that cannot be resolved. */
  missing: string | undefined;
}

export interface Limit {
  value: number;
  isExclusive: boolean;
}

/** The keywords of JSON Schema that limit a value, and the type of value that each applies to. */
export const limitKeywords = [
  { keyword: 'minimum', exclusive: 'exclusiveMinimum', type: 'number', isLower: true },
  { keyword: 'minLength', exclusive: 'exclusiveMinLength', type: 'string', isLower: true },
  { keyword: 'minItems', exclusive: 'exclusiveMinItems', type: 'array', isLower: true },
  { keyword: 'minProperties', exclusive: 'exclusiveMinProperties', type: 'object', isLower: true },
  { keyword: 'maximum', exclusive: 'exclusiveMaximum', type: 'number', isLower: false },
  { keyword: 'maxLength', exclusive: 'exclusiveMaxLength', type: 'string', isLower: false },
  { keyword: 'maxItems', exclusive: 'exclusiveMaxItems', type: 'array', isLower: false },
  { keyword: 'maxProperties', exclusive: 'exclusiveMaxProperties', type: 'object', isLower: false },
];

let lastId = 0;

/** @param join returns the schema that combines several */
export function shapeOf(
  parts: readonly Fields[],
  join: (schemas: unknown[]) => unknown,
  missing: string | undefined,
): Shape {
  const longest = parts.map(({ prefixItems }) => itemsOf(prefixItems)).toSorted((a, b) => b.length - a.length);
  const shape: Shape = {
    id: (lastId += 1),
    parts,
    types: parts.map(typesOf).reduce(intersectTypes, undefined),
    values: parts.map(valuesOf).reduce(intersect, undefined),
    format:
      firstValue({ parts }, 'format', (value) => typeof value === 'string') ??
      (parts.some(({ type }) => type === 'file') ? 'binary' : undefined),
    pattern: patternOf(parts),
    limits: limitsOf(parts),
    properties: schemasByName(parts, 'properties', join),
    required: new Set(parts.flatMap(({ required }) => itemsOf(required).map(String))),
    patterns: schemasByName(parts, 'patternProperties', join),
    additional: restOf(parts, ['additionalProperties', 'unevaluatedProperties'], join),
    items: restOf(parts, ['items', 'additionalItems', 'unevaluatedItems'], join),
    prefixItems: longest[0] ?? [],
    isReadOnly: parts.some(({ readOnly }) => readOnly === true),
    isWriteOnly: parts.some(({ writeOnly }) => writeOnly === true),
    isDeprecated: parts.some(({ deprecated }) => deprecated === true),
    missing,
  };
  return { ...shape, types: shape.types ?? impliedTypes(shape) };
}

/** The place of the first of some keywords that a schema has, or else the first schema. */
export function sourceOf(parts: readonly Fields[], keywords: readonly string[]): Ref | undefined {
  for (const key of keywords) {
    const node = parts.find((part) => Object.hasOwn(part, key));
    if (node) return { node, key };
  }
  return parts[0] && { node: parts[0] };
}

/** The first value of a keyword. */
export const firstValue = <T = unknown>(
  { parts }: Pick<Shape, 'parts'>,
  keyword: string,
  is = (value: unknown): value is T => value !== undefined,
): T | undefined => parts.map((part) => part[keyword]).find(is);

/** `properties` without a type nearly always means an object. */
function impliedTypes({ properties, required, patterns, items, additional, prefixItems, values }: Shape) {
  if (values !== undefined && values.size > 0) return new Set([...values].map(typeOfJson));
  if (properties.size > 0 || required.size > 0 || patterns.size > 0 || additional !== undefined)
    return new Set(['object']);
  return items === undefined && prefixItems.length === 0 ? undefined : new Set(['array']);
}

function typeOfJson(json: string): string {
  if (json.startsWith('"')) return 'string';
  if (json.startsWith('{')) return 'object';
  if (json.startsWith('[')) return 'array';
  if (json === 'true' || json === 'false') return 'boolean';
  return Number.isInteger(Number(json)) ? 'integer' : 'number';
}

function schemasByName(
  parts: readonly Fields[],
  keyword: string,
  join: (schemas: unknown[]) => unknown,
): Map<string, unknown> {
  const maps = parts.map((part) => part[keyword]).filter(isObject);
  const [first = {}] = maps;
  if (maps.length < 2) return new Map(Object.entries(first));
  const entries = maps.flatMap((map) => Object.entries(map));
  const schemas = Map.groupBy(entries, ([name]) => name);
  return new Map([...schemas].map(([name, all]) => [name, join(all.map(([, schema]) => schema))]));
}

/** The schema of further properties or items: `false` if none are allowed, undefined if any are. */
function restOf(parts: readonly Fields[], keywords: string[], join: (schemas: unknown[]) => unknown): unknown {
  const stated = parts.map((part) => keywords.map((keyword) => part[keyword]).find(isSchema));
  if (stated.includes(false)) return false;
  const schemas = stated.filter((schema) => isObject(schema) && Object.keys(schema).length > 0);
  return schemas.length > 0 ? join(schemas) : undefined;
}

const isSchema = (value: unknown): boolean => isObject(value) || typeof value === 'boolean';

/** Several patterns as one text: values must match all of them. */
function patternOf(parts: readonly Fields[]): string | undefined {
  const patterns = new Set(parts.flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : [])));
  return patterns.size > 0 ? [...patterns].toSorted().join(' and ') : undefined;
}

function typesOf({ type }: Fields): Set<string> | undefined {
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null').map(String);
  return new Set(types.map((name) => (name === 'file' ? 'string' : name)));
}

function valuesOf(part: Fields): Set<string> | undefined {
  const values = Object.hasOwn(part, 'const') ? [part.const] : part.enum;
  return Array.isArray(values) ? new Set(values.filter((value) => value !== null).map(canonical)) : undefined;
}

function limitsOf(parts: readonly Fields[]): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const part of parts) {
    for (const { keyword, exclusive, isLower } of limitKeywords) {
      const [value, bound] = [part[keyword], part[exclusive]];
      // Up to 3.0, `exclusiveMinimum: true` changes `minimum`; from 3.1 on, it is a limit itself.
      if (typeof value === 'number') tighten(limits, keyword, isLower, { value, isExclusive: bound === true });
      if (typeof bound === 'number') tighten(limits, keyword, isLower, { value: bound, isExclusive: true });
    }
  }
  return limits;
}

function tighten(limits: Map<string, Limit>, keyword: string, isLower: boolean, limit: Limit): void {
  // Lengths and counts are never below 0.
  if (isLower && keyword !== 'minimum' && limit.value <= 0) return;
  const other = limits.get(keyword);
  const isTighter = !other || (isLower ? limit.value > other.value : limit.value < other.value);
  if (isTighter || (limit.value === other.value && limit.isExclusive)) limits.set(keyword, limit);
}

function intersectTypes(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  if (!a || !b) return a ?? b;
  const both = [...a, ...b].filter((type) => [a, b].every((types) => hasType(types, type)));
  return new Set(both);
}

/** Whether types include a type: every integer is a number. */
export const hasType = (types: ReadonlySet<string>, type: string): boolean =>
  types.has(type) || (type === 'integer' && types.has('number'));

function intersect(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  return a && b ? new Set([...a].filter((value) => b.has(value))) : (a ?? b);
}

/** JSON with its keys in order. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
    ) ?? 'undefined'
  );
}

export function typesText({ types }: Shape): string {
  return types ? [...types].toSorted().join(', ') || 'nothing' : 'anything';
}
