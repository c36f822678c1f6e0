import { hasMembers } from '../../shared/is-object.ts';
import { expectedAt, likeness, nounOf, type Type } from './expected.ts';
import type { Documents } from '../parse/documents.ts';
import { childOf, childrenOf, type Place, type Target } from '../parse/place.ts';
import { isMappingReference, isReference } from '../parse/reference.ts';

export interface Visitor {
  /** A value of a type of the specification, each once. */
  node(place: Place, type: Type): void;
  /** A reference; without a type where any value is allowed, so that it may only look like a reference. */
  reference(place: Place, reference: string, type: Type | undefined, target: Target): void;
}

/**
 * Walks all values of a description and follows its references into other files. It is not recursive from reference to
 * reference: some hundred schemas that refer to each other would overflow the stack.
 */
export function walk(root: Place, rootType: Type, documents: Documents, visitor: Visitor): void {
  const visited = new Map<unknown, Set<string> | string>();
  const waiting: [Place, Type][] = [[root, rootType]];
  // The loop adds items to its own list.
  for (const next of waiting) {
    const inside = [next];
    for (let inner = inside.pop(); inner; inner = inside.pop()) {
      const [place, type] = inner;
      if (!isFirst(visited, place.node, type.name)) continue;
      if (isReference(place.node)) refer(place, place.node.$ref, type);
      else visitor.node(place, type);
      if (type.name === 'Example') referToValue(place);
      // Not spread into the call: there may be more children than a call takes arguments.
      for (const child of typedChildren(place, type).toReversed()) inside.push(child);
    }
  }

  function typedChildren(place: Place, type: Type): [Place, Type][] {
    return childrenOf(place).flatMap((child): [Place, Type][] => {
      const expected = child.key === '$ref' ? undefined : expectedAt(type, child.key, child.node);
      if (expected === undefined) return [];
      if (expected?.name !== undefined) return [[child, expected]];
      const mapped = expected?.directResolveAs;
      if (mapped && isMappingReference(child.node)) refer(child, child.node, mapped);
      else if (isReference(child.node)) refer(child, child.node.$ref, undefined);
      return [];
    });
  }

  /** An example may be in a separate file. Addresses that are not of files are not checked. */
  function referToValue(example: Place): void {
    const value = childOf(example, 'externalValue');
    if (typeof value?.node !== 'string') return;
    const target = documents.resolve(value.node, value.document);
    if (target.place || ('refused' in target && target.refused)) {
      visitor.reference(value, value.node, undefined, target);
    }
  }

  function refer(place: Place, reference: string, type: Type | undefined): void {
    const target = asPart(documents.resolve(reference, place.document), type);
    visitor.reference(place, reference, type, target);
    if (type && target.place) waiting.push([target.place, type]);
  }

  /** Leaves out the value of another file where it does not look like the expected type. */
  function asPart(target: Target, type: Type | undefined): Target {
    if (!type || !target.place || target.place.document === root.document) return target;
    const { node, document } = target.place;
    const like = likeness(node, type);
    if (like === 'none') return { reason: `leads to a value that is no ${nounOf(type)}`, refused: 'content' };
    if (like === 'most' && hasMembers(node)) document.parts.add(node);
    return target;
  }
}

/** Whether a value was not visited as this type before. */
function isFirst(visited: Map<unknown, Set<string> | string>, node: unknown, type: string): boolean {
  if (!hasMembers(node)) return true;
  const types = visited.get(node);
  if (types === type || (typeof types === 'object' && types.has(type))) return false;
  // Nearly all values are visited as one type only: a set for each would take much memory.
  if (typeof types === 'object') types.add(type);
  else visited.set(node, types === undefined ? type : new Set([types, type]));
  return true;
}
