import { isObject } from '../../shared/is-object.ts';
import { type Fields, entriesAt, isInternal, listAt, objectAt, textAt, textsAt, valueText } from '../fields.ts';
import type { Reference } from './reference.ts';

/** A part of the name of a type: a word, or the name of a schema. */
export type TypePart = string | { schema: string };

/** A schema, which is read when it is shown. */
export type SchemaNode = unknown;

export interface Property {
  name: string;
  isRequired: boolean;
  /** Whether `name` is a pattern or represents all other fields. */
  isPattern?: boolean;
  schema: SchemaNode;
}

/** Several schemas, some of which apply. */
export interface Alternatives {
  keyword: 'oneOf' | 'anyOf' | 'not' | 'if' | 'then' | 'else' | 'contains' | 'propertyNames';
  schemas: { title: string | undefined; schema: SchemaNode }[];
}

/** One level of a schema, including its `allOf`. */
export interface SchemaView {
  /** Set if it is one of the named schemas. */
  name: string | undefined;
  type: TypePart[];
  title: string | undefined;
  description: string | undefined;
  marks: ('deprecated' | 'read-only' | 'write-only')[];
  constraints: string[];
  values: { value: string; description: string | undefined }[];
  /** Each a label and a value. */
  facts: { label: 'default' | 'example' | 'constant'; value: string }[];
  properties: Property[];
  /** The schema of the items of an array. */
  items: SchemaNode | undefined;
  /** The schemas of the first items of an array. */
  firstItems: SchemaNode[];
  alternatives: Alternatives[];
  discriminator: { property: string; mapping: { value: string; schema: string }[] } | undefined;
  link: { href: string; title: string } | undefined;
  /** Why it cannot be shown. */
  problem: string | undefined;
}

/** Members of one `allOf` chain; more are a mistake. */
const maxMembers = 100;

/** One level of a schema. */
export function readSchema(reference: Reference, schema: SchemaNode): SchemaView {
  const resolved = schemaObject(reference, schema);
  const { node = {}, problem } = resolved;
  const members = membersOf(reference, node);
  const merged: Fields = Object.assign({}, ...members.toReversed().map(plainFields), plainFields(node));
  const emptyType = schema === false ? 'nothing' : problem === undefined ? 'any' : 'unknown';
  return {
    name: reference.nameOf(schema),
    type: resolved.node ? typeOf(reference, merged, members) : [emptyType],
    title: textAt(node, 'title'),
    description: textAt(node, 'description') ?? firstText(members, 'description'),
    marks: marksOf(merged),
    constraints: [...new Set(members.flatMap(constraintsOf))],
    values: allowedValues(merged),
    facts: factsOf(merged),
    properties: propertiesOf(members),
    ...arrayParts(reference, members),
    alternatives: members.flatMap((member) => alternativesOf(reference, member)),
    discriminator: discriminatorOf(reference, members),
    link: linkOf(merged),
    problem: problem ?? firstText(members, problemKey),
  };
}

const problemKey = '~problem';

/** The object of a schema; `true` and `false` have none. */
export function schemaObject(reference: Reference, schema: SchemaNode) {
  return typeof schema === 'boolean' ? { node: undefined } : reference.resolve(schema);
}

/** A schema and all schemas in its `allOf`, each once. */
export function membersOf(reference: Reference, node: Fields): Fields[] {
  const members: Fields[] = [];
  const seen = new Set<unknown>();
  const visit = (member: Fields) => {
    members.push(member);
    for (const part of listAt(member, 'allOf')) {
      if (seen.has(part) || members.length >= maxMembers) continue;
      seen.add(part);
      const { node: inner, problem } = schemaObject(reference, part);
      if (problem !== undefined) members.push({ [problemKey]: problem });
      if (inner && !members.includes(inner)) visit(inner);
    }
  };
  visit(node);
  return members;
}

/** Fields that have the same meaning in every member. */
function plainFields(node: Fields): Fields {
  const { allOf: _, title: _title, description: _description, required: _required, ...rest } = node;
  return rest;
}

const firstText = (members: readonly Fields[], key: string) =>
  members.map((member) => textAt(member, key)).find((text) => text !== undefined);

function marksOf(node: Fields): SchemaView['marks'] {
  const marks = { deprecated: 'deprecated', readOnly: 'read-only', writeOnly: 'write-only' } as const;
  return Object.entries(marks).flatMap(([key, mark]) => (node[key] === true ? [mark] : []));
}

