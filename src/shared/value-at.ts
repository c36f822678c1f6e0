import { hasMembers } from './is-object.ts';

/** The value at a dotted path. Only own members count: a path never reaches a prototype. */
export function valueAt(item: unknown, path: string): unknown {
  if (!hasMembers(item)) return undefined;
  if (Object.hasOwn(item, path)) return item[path];
  // A name may contain dots itself, so every way to split the path is tried, the shortest head first.
  for (let dot = path.indexOf('.'); dot !== -1; dot = path.indexOf('.', dot + 1)) {
    const head = path.slice(0, dot);
    const value = Object.hasOwn(item, head) ? valueAt(item[head], path.slice(dot + 1)) : undefined;
    if (value !== undefined) return value;
  }
  return undefined;
}
