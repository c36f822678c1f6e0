import { decodeAddress } from '../shared/decode.ts';
import { isObject } from './identity.ts';

/** What a schema asks of a value other than null, whatever keywords and references it says it with. */
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
  /** A schema, `false` for none, undefined where nothing is said. */
  additional: unknown;
  items: unknown;
  isReadOnly: boolean;
  isWriteOnly: boolean;
}

export interface Limit {
  value: number;
  isExclusive: boolean;
}

/** The shapes of which one must fit, and whether null may stand instead. */
export interface Choice {
  isNullable: boolean;
  options: Option[];
}

export interface Option {
  /** Of what is referred to, else the title: by it, an option is found again in another version. */
  name: string | undefined;
  shape: Shape;
}

/** By JSON Schema's keyword, which way a value must lie from it. */
export const lowerLimits = ['minimum', 'minLength', 'minItems', 'minProperties'];
export const upperLimits = ['maximum', 'maxLength', 'maxItems', 'maxProperties'];

type Part = Record<string, unknown>;

/** Deeper chains of references, or compositions in compositions, say nothing that a comparison needs. */
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

  /** A value, or what it refers to within the document; undefined where that is nothing. */
  follow(value: unknown): unknown {
    let at = value;
    for (let chain = 0; isObject(at) && typeof at.$ref === 'string'; chain += 1) {
      at = chain > maxChain ? undefined : valueAt(this.#document, at.$ref);
    }
    return at;
  }

  #choose(schema: unknown, nesting: number): Choice {
    const parts = this.#partsOf(schema, new Set());
    const composed = parts.find((part) => variantsOf(part).length > 0);
    if (!composed || nesting >= maxNesting) return this.#single(parts);
    const [keyword, variants] = variantsOf(composed)[0]!;
    const rest = parts.map((part) => (part === composed ? { ...part, [keyword]: undefined } : part));
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
    // What is only null is no shape beside null.
    return { isNullable, options: isNullable && shape.types?.size === 0 ? [] : [{ name: undefined, shape }] };
  }

  /**
   * The schema of what all of several schemas hold for: the same one whenever they are the same, or there would be no
   * end of schemas for one that refers to itself in two places.
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

  /** What holds together: a schema, what it refers to, and what stands under its `allOf`. */
  #partsOf(schema: unknown, seen: Set<unknown>): Part[] {
    if (schema === false) return [{ type: [] }];
    if (!isObject(schema) || seen.has(schema) || seen.size > maxChain) return [];
    seen.add(schema);
    const { $ref, allOf, ...own } = schema;
    return [
      ...(typeof $ref === 'string' ? this.#partsOf(valueAt(this.#document, $ref), seen) : []),
      ...(Array.isArray(allOf) ? allOf.flatMap((part) => this.#partsOf(part, seen)) : []),
      ...(Object.keys(own).length > 0 ? [own] : []),
    ];
  }
}

function shapeOf(parts: Part[], join: (schemas: unknown[]) => unknown): Shape {
  const first = (keyword: string, type: string) =>
    parts.map((part) => part[keyword]).find((value) => typeof value === type);
  const additional = parts.map((part) => part.additionalProperties ?? part.unevaluatedProperties);
  const shape: Shape = {
    id: (lastId += 1),
    types: parts.map(typesOf).reduce(intersectTypes, undefined),
    values: parts.map(valuesOf).reduce(intersect, undefined),
    format: (first('format', 'string') as string | undefined) ?? (isFile(parts) ? 'binary' : undefined),
    pattern: first('pattern', 'string') as string | undefined,
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

/** Nearly everybody who writes `properties` without a type means an object. */
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

function isPlainReference(schema: unknown): boolean {
  return isObject(schema) && typeof schema.$ref === 'string' && Object.keys(schema).length === 1;
}

function typesOf({ type }: Part): Set<string> | undefined {
  if (type === undefined) return undefined;
  const types = (Array.isArray(type) ? type : [type]).filter((name) => name !== 'null').map(String);
  return new Set(types.map((name) => (name === 'file' ? 'string' : name)));
}

/** What later versions call a string of format `binary`. */
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

function variantsOf(part: Part): [keyword: string, variants: unknown[]][] {
  return ['oneOf', 'anyOf'].flatMap((keyword): [string, unknown[]][] => {
    const variants = part[keyword];
    return Array.isArray(variants) && variants.length > 0 ? [[keyword, variants]] : [];
  });
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
  let at = document;
  for (const segment of reference.slice(1).split('/').slice(1)) {
    const key = decodeAddress(segment).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