function factsOf(node: Fields): SchemaView['facts'] {
  const facts: SchemaView['facts'] = [];
  if (Object.hasOwn(node, 'const')) facts.push({ label: 'constant', value: valueText(node.const) });
  if (Object.hasOwn(node, 'default')) facts.push({ label: 'default', value: valueText(node.default) });
  const examples = [...(Object.hasOwn(node, 'example') ? [node.example] : []), ...listAt(node, 'examples')];
  // Larger ones are part of the example of the whole body.
  for (const example of examples.slice(0, 3)) {
    if (!isObject(example) && !Array.isArray(example)) facts.push({ label: 'example', value: valueText(example) });
  }
  return facts;
}

function propertiesOf(members: readonly Fields[]): Property[] {
  const required = new Set(members.flatMap((member) => textsAt(member, 'required')));
  const properties = new Map<string, Property>();
  const others: Property[] = [];
  for (const member of members) {
    for (const [name, schema] of entriesAt(member, 'properties')) {
      if (isObject(schema) && isInternal(schema)) continue;
      if (!properties.has(name)) properties.set(name, { name, isRequired: required.has(name), schema });
    }
    for (const [name, schema] of entriesAt(member, 'patternProperties')) {
      others.push({ name, isRequired: false, isPattern: true, schema });
    }
    const more = member.additionalProperties ?? member.unevaluatedProperties;
    if (isObject(more) && Object.keys(more).length > 0)
      others.push({ name: 'any other field', isRequired: false, isPattern: true, schema: more });
  }
  return [...properties.values(), ...others];
}

function arrayParts(reference: Reference, members: readonly Fields[]): Pick<SchemaView, 'items' | 'firstItems'> {
  const holder = members.find((member) => Object.hasOwn(member, 'items') || Object.hasOwn(member, 'prefixItems'));
  if (!holder) return { items: undefined, firstItems: [] };
  const first = [...listAt(holder, 'prefixItems'), ...listAt(holder, 'items')];
  const { items } = holder;
  const isSchema = isObject(items) && (Object.keys(items).length > 0 || reference.nameOf(items) !== undefined);
  return { items: isSchema ? items : undefined, firstItems: first };
}

const severalKeywords = ['oneOf', 'anyOf'] as const;
const singleKeywords = ['not', 'if', 'then', 'else', 'contains', 'propertyNames'] as const;

function alternativesOf(reference: Reference, node: Fields): Alternatives[] {
  const titled = (schema: SchemaNode) => ({ schema, title: titleOf(reference, schema) });
  return [
    ...severalKeywords.flatMap((keyword): Alternatives[] => {
      const schemas = listAt(node, keyword).filter((schema) => !isNull(schema));
      return schemas.length === 0 ? [] : [{ keyword, schemas: schemas.map(titled) }];
    }),
    ...singleKeywords.flatMap((keyword): Alternatives[] =>
      isObject(node[keyword]) ? [{ keyword, schemas: [titled(node[keyword])] }] : [],
    ),
  ];
}

const isNull = (schema: SchemaNode): boolean => isObject(schema) && schema.type === 'null';

function titleOf(reference: Reference, schema: SchemaNode): string | undefined {
  const { node } = schemaObject(reference, schema);
  return (node && textAt(node, 'title')) ?? reference.nameOf(schema);
}

export function discriminatorOf(reference: Reference, members: readonly Fields[]): SchemaView['discriminator'] {
  for (const member of members) {
    // In Swagger 2, it is only the name.
    const swagger = textAt(member, 'discriminator');
    if (swagger !== undefined) return { property: swagger, mapping: [] };
    const node = objectAt(member, 'discriminator');
    const property = node && textAt(node, 'propertyName');
    if (!node || property === undefined) continue;
    const mapping = entriesAt(node, 'mapping').map(([value, target]) => ({
      value,
      schema: reference.nameOf({ $ref: String(target) }) ?? String(target),
    }));
    return { property, mapping };
  }
  return undefined;
}

export function linkOf(node: Fields): SchemaView['link'] {
  const docs = objectAt(node, 'externalDocs');
  const href = docs && textAt(docs, 'url');
  return href === undefined ? undefined : { href, title: (docs && textAt(docs, 'description')) ?? href };
}

/** The type in words: `string (date-time)`, `array of Pet`, `integer or null`. */
function typeOf(reference: Reference, merged: Fields, members: readonly Fields[], depth = 0): TypePart[] {
  const stated = Array.isArray(merged.type) ? merged.type.map(String) : textAt(merged, 'type');
  const types = (Array.isArray(stated) ? stated : [stated ?? impliedType(merged, members)]).filter(
    (type) => type !== undefined && type !== 'null',
  );
  const hasNull =
    merged.nullable === true ||
    merged['x-nullable'] === true ||
    (Array.isArray(stated) && stated.includes('null')) ||
    severalKeywords.some((keyword) => listAt(merged, keyword).some(isNull));
  const format = textAt(merged, 'format');
  const parts = types.flatMap((type, index): TypePart[] => [
    ...(index > 0 ? [' or '] : []),
    ...(type === 'array' ? arrayType(reference, merged, depth) : [type ?? 'any']),
  ]);
  if (parts.length === 0) parts.push(hasNull && stated === 'null' ? 'null' : 'any');
  if (format !== undefined) parts.push(` (${format})`);
  if (hasNull) parts.push(' or null');
  return parts;
}

