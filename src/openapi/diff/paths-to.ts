import { hasMembers } from '../../shared/is-object.ts';
import type { Ref } from './shape.ts';

/**
 * The paths of values in a document. A value in several places has the path of the first. A value that is not in the
 * document, because it was created for the comparison, has none.
 */
export function pathsTo(document: Record<string, unknown>, refs: readonly (Ref | undefined)[]): Map<Ref, string[]> {
  const remaining = Map.groupBy(
    refs.filter((ref) => ref !== undefined),
    ({ node }) => node,
  );
  const paths = new Map<Ref, string[]>();
  if (remaining.size === 0) return paths;
  const above: string[] = [];
  const visited = new Set<object>();
  const visit = (node: Record<string, unknown>): void => {
    if (visited.has(node)) return;
    visited.add(node);
    for (const ref of remaining.get(node) ?? []) {
      const { key } = ref;
      paths.set(ref, key !== undefined && Object.hasOwn(node, key) ? [...above, key] : [...above]);
    }
    remaining.delete(node);
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (remaining.size === 0) return;
      if (!hasMembers(value)) continue;
      above.push(key);
      visit(value);
      above.pop();
    }
  };
  visit(document);
  return paths;
}
