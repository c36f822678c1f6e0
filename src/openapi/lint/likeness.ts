import type { NormalizedNodeType } from '@redocly/openapi-core';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { isReference } from '../parse/reference.ts';

type Type = NormalizedNodeType;
type TypeOrRule = Type['items'];
/** What is allowed at a key: a type of the specification, a plain value, null for anything, undefined for nothing. */
type Expected = Exclude<TypeOrRule, (...args: never[]) => unknown>;

/** The name of a type in messages. */
export function nounOf({ name }: Type): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** Whether any value is allowed at a place, such as in an extension or an example. */
export const allowsAnything = ({ name }: Type): boolean =>
  name === 'scalar' || name === 'SpecExtension' || name === exampleType;

/** The type of values within examples. */
export const exampleType = 'ExampleValue';

/**
 * How well a value of another file fits the type that the reference expects: `most` if more than half of its fields
 * fit, `some` if any does, `none` for anything else, such as a password or the settings of a program.
 */
export function likeness(node: unknown, type: Type): 'most' | 'some' | 'none' {
  if (isReference(node)) return 'some';
  if (type.items) return Array.isArray(node) ? (node.every(isObject) ? 'most' : 'some') : 'none';
  // From JSON Schema's sixth draft on, a schema may be just true or false.
  if (typeof node === 'boolean' && type.name === 'Schema') return 'most';
  if (!isObject(node)) return 'none';
  const keys = Object.keys(node);
  const fitting = keys.filter((key) => fits(type, key, node[key])).length;
  if (keys.length === 0 || fitting * 2 > keys.length) return 'most';
  return fitting > 0 ? 'some' : 'none';
}

function fits(type: Type, key: string, value: unknown): boolean {
  const expected = expectedAt(type, key, value);
  if (expected === undefined) return false;
  const isTyped = expected !== null && expected.name !== undefined && expected.name !== 'SpecExtension';
  return !isTyped || typeof value === 'boolean' || hasMembers(value);
}

function expectedAt(type: Type, key: string, value: unknown): Expected {
  const property = Object.hasOwn(type.properties, key) ? type.properties[key] : undefined;
  if (property !== undefined) return resolveType(property, value, key);
  // Any keyword is allowed in a schema of 3.1, so an unknown one says nothing about what the value is.
  if (type.name === 'Schema') return undefined;
  const isExtension = key.startsWith('x-') && !type.additionalProperties;
  return isExtension ? null : resolveType(type.additionalProperties, value, key);
}

const resolveType = (type: TypeOrRule, value: unknown, key: string): Expected =>
  typeof type === 'function' ? type(value, key) : type;