function impliedType(merged: Fields, members: readonly Fields[]): string | undefined {
  const has = (key: string) => members.some((member) => Object.hasOwn(member, key));
  if (has('properties') || has('additionalProperties') || has('patternProperties')) return 'object';
  if (has('items') || has('prefixItems')) return 'array';
  if (has('oneOf')) return 'one of';
  if (has('anyOf')) return 'any of';
  const sample = Object.hasOwn(merged, 'const') ? merged.const : listAt(merged, 'enum')[0];
  return sample === undefined || sample === null || typeof sample === 'object' ? undefined : typeof sample;
}

function arrayType(reference: Reference, { items }: Fields, depth: number): TypePart[] {
  if (!isObject(items)) return ['array'];
  const name = reference.nameOf(items);
  if (name !== undefined) return ['array of ', { schema: name }];
  const { node } = schemaObject(reference, items);
  if (!node || depth > 5) return ['array'];
  const inner = membersOf(reference, node);
  return ['array of ', ...typeOf(reference, Object.assign({}, ...inner.toReversed()), inner, depth + 1)];
}

/** The conditions of a schema beyond the type, in words. */
function constraintsOf(node: Fields): string[] {
  const size = (least: string, most: string, unit: string, units: string) => {
    const [low, high] = [node[least], node[most]];
    if (typeof low === 'number' && low === high) return `exactly ${low} ${low === 1 ? unit : units}`;
    if (typeof low === 'number' && typeof high === 'number') return `${low} to ${high} ${units}`;
    if (typeof low === 'number') return low > 0 ? `at least ${low} ${low === 1 ? unit : units}` : undefined;
    return typeof high === 'number' ? `at most ${high} ${high === 1 ? unit : units}` : undefined;
  };
  const words = [
    ...limits(node),
    typeof node.multipleOf === 'number' ? `a multiple of ${node.multipleOf}` : undefined,
    size('minLength', 'maxLength', 'character', 'characters'),
    typeof node.pattern === 'string' ? `matches ${node.pattern}` : undefined,
    size('minItems', 'maxItems', 'item', 'items'),
    node.uniqueItems === true ? 'no two items are the same' : undefined,
    size('minContains', 'maxContains', 'matching item', 'matching items'),
    size('minProperties', 'maxProperties', 'field', 'fields'),
    node.additionalProperties === false || node.unevaluatedProperties === false ? 'no other fields' : undefined,
    typeof node.contentEncoding === 'string' ? `encoded as ${node.contentEncoding}` : undefined,
    typeof node.contentMediaType === 'string' ? `holds ${node.contentMediaType}` : undefined,
    ...dependencies(node),
  ];
  return words.filter((word) => word !== undefined);
}

/** In Swagger 2 and OpenAPI 3.0, `exclusiveMinimum: true` changes `minimum`. From OpenAPI 3.1, it is a separate limit. */
function limits(node: Fields): (string | undefined)[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = node;
  const lower = (value: unknown, word: string) => (typeof value === 'number' ? `${word} ${value}` : undefined);
  const isAbove = exclusiveMinimum === true;
  const isBelow = exclusiveMaximum === true;
  if (typeof minimum === 'number' && typeof maximum === 'number' && !isAbove && !isBelow)
    return [`from ${minimum} to ${maximum}`];
  return [
    lower(minimum, isAbove ? 'greater than' : 'at least'),
    lower(exclusiveMinimum, 'greater than'),
    lower(maximum, isBelow ? 'less than' : 'at most'),
    lower(exclusiveMaximum, 'less than'),
  ];
}

function dependencies(node: Fields): string[] {
  const dependent = objectAt(node, 'dependentRequired') ?? {};
  return Object.keys(dependent).flatMap((name) => {
    const needed = textsAt(dependent, name);
    return needed.length === 0 ? [] : [`${name} needs ${needed.join(', ')}`];
  });
}

/** The values that a schema allows, with their meanings. */
function allowedValues(node: Fields): { value: string; description: string | undefined }[] {
  const meanings = new Map(entriesAt(node, 'x-enumDescriptions'));
  const list = listAt(node, 'x-enum-descriptions');
  const names = listAt(node, 'x-enum-varnames');
  return listAt(node, 'enum').map((value, index) => {
    const shown = valueText(value);
    const description = meanings.get(shown) ?? list[index] ?? names[index];
    return { value: shown, description: typeof description === 'string' ? description : undefined };
  });
}
