import { decodeAddress } from '../../shared/decode.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { unescapeSegment } from '../../shared/json-pointer.ts';

export function isReference(node: unknown): node is { $ref: string } {
  return isObject(node) && Object.hasOwn(node, '$ref') && typeof node.$ref === 'string';
}

/** Whether a value is a reference without other fields. */
export function isPlainReference(node: unknown): node is { $ref: string } {
  return isReference(node) && Object.keys(node).length === 1;
}

/** Whether a value of a discriminator's mapping is a reference. It may also be the name of a schema. */
export function isMappingReference(value: unknown): value is string {
  return typeof value === 'string' && (/[#/]/.test(value) || /\.(?:json|ya?ml)$/i.test(value));
}

export function splitReference(reference: string): [file: string, fragment: string] {
  const hash = reference.indexOf('#');
  return hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
}

/** The value that a fragment with a JSON Pointer leads to, if there is one. */
export function valueAt(document: unknown, fragment: string): unknown {
  let value = document;
  for (const key of segmentsOf(fragment)) {
    if (!hasMembers(value) || !Object.hasOwn(value, key)) return undefined;
    value = value[key];
  }
  return value;
}

/** The keys of the JSON Pointer in the fragment of a reference. */
export function segmentsOf(fragment: string): string[] {
  return fragment
    .split('/')
    .slice(1)
    .map((segment) => unescapeSegment(decodeAddress(segment)));
}
