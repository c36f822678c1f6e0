import fc from 'fast-check';
import { toJSONSchema } from 'zod/mini';
import type { Endpoint } from '../../../src/contract/endpoint.ts';
import { groupNames, loadGroup } from '../../../src/contract/groups.ts';
import { isObject } from '../../../src/shared/is-object.ts';

/** Random choices of one request, which a seed repeats. */
export type Random = (below: number) => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x6d2b79f5) >>> 0;
    return Math.floor((((state ^ (state >>> 13)) >>> 0) / 2 ** 32) * below);
  };
}

/** Other services, files and random numbers are not the database's. */
const excluded = /^(?:instance|imports?)\.|import|pdf|wellKnown|version|subdomain/i;

/** All endpoints that only ask or change the database. */
export async function allEndpoints(): Promise<Endpoint[]> {
  const groups = await Promise.all(groupNames.map(loadGroup));
  return groups.flatMap((group) => Object.values(group)).filter(({ name }) => !excluded.test(name));
}

const words = ['a\0b', 'Alpha', 'Beta', 'gamma', 'Ärger', '表', 'a b', '%_', "O'Neil", '\\', 'ALPHA', ''];

export interface Ids {
  /** An ID of an object of this kind, or of any. */
  pick(kind: string, random: Random): string;
}

/** A value that usually fits the schema. */
export function valueFor(schema: unknown, name: string, ids: Ids, random: Random): unknown {
  if (!isObject(schema)) return words[random(words.length)];
  const variants = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(variants)) return valueFor(variants[random(variants.length)], name, ids, random);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][random(schema['enum'].length)] as unknown;
  switch (schema['type']) {
    case 'null':
      return null;
    case 'boolean':
      return random(2) === 0;
    case 'integer':
    case 'number':
      return [0, 1, 2, 50, -1][random(5)];
    case 'array':
      return Array.from({ length: random(3) }, () => valueFor(schema['items'], name, ids, random));
    case 'object':
      return objectFor(schema, ids, random);
    default:
      return textFor(name, ids, random);
  }
}

function objectFor(schema: Record<string, unknown>, ids: Ids, random: Random): Record<string, unknown> {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const properties = isObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([key, member]) =>
      (required.includes(key) ? random(20) === 0 : random(5) > 2) ? [] : [[key, valueFor(member, key, ids, random)]],
    ),
  );
}

const parts = ['m1', 'EXAMPLE', 'eta', 'am', 'Member 2', 'heading', 'body', 'Alpha'];

function textFor(name: string, ids: Ids, random: Random): string {
  if (/^(?:search|query|title)$/.test(name) && random(3) > 0) return parts[random(parts.length)]!;
  const kind = /^(.*?)(?:Ids?|_id)?s?$/.exec(name)?.[1] ?? name;
  const isReference =
    /(?:Id|Ids|_id)$|^(?:parent|space|page|team|user|member|members|id|after|before|into|users|teams)$/.test(name);
  if (isReference && random(8) > 0) return ids.pick(kind, random);
  if (/mail/.test(name)) return `m${random(4)}@example.org`;
  if (/slug|path|hostname|^name$/.test(name)) return ['alpha', 'beta', 'a-b', 'gamma', 'ALPHA'][random(5)]!;
  if (/markdown|text|content|body/.test(name))
    return `# ${words[random(words.length)]}\n\nSome ${words[random(words.length)]}.\n`;
  return words[random(words.length)]!;
}

const schemas = new Map<string, unknown>();

/** The JSON Schemas of the query and the body of an endpoint. */
export function schemaOf(endpoint: Endpoint, what: 'query' | 'body'): unknown {
  const key = `${endpoint.name} ${what}`;
  if (!schemas.has(key)) {
    const make = endpoint[what];
    schemas.set(key, make && toJSONSchema(make(), { io: 'input', unrepresentable: 'any' }));
  }
  return schemas.get(key);
}

/** Whether a list is searched. */
export function isSearch(endpoint: Endpoint): boolean {
  const schema = schemaOf(endpoint, 'query');
  const properties = isObject(schema) && isObject(schema['properties']) ? schema['properties'] : {};
  return ['search', 'query', 'title'].some((name) => name in properties);
}

/** Half of the requests change something, and a quarter search a list. */
export const choices = fc.record({
  endpoint: fc.nat(10_000),
  kind: fc.constantFrom('read' as const, 'search' as const, 'write' as const, 'write' as const),
  person: fc.constantFrom('admin' as const, 'admin' as const, 'admin' as const, 'reader' as const),
  seed: fc.nat(2 ** 30),
});
