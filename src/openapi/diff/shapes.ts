import { hasMembers, isObject } from '../../shared/is-object.ts';
import { isPlainReference, isReference, segmentsOf } from '../parse/reference.ts';

/** What a schema demands of a value other than null, whichever keywords and references it uses. */
export interface Shape {
  id: number;
  /** Undefined for any. */
  types: ReadonlySet<string> | undefined;
  /** The values allowed, as JSON; undefined for any. */
  values: ReadonlySet<string> | undefined;
  format: string | undefined;
  pattern: string | undefined;
  isUnique: boolean;
  limits: ReadonlyMap<string, Limit>;
  properties: ReadonlyMap<string, unknown>;
  required: ReadonlySet<string>;
  /** A schema, `false` for none, undefined where it is not specified. */
  additional: unknown;
  items: unknown;
  isReadOnly: boolean;
  isWriteOnly: boolean;
}

export interface Limit {
  value: number;
  isExclusive: boolean;
}

/** The shapes of which one must fit, and whether null is allowed instead. */
export interface Choice {
  isNullable: boolean;
  options: Option[];
}

export interface Option {
  /** The name of the referenced schema, else the title. It identifies the same option in another version. */
  name: string | undefined;
  shape: Shape;
}

/** Keywords of JSON Schema that give the least value allowed, and those that give the greatest. */
export const lowerLimits = ['minimum', 'minLength', 'minItems', 'minProperties'];
export const upperLimits = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

type Part = Record<string, unknown>;

/** Longer chains of references and deeper compositions matter to no comparison. */
const maxChain = 100;
const maxNesting = 3;
const maxOptions = 64;

let lastId = 0;

/** The schemas of one document. */
export class Shapes {
  readonly #document: unknown;
  readonly #choices = new Map<unknown, Choice>();
  readonly #ids = new Map<unknown, number>();
  readonly #joined = new Map<string, { allOf: unknown[] }>();
  readonly #members = new Map<unknown, unknown[]>();

  constructor(document: unknown) {
    this.#document = document;
  }

  choiceOf(schema: unknown): Choice {
    let choice = this.#choices.get(schema);
    if (!choice) {
      choice = this.#choose(schema, 0);
      this.#choices.set(schema, choice);
    }
    return choice;
  }

  /** A value, or the value in the document that it refers to; undefined where there is none. */
  follow(value: unknown): unknown {
    let current = value;
    for (let chain = 0; isReference(current); chain += 1) {
      current = chain > maxChain ? undefined : valueAt(this.#document, current.$ref);
    }
    return current;
  }

  #choose(schema: unknown, nesting: number): Choice {
    const parts = this.#partsOf(schema, new Set());
    const composition = nesting < maxNesting ? compositionIn(parts) : undefined;
    if (!composition) return this.#single(parts);
    const { rest, variants } = composition;
    const choices = variants.map((variant) => ({
      name: nameOf(variant),
      ...this.#choose({ allOf: [...rest, variant] }, nesting + 1),
    }));
    return {
      isNullable: choices.some(({ isNullable }) => isNullable),
      options: choices
        .flatMap(({ name, options }) => options.map((option) => ({ name: name ?? option.name, shape: option.shape })))
        .slice(0, maxOptions),
    };
  }

  #single(parts: Part[]): Choice {
    const shape = shapeOf(parts, (schemas) => this.#join(schemas));
    const isNullable = parts.every(allowsNull);
    // A schema that only allows null has no other shape.
    return { isNullable, options: isNullable && shape.types?.size === 0 ? [] : [{ name: undefined, shape }] };
  }

