import { formatDate, isDateTime } from './date.ts';
import type { Kind } from './options.ts';

type Item = Record<string, unknown>;

export function isObject(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}

/** What lies at a dotted path. Only own members count: a path never reaches a prototype. */
export function valueAt(item: unknown, path: string): unknown {
  if (!isObject(item)) return undefined;
  if (Object.hasOwn(item, path)) return item[path];
  // A name may hold dots itself, so every way to cut the path is tried, the shortest head first.
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const found = Object.hasOwn(item, head) ? valueAt(item[head], path.slice(dot + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Puts what lies at a dotted path to the same place of `target`. Gives whether there was anything. */
export function copyAt(item: unknown, path: string, target: Item): boolean {
  if (!isObject(item)) return false;
  if (Object.hasOwn(item, path)) {
    target[path] = item[path];
    return true;
  }
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const child = Object.hasOwn(item, head) ? item[head] : undefined;
    if (!isObject(child)) continue;
    const into = (target[head] ?? emptyLike(child)) as Item;
    if (!copyAt(child, path.slice(dot + 1), into)) continue;
    target[head] = into;
    return true;
  }
  return false;
}

/** An object without a prototype: a member called `__proto__` is then like any other. */
export function emptyLike(value: unknown): Item {
  return Array.isArray(value) ? ([] as unknown as Item) : (Object.create(null) as Item);
}

// Deeper values are written as JSON, so that no data can exhaust the stack.
const maxDepth = 12;

/** The paths of all single values below an item, in its order. Arrays and empty objects count as one value. */
export function leavesOf(item: unknown, depth = maxDepth, prefix = ''): string[] {
  if (!isObject(item)) return [];
  return Object.keys(item).flatMap((key) => {
    const value = item[key];
    const isBranch = depth > 1 && isObject(value) && !Array.isArray(value) && Object.keys(value).length > 0;
    return isBranch ? leavesOf(value, depth - 1, `${prefix}${key}.`) : [prefix + key];
  });
}

/** All of a value as text, for machines. */
export function plainText(value: unknown, kind?: Kind): string {
  if (typeof value === 'string') return value;
  if (value === undefined) return '';
  if (value === null) return kind === 'role' ? 'guest' : '';
  if (!isObject(value)) return String(value);
  if (Array.isArray(value) && value.every(isUnambiguous)) return value.join(',');
  return JSON.stringify(value);
}

function isUnambiguous(value: unknown): boolean {
  return value !== null && !isObject(value) && !String(value).includes(',');
}

/** A value in as few words as people need. Not yet safe to show: see `visible`. */
export function shortText(value: unknown, kind: Kind | undefined, now: Date | undefined): string {
  if (value === undefined) return '';
  if (value === null) return kind === 'role' ? 'guest' : '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (kind === 'date' && isDateTime(value)) return formatDate(value, now);
  if (Array.isArray(value)) return value.map((each) => shortText(each, undefined, now)).join(', ');
  return isObject(value) ? (nameOf(value) ?? JSON.stringify(value)) : String(value);
}

/** What people call an object, if it has such a member. */
export function nameOf(item: Item): string | undefined {
  const name = ['displayName', 'title', 'name', 'label', 'subject', 'email', 'slug', 'path', 'id']
    .filter((key) => Object.hasOwn(item, key))
    .map((key) => item[key])
    .find((value) => typeof value === 'string' && value !== '');
  return name as string | undefined;
}
