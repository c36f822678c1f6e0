import { nameOf } from '../../shared/name-of.ts';
import { formatDate, isDateTime } from './date.ts';
import { hasMembers } from '../../shared/is-object.ts';
import type { Kind } from './options.ts';

/** Copies the value at a dotted path to the same path of `target`. @returns whether there was one */
export function copyAt(item: unknown, path: string, target: object): boolean {
  if (!hasMembers(item)) return false;
  if (Object.hasOwn(item, path)) return Reflect.set(target, path, item[path]);
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const child = Object.hasOwn(item, head) ? item[head] : undefined;
    if (!hasMembers(child)) continue;
    const before: unknown = Reflect.get(target, head);
    const copy = hasMembers(before) ? before : emptyLike(child);
    if (!copyAt(child, path.slice(dot + 1), copy)) continue;
    return Reflect.set(target, head, copy);
  }
  return false;
}

/** An empty array for an array, else an object without a prototype, where `__proto__` is a member like any other. */
export const emptyLike = (value: unknown): object => (Array.isArray(value) ? [] : Object.create(null));

// Deeper values are written as JSON, so that no data can exhaust the stack.
const maxDepth = 12;

/** The paths of all single values below an item, in its order. Arrays and empty objects count as one value. */
export function leavesOf(item: unknown, depth = maxDepth, prefix = ''): string[] {
  if (!hasMembers(item)) return [];
  return Object.keys(item).flatMap((key) => {
    const value = item[key];
    const isBranch = depth > 1 && hasMembers(value) && !Array.isArray(value) && Object.keys(value).length > 0;
    return isBranch ? leavesOf(value, depth - 1, `${prefix}${key}.`) : [prefix + key];
  });
}

/** The whole value as text, for programs. */
export function plainText(value: unknown, kind?: Kind): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (value === null) return kind === 'role' ? 'guest' : '';
  if (!hasMembers(value)) return String(value);
  if (Array.isArray(value) && value.every(isUnambiguous)) return value.join(',');
  return JSON.stringify(value);
}

function isUnambiguous(value: unknown): boolean {
  return value !== null && !hasMembers(value) && !String(value).includes(',');
}

/** A short text of a value, for people. Not yet safe to show: see `visible`. */
export function shortText(value: unknown, kind: Kind | undefined, now: Date | undefined): string {
  if (value === undefined) return '';
  if (value === null) return kind === 'role' ? 'guest' : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (kind === 'date' && isDateTime(value)) return formatDate(value, now);
  if (Array.isArray(value)) return value.map((each) => shortText(each, undefined, now)).join(', ');
  return hasMembers(value) ? (nameOf(value) ?? JSON.stringify(value)) : String(value);
}
