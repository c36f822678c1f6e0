import { hasMembers, isObject } from '../../shared/is-object.ts';
import { isReference } from '../parse/reference.ts';
import type { Shapes } from './shapes.ts';

/** Keywords that do not matter to users of an API. */
const annotations = new Set(['title', 'description', 'summary', 'example', 'examples', 'externalDocs', '$comment']);
/** Keywords whose members have arbitrary names. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions', 'mapping']);
/** Keywords whose values are not schemas. */
const values = new Set(['enum', 'const', 'default']);

type Kind = 'schema' | 'map' | 'value';
/** The targets of references in the new document, by those in the old one. */
type Targets = Map<object, object>;

/**
 * Finds schemas of two documents that are written alike, including the schemas they refer to. These need no comparison, and
 * between two versions of a description, most schemas are like this.
 */
export class SameSchemas {
  readonly #oldShapes: Shapes;
  readonly #newShapes: Shapes;
  readonly #same: Targets = new Map();
  readonly #different = new Map<object, Set<object>>();

  constructor(oldShapes: Shapes, newShapes: Shapes) {
    this.#oldShapes = oldShapes;
    this.#newShapes = newShapes;
  }

  has(before: unknown, after: unknown): boolean {
    const targets: Targets = new Map();
    if (!this.#isAlike(before, after, 'schema', targets)) return false;
    const [first, ...others] = targets;
    if (this.#areAlike(targets)) return true;
    if (first && others.length === 0) this.#setDifferent(...first);
    return false;
  }

  #areAlike(targets: Targets): boolean {
    // The loop adds entries to its own map.
    for (const [old, now] of targets) {
      if (this.#same.get(old) === now) continue;
      if (!this.#different.get(old)?.has(now) && this.#isAlike(old, now, 'schema', targets)) continue;
      this.#setDifferent(old, now);
      return false;
    }
    for (const [old, now] of targets) this.#same.set(old, now);
    return true;
  }

  #setDifferent(old: object, now: object): void {
    const others = this.#different.get(old) ?? new Set();
    this.#different.set(old, others.add(now));
  }

  /** Whether two values are equal except for the targets of their references, which are added to `targets`. */
  #isAlike(before: unknown, after: unknown, kind: Kind, targets: Targets): boolean {
    if (!hasMembers(before) || !hasMembers(after)) return before === after;
    if (Array.isArray(before) !== Array.isArray(after)) return false;
    const isRelevant = (key: string) => kind !== 'schema' || !annotations.has(key);
    let count = 0;
    for (const key of Object.keys(after)) if (isRelevant(key)) count += 1;
    for (const key of Object.keys(before)) {
      if (!isRelevant(key)) continue;
      count -= 1;
      if (!Object.hasOwn(after, key)) return false;
      const inner = Array.isArray(before) ? kind : kindOf(kind, key);
      if (!this.#isAlike(before[key], after[key], inner, targets)) return false;
    }
    return count === 0 && (kind !== 'schema' || this.#addTargets(before, after, targets));
  }

  #addTargets(before: unknown, after: unknown, targets: Targets): boolean {
    // The target depends on where the schema is used.
    if (isObject(before) && Object.hasOwn(before, '$dynamicRef')) return false;
    if (!isObject(before) || !isReference(before)) return true;
    const [old, now] = [this.#oldShapes.follow(before), this.#newShapes.follow(after)];
    if (!hasMembers(old) || !hasMembers(now)) return false;
    if (targets.has(old)) return targets.get(old) === now;
    targets.set(old, now);
    return true;
  }
}

function kindOf(kind: Kind, key: string): Kind {
  if (kind !== 'schema') return kind === 'map' ? 'schema' : 'value';
  if (maps.has(key)) return 'map';
  return values.has(key) ? 'value' : 'schema';
}
