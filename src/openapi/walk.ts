import { isObject } from './identity.ts';
import { childOf, isMappingReference, isReference, type Library, type Place, type Target } from './library.ts';
import { expectedAt, likeness, nounOf, type Type } from './expected.ts';

export interface Visitor {
  /** A value of a type of the specification, each once. */
  node(place: Place, type: Type): void;
  /** A reference where a value of a type may stand; undefined where anything may stand that looks like one. */
  reference(place: Place, reference: string, type: Type | undefined, target: Target): void;
}

/**
 * Walks all that a description says, through its references, whichever file they lead to. It does not call itself from
 * reference to reference: some hundred schemas that refer to each other would overflow the stack.
 */
export function walk(root: Place, rootType: Type, library: Library, visitor: Visitor): void {
  const seen = new Map<unknown, Set<string> | string>();
  const waiting: [Place, Type][] = [[root, rootType]];
  // It grows while it is gone through.
  for (const next of waiting) {
    const inside = [next];
    for (let inner = inside.pop(); inner; inner = inside.pop()) {
      const [place, type] = inner;
      if (!isFirst(seen, place.node, type.name)) continue;
      if (isReference(place.node)) refer(place, place.node.$ref, type);
      else visitor.node(place, type);
      if (type.name === 'Example') referToValue(place);
      // Not spread into the call: there are more children than a call takes arguments.
      for (const child of typedChildren(place, type).toReversed()) inside.push(child);
    }
  }

  function typedChildren(place: Place, type: Type): [Place, Type][] {
    const { node } = place;
    if (typeof node !== 'object' || node === null) return [];
    return Object.keys(node).flatMap((key): [Place, Type][] => {
      const child = childOf(place, key);
      const expected = key === '$ref' || !child ? undefined : expectedAt(type, key, child.node);
      if (!child || expected === undefined) return [];
      if (expected?.name !== undefined) return [[child, expected]];
      const mapped = expected?.directResolveAs;
      if (mapped && isMappingReference(child.node)) refer(child, child.node, mapped);
      else if (isReference(child.node)) refer(child, child.node.$ref, undefined);
      return [];
    });
  }

  /** An example may stand in a file of its own, or at an address that is nobody's business here. */
  function referToValue(example: Place): void {
    const value = childOf(example, 'externalValue');
    if (typeof value?.node !== 'string') return;
    const target = library.resolve(value.node, value.document);
    if (target.place || ('refused' in target && target.refused)) {
      visitor.reference(value, value.node, undefined, target);
    }
  }

  function refer(place: Place, reference: string, type: Type | undefined): void {
    const target = asPart(library.resolve(reference, place.document), type);
    visitor.reference(place, reference, type, target);
    if (type && target.place) waiting.push([target.place, type]);
  }

  /** Leaves out what another file holds where it is nothing like what is expected there. */
  function asPart(target: Target, type: Type | undefined): Target {
    if (!type || !target.place || target.place.document === root.document) return target;
    const { node, document } = target.place;
    const like = likeness(node, type);
    if (like === 'none') return { reason: `leads to a value that is no ${nounOf(type)}`, refused: 'content' };
    if (like === 'most' && typeof node === 'object' && node !== null) document.parts.add(node);
    return target;
  }
}

function isFirst(seen: Map<unknown, Set<string> | string>, node: unknown, type: string): boolean {
  if (!isObject(node) && !Array.isArray(node)) return true;
  const types = seen.get(node);
  if (types === type || (typeof types === 'object' && types.has(type))) return false;
  // Nearly all values are met as one type only; a set for each would take much memory.
  seen.set(
    node,
    types === undefined
      ? type
      : new Set([types, type].flatMap((known) => (typeof known === 'string' ? known : [...known]))),
  );
  return true;
}
