import { isObject } from '../../shared/is-object.ts';

export type Node = Record<string, unknown>;

/** The text at a key; undefined for anything else. */
export function textAt(node: Node, key: string): string | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The object at a key; undefined for anything else. */
export function objectAt(node: Node, key: string): Node | undefined {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return isObject(value) ? value : undefined;
}

/** The items at a key; none for anything else. */
export function listAt(node: Node, key: string): unknown[] {
  const value = Object.hasOwn(node, key) ? node[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** The fields of the object at a key; none for anything else. */
export const entriesAt = (node: Node, key: string): [string, unknown][] => Object.entries(objectAt(node, key) ?? {});

/** The texts among the items at a key. */
export const textsAt = (node: Node, key: string): string[] =>
  listAt(node, key).filter((item): item is string => typeof item === 'string');

/** Descriptions mark what is not for readers in several ways. */
export const isInternal = (node: Node): boolean => node['x-internal'] === true || node['x-gitbook-ignore'] === true;

/** A value as people read it. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}
