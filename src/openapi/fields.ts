import { isObject } from '../shared/is-object.ts';

export type Fields = Record<string, unknown>;

/** The fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The items of an array; none for anything else. */
export const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The text at a key; undefined for anything else. */
export function textAt(node: Fields, key: string): string | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The object at a key; undefined for anything else. */
export function objectAt(node: Fields, key: string): Fields | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** The items at a key; none for anything else. */
export const listAt = (node: Fields, key: string): unknown[] =>
  itemsOf(Object.hasOwn(node, key) ? node[key] : undefined);

/** The fields of the object at a key; none for anything else. */
export const entriesAt = (node: Fields, key: string): [string, unknown][] => Object.entries(objectAt(node, key) ?? {});

/** The texts among the items at a key. */
export const textsAt = (node: Fields, key: string): string[] =>
  listAt(node, key).filter((item): item is string => typeof item === 'string');

/** Descriptions mark internal parts in several ways. */
export const isInternal = (node: Fields): boolean => node['x-internal'] === true || node['x-gitbook-ignore'] === true;

/** A value as people read it. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
