import * as z from 'zod/mini';
import { isObject } from '../shared/is-object.ts';

export type Json = Record<string, unknown>;
type Schema = z.core.$ZodType;
/** Whether a value is an input or an output: members with a default may be left out of an input. */
type Way = 'input' | 'output';

/** Schemas that others refer to by name. */
export interface Components {
  /** Where they are in the document, as the start of a reference: `#/components/schemas/`. */
  address: string;
  schemas: Json;
}

/** A schema as JSON Schema. Objects of a named type, and recursive ones, are moved to the components. */
export function schemaOf(schema: Schema, io: Way, components: Components): Json {
  // Inside another object, a recursive schema is referred to by name and not as the root.
  const { properties = {}, $defs: defs = {} } = z.toJSONSchema(z.object({ schema }), { io, unrepresentable: 'any' });
  const names = new Map(Object.entries(defs).map(([key, def]) => [key, componentName(key, def)]));
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' && typeof member === 'string'
        ? `${components.address}${names.get(member.slice(member.lastIndexOf('/') + 1))}`
        : rename(member),
    ]);
    return Object.fromEntries(entries);
  };
  for (const [key, name] of names) {
    if (!(name in components.schemas)) components.schemas[name] = lift(rename(defs[key]), components, io, name);
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
function lift(value: unknown, components: Components, io: Way, itself?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => lift(item, components, io));
  if (typeof value !== 'object' || value === null) return value;
  const lifted = Object.fromEntries(Object.entries(value).map(([key, member]) => [key, lift(member, components, io)]));
  // An answer may have more members: clients let them pass through.
  if (io === 'output' && lifted.additionalProperties === false) delete lifted.additionalProperties;
  const name = typeName(lifted);
  if (name === undefined || name === itself) return lifted;
  const component = components.schemas[name];
  if (component !== undefined && JSON.stringify(component) !== JSON.stringify(lifted)) return lifted;
  components.schemas[name] = lifted;
  return { $ref: `${components.address}${name}` };
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
