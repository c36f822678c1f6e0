import { hasMembers } from '../../shared/is-object.ts';
import type { Ref } from './pair.ts';

/**
 * Where values stand in a document, as paths of keys. Where one stands in several places, it is the first; what stands
 * nowhere in it, because it was made for a comparison, has no path.
 */
export function pathsTo(document: Record<string, unknown>, refs: readonly (Ref | undefined)[]): Map<Ref, string[]> {
  const wanted = new Map<object, Ref[]>();
  for (const ref of refs) {
    if (!ref) continue;
    const others = wanted.get(ref.node);
    if (others) others.push(ref);
    else wanted.set(ref.node, [ref]);
  }
  const paths = new Map<Ref, string[]>();
  if (wanted.size === 0) return paths;
  const above: string[] = [];
  const visited = new Set<object>();
  const visit = (node: Record<string, unknown>): void => {
    if (visited.has(node)) return;
    visited.add(node);
    for (const ref of wanted.get(node) ?? []) {
      const hasKey = ref.key !== undefined && Object.hasOwn(node, ref.key);
      paths.set(ref, hasKey && ref.key !== undefined ? [...above, ref.key] : [...above]);
    }
    wanted.delete(node);
    for (const key of Object.keys(node)) {
      const value = node[key];
      if (wanted.size === 0) return;
      if (!hasMembers(value)) continue;
      above.push(key);
      visit(value);
      above.pop();
    }
  };
  visit(document);
  return paths;
}
