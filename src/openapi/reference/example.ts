import { isObject } from '../../shared/is-object.ts';
import { entriesAt, listAt, type Fields, objectAt, textAt } from '../fields.ts';
import type { Reference } from './reference.ts';
import { discriminatorOf, membersOf, type SchemaNode, schemaObject } from './schema.ts';

/** Who sends the example. Fields that only the other side sends are skipped. */
export type Direction = 'request' | 'response';

const maxDepth = 8;
const maxValues = 400;
/** Longer texts make no better example. */
const maxTextLength = 200;

/**
 * A value that matches a schema, based on the examples in it. `openapi-sampler` does not limit the number of values, and cannot
 * resolve references across files.
 *
 * @param alternative which of the alternatives of the schema itself the value has; by default, the first one
 */
export function exampleOf(
  reference: Reference,
  schema: SchemaNode,
  direction: Direction,
  alternative?: number,
): unknown {
  return new ExampleMaker(reference, direction, alternative).valueOf(schema, 0);
}

class ExampleMaker {
  readonly #reference: Reference;
  readonly #direction: Direction;
  readonly #alternative: number | undefined;
  /** The schemas around the current value. A schema within itself ends the example. */
  readonly #open = new Set<object>();
  #count = 0;

  constructor(reference: Reference, direction: Direction, alternative?: number) {
    this.#reference = reference;
    this.#direction = direction;
    this.#alternative = alternative;
  }