  /**
   * The schema that combines several schemas. The same ones give the same result: otherwise a schema that refers to
   * itself in two places would have infinitely many.
   */
  #join(schemas: unknown[]): unknown {
    if (schemas.length === 1) return schemas[0];
    const members = new Set(schemas.map((schema) => (isPlainReference(schema) ? this.follow(schema) : schema)));
    const unique = [...new Set([...members].flatMap((member) => this.#members.get(member) ?? [member]))];
    const key = unique
      .map((schema) => this.#idOf(schema))
      .toSorted((a, b) => a - b)
      .join(' ');
    const joined = this.#joined.get(key) ?? { allOf: unique };
    this.#joined.set(key, joined);
    this.#members.set(joined, joined.allOf);
    return joined;
  }

  #idOf(schema: unknown): number {
    const id = this.#ids.get(schema) ?? this.#ids.size;
    this.#ids.set(schema, id);
    return id;
  }

  /** All schemas that apply together: a schema, the one it refers to, and those of its `allOf`. */
  #partsOf(schema: unknown, visited: Set<unknown>): Part[] {
    if (schema === false) return [{ type: [] }];
    if (!isObject(schema) || visited.has(schema) || visited.size > maxChain) return [];
    visited.add(schema);
    const { $ref, allOf, ...rest } = schema;
    return [
      ...(typeof $ref === 'string' ? this.#partsOf(valueAt(this.#document, $ref), visited) : []),
      ...(Array.isArray(allOf) ? allOf.flatMap((part) => this.#partsOf(part, visited)) : []),
      ...(Object.keys(rest).length > 0 ? [rest] : []),
    ];
  }
}

function shapeOf(parts: Part[], join: (schemas: unknown[]) => unknown): Shape {
  const firstText = (keyword: string) => parts.map((part) => part[keyword]).find((value) => typeof value === 'string');
  const additional = parts.map((part) => part.additionalProperties ?? part.unevaluatedProperties);
  const shape: Shape = {
    id: (lastId += 1),
    types: parts.map(typesOf).reduce(intersectTypes, undefined),
    values: parts.map(valuesOf).reduce(intersect, undefined),
    format: firstText('format') ?? (isFile(parts) ? 'binary' : undefined),
    pattern: firstText('pattern'),
    isUnique: parts.some((part) => part.uniqueItems === true),
    limits: limitsOf(parts),
    properties: propertiesOf(parts, join),
    required: new Set(parts.flatMap((part) => (Array.isArray(part.required) ? part.required : []))),
    additional: additional.includes(false) ? false : additional.find(isObject),
    items: parts.map((part) => part.items).find((items) => isObject(items) || typeof items === 'boolean'),
    isReadOnly: parts.some((part) => part.readOnly === true),
    isWriteOnly: parts.some((part) => part.writeOnly === true),
  };
  return { ...shape, types: shape.types ?? impliedTypes(shape) };
}

/** `properties` without a type nearly always means an object. */
function impliedTypes({ properties, required, items, additional }: Shape): ReadonlySet<string> | undefined {
  if (properties.size > 0 || required.size > 0 || additional !== undefined) return new Set(['object']);
  return items === undefined ? undefined : new Set(['array']);
}

function propertiesOf(parts: Part[], join: (schemas: unknown[]) => unknown): Map<string, unknown> {
  const properties = new Map<string, unknown[]>();
  for (const part of parts) {
    for (const [name, schema] of isObject(part.properties) ? Object.entries(part.properties) : []) {
      properties.set(name, [...(properties.get(name) ?? []), schema]);
    }
  }
  return new Map([...properties].map(([name, schemas]) => [name, join(schemas)]));
}

function typesOf({ type }: Part): Set<string> | undefined {
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null').map(String);
  return new Set(types.map((name) => (name === 'file' ? 'string' : name)));
}

/** In Swagger 2, type `file` is what later versions call a string of format `binary`. */
function isFile(parts: Part[]): boolean {
  return parts.some(({ type }) => type === 'file');
}

function valuesOf(part: Part): Set<string> | undefined {
  const values = Object.hasOwn(part, 'const') ? [part.const] : part.enum;
  return Array.isArray(values) ? new Set(values.filter((value) => value !== null).map(canonical)) : undefined;
}

function allowsNull(part: Part): boolean {
  const { type } = part;
  if (type === 'null' || (Array.isArray(type) && type.includes('null'))) return true;
  if (type !== undefined) return part.nullable === true || part['x-nullable'] === true;
  const values = Object.hasOwn(part, 'const') ? [part.const] : part.enum;
  return !Array.isArray(values) || values.includes(null);
}

function limitsOf(parts: Part[]): Map<string, Limit> {
  const limits = new Map<string, Limit>();
  for (const keyword of [...lowerLimits, ...upperLimits]) {
    const sign = lowerLimits.includes(keyword) ? 1 : -1;
    const stated = parts.flatMap((part) => limitsIn(part, keyword));
    const [tightest] = stated.toSorted(
      (a, b) => sign * (b.value - a.value) || Number(b.isExclusive) - Number(a.isExclusive),
    );
    if (tightest) limits.set(keyword, tightest);
  }
  return limits;
}

/** Up to 3.0, `exclusiveMinimum: true` changes `minimum`; from 3.1 on, it is a limit itself. */
function limitsIn(part: Part, keyword: string): Limit[] {
  const exclusive = part[`exclusive${keyword.charAt(0).toUpperCase()}${keyword.slice(1)}`];
  const value = part[keyword];
  return [
    ...(typeof value === 'number' ? [{ value, isExclusive: exclusive === true }] : []),
    ...(typeof exclusive === 'number' ? [{ value: exclusive, isExclusive: true }] : []),
  ];
}

/** The first `oneOf` or `anyOf` of several parts, and the parts without it. */
function compositionIn(parts: Part[]): { variants: unknown[]; rest: Part[] } | undefined {
  for (const [index, part] of parts.entries()) {
    for (const keyword of ['oneOf', 'anyOf']) {
      const variants = part[keyword];
      if (!Array.isArray(variants) || variants.length === 0) continue;
      return { variants, rest: parts.with(index, { ...part, [keyword]: undefined }) };
    }
  }
  return undefined;
}

function nameOf(schema: unknown): string | undefined {
  if (!isObject(schema)) return undefined;
  if (typeof schema.$ref === 'string') return schema.$ref.split('/').at(-1);
  return typeof schema.title === 'string' ? schema.title : undefined;
}

function intersectTypes(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  if (!a || !b) return a ?? b;
  const both = [...a, ...b].filter((type) => [a, b].every((types) => types.has(type) || isInteger(type, types)));
  return new Set(both);
}

function isInteger(type: string, types: ReadonlySet<string>): boolean {
  return type === 'integer' && types.has('number');
}

function intersect(a: Set<string> | undefined, b: Set<string> | undefined): Set<string> | undefined {
  return a && b ? new Set([...a].filter((value) => b.has(value))) : (a ?? b);
}

/** JSON with its keys in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}

function valueAt(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  let value = document;
  for (const key of segmentsOf(reference.slice(1))) {
    if (!hasMembers(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}
