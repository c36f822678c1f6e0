import type { NormalizedNodeType } from '@redocly/openapi-core';
import { isObject } from './identity.ts';
import { isReference } from './library.ts';

export type Type = NormalizedNodeType;
/** What may stand where no object of the specification stands. */
export interface Scalar {
  name?: undefined;
  type?: string;
  enum?: readonly unknown[];
  items?: Scalar;
  minimum?: number;
  directResolveAs?: Type;
}

/** A type as it is called in messages. */
export function nounOf({ name }: Type): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/**
 * What may stand at a key: a type of the specification, a plain value, null for anything, undefined for nothing.
 */
export function expectedAt(type: Type, key: string, value: unknown): Type | Scalar | null | undefined {
  if (type.items) return resolveType(type.items, value, key);
  const own = Object.hasOwn(type.properties, key) ? type.properties[key] : undefined;
  if (own !== undefined) return resolveType(own, value, key);
  const isExtension = key.startsWith('x-') && (type.extensionsPrefix !== undefined || !type.additionalProperties);
  return isExtension ? null : resolveType(type.additionalProperties, value, key);
}

function resolveType(type: Type['items'], value: unknown, key: string): Type | Scalar | null | undefined {
  return (typeof type === 'function' ? type(value, key) : type) as Type | Scalar | null | undefined;
}

/**
 * How much a value of another file is like the type it is referred to as: `most` if more than half of its fields fit,
 * `some` if any does, `none` for anything else, such as a password or the settings of a program.
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
  const isTyped = expected !== null && expected.name !== undefined;
  return !isTyped || typeof value === 'boolean' || (typeof value === 'object' && value !== null);
}