  valueOf(schema: SchemaNode, depth: number): unknown {
    const { node } = schemaObject(this.#reference, schema);
    this.#count += 1;
    if (!node) return null;
    const isChosen = depth === 0 && this.#alternative !== undefined;
    const stated = isChosen ? undefined : statedExample(node);
    if (stated) return stated.value;
    const identity = isObject(schema) ? (this.#reference.nameOf(schema) ?? schema) : node;
    const key = typeof identity === 'string' ? this.#reference.schemas.get(identity) : identity;
    if (depth > maxDepth || this.#count > maxValues || (key && this.#open.has(key))) return isArray(node) ? [] : {};
    if (key) this.#open.add(key);
    try {
      const value = this.#compose(node, depth);
      return isObject(value) ? this.#named(value, { schema, node, depth }) : value;
    } finally {
      if (key) this.#open.delete(key);
    }
  }

  #compose(node: Fields, depth: number): unknown {
    const members = membersOf(this.#reference, node);
    const isChosen = depth === 0 && this.#alternative !== undefined;
    const stated = isChosen ? undefined : members.map(statedExample).find((example) => example !== undefined);
    if (stated) return stated.value;
    const chosen = this.#chosen(members, depth);
    const merged: Fields = Object.assign({}, ...members.toReversed());
    const hasProperties = members.some((member) => objectAt(member, 'properties'));
    if (hasProperties || typeOf(merged) === 'object') return this.#object(members, chosen, depth);
    if (chosen[0] !== undefined && typeOf(merged) === undefined) return this.valueOf(chosen[0], depth + 1);
    if (isArray(merged)) return this.#array(merged, depth);
    return scalarOf(merged);
  }

  #chosen(members: readonly Fields[], depth: number): SchemaNode[] {
    const index = depth === 0 ? (this.#alternative ?? 0) : 0;
    return members.flatMap((member) =>
      alternativesIn(member).flatMap((schemas) => schemas.slice(Math.min(index, schemas.length - 1)).slice(0, 1)),
    );
  }

  /** Gives the property of a discriminator the name of the schema that the value has. */
  #named(value: Fields, { schema, node, depth }: { schema: SchemaNode; node: Fields; depth: number }): Fields {
    const members = membersOf(this.#reference, node);
    const property = discriminatorOf(this.#reference, members)?.property;
    if (property === undefined) return value;
    const chosen = this.#chosen(members, depth)[0];
    const target = chosen ?? schema;
    const { node: own } = schemaObject(this.#reference, target);
    // A value that the description states is right.
    if (own && statedExample(own)) return value;
    const name = this.#reference.nameOf(target);
    const mapping = members.map((member) => objectAt(member, 'discriminator')).find((found) => found !== undefined);
    const mapped = entriesAt(mapping ?? {}, 'mapping').find(
      ([, to]) => (this.#reference.nameOf({ $ref: String(to) }) ?? to) === name,
    )?.[0];
    const word = mapped ?? this.#constantOf(property, own) ?? name;
    if (word === undefined) return value;
    const named = { ...value };
    setField(named, property, word);
    return named;
  }

  /** The only value that the schema allows for a property. */
  #constantOf(property: string, node: Fields | undefined): unknown {
    for (const member of node ? membersOf(this.#reference, node) : []) {
      const { node: field } = schemaObject(this.#reference, objectAt(member, 'properties')?.[property]);
      const stated = field && statedExample(field);
      if (stated) return stated.value;
    }
    return undefined;
  }

  #object(members: readonly Fields[], chosen: readonly SchemaNode[], depth: number): Fields {
    const object: Fields = {};
    for (const member of members) {
      for (const [name, schema] of entriesAt(member, 'properties')) {
        if (this.#count > maxValues || Object.hasOwn(object, name)) continue;
        const { node } = schemaObject(this.#reference, schema);
        if (node && this.#isForOtherSide(node)) continue;
        setField(object, name, this.valueOf(schema, depth + 1));
      }
      const more = objectAt(member, 'additionalProperties');
      if (more && Object.keys(object).length === 0) setField(object, 'name', this.valueOf(more, depth + 1));
    }
    for (const schema of chosen) {
      const value = this.valueOf(schema, depth + 1);
      if (isObject(value)) for (const [name, field] of Object.entries(value)) setField(object, name, field);
    }
    return object;
  }

  #array(node: Fields, depth: number): unknown[] {
    const first = [...listAt(node, 'prefixItems'), ...listAt(node, 'items')];
    if (first.length > 0) return first.map((schema) => this.valueOf(schema, depth + 1));
    return isObject(node.items) ? [this.valueOf(node.items, depth + 1)] : [];
  }

  #isForOtherSide(node: Fields): boolean {
    return this.#direction === 'request' ? node.readOnly === true : node.writeOnly === true;
  }
}

/** Sets an own field, even if its name is `__proto__`. */
function setField(object: Fields, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

function statedExample(node: Fields): { value: unknown } | undefined {
  if (Object.hasOwn(node, 'example')) return { value: node.example };
  const { examples } = node;
  if (Array.isArray(examples) && examples.length > 0) return { value: examples[0] };
  if (Object.hasOwn(node, 'const')) return { value: node.const };
  if (Object.hasOwn(node, 'default') && node.default !== null) return { value: node.default };
  const [first] = listAt(node, 'enum');
  return first === undefined ? undefined : { value: first };
}

/** The alternatives of a schema, without `null`. */
const alternativesIn = (node: Fields): SchemaNode[][] =>
  (['oneOf', 'anyOf'] as const)
    .map((keyword) => listAt(node, keyword).filter((schema) => !isObject(schema) || schema.type !== 'null'))
    .filter((schemas) => schemas.length > 0);

function typeOf(node: Fields): string | undefined {
  if (Array.isArray(node.type)) return node.type.map(String).find((type) => type !== 'null');
  return textAt(node, 'type') ?? (objectAt(node, 'additionalProperties') ? 'object' : undefined);
}

const isArray = (node: Fields): boolean =>
  typeOf(node) === 'array' || Object.hasOwn(node, 'items') || Object.hasOwn(node, 'prefixItems');

const texts: Record<string, string> = {
  'date-time': '2026-01-31T09:30:00Z',
  date: '2026-01-31',
  time: '09:30:00Z',
  duration: 'PT1H',
  email: 'name@example.com',
  'idn-email': 'name@example.com',
  hostname: 'example.com',
  uri: 'https://example.com',
  url: 'https://example.com',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  byte: 'dGV4dA==',
  binary: '(binary)',
  password: '********',
};

function scalarOf(node: Fields): unknown {
  switch (typeOf(node)) {
    case 'integer':
    case 'number':
      return numberOf(node);
    case 'boolean':
      return true;
    case 'string':
      return textOf(node);
    default:
      return Object.hasOwn(node, 'pattern') || Object.hasOwn(node, 'format') ? textOf(node) : null;
  }
}

function numberOf({ minimum, maximum, exclusiveMinimum, multipleOf }: Fields): number {
  if (typeof exclusiveMinimum === 'number') return exclusiveMinimum + 1;
  if (typeof minimum === 'number') return exclusiveMinimum === true ? minimum + 1 : minimum;
  if (typeof multipleOf === 'number') return multipleOf;
  return typeof maximum === 'number' ? Math.min(1, maximum) : 1;
}

function textOf(node: Fields): string {
  const text = texts[textAt(node, 'format') ?? ''] ?? 'text';
  const { minLength, maxLength } = node;
  const least = typeof minLength === 'number' ? Math.min(minLength, maxTextLength) : 0;
  const long = text.length < least ? text.padEnd(least, text) : text;
  return typeof maxLength === 'number' && maxLength >= 0 ? long.slice(0, maxLength) : long;
}
