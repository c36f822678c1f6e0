import { safeParse, type z } from 'zod/mini';
import { definitionOf } from './definition.ts';
import { isObject } from '../shared/is-object.ts';
import { nearest } from '../shared/suggest.ts';

type Schema = z.core.$ZodType;

/** A member that a schema does not have. */
export interface UnknownKey {
  at: readonly PropertyKey[];
  /** The member that was meant, if the name is close to one that is absent. */
  near: string | undefined;
  /** The members that there are. */
  names: string[];
}

export interface CheckedKeys {
  unknown: UnknownKey[];
  /** A copy with the members that the schema has; misspelled ones have the name that was meant. */
  value: unknown;
}

/** Looks for members that a schema does not have, at every depth. Only records take members of any name. */
export function checkKeys(schema: Schema, value: unknown): CheckedKeys {
  const unknown: UnknownKey[] = [];
  return { value: new KeyCheck(unknown).visit(schema, value, []), unknown };
}

/** What a schema has of a value, and the paths of what it does not have. */
export function knownMembers(schema: Schema, value: unknown): { value: unknown; unknown: string[] } {
  const unknown: UnknownKey[] = [];
  const known = new KeyCheck(unknown, { corrects: false }).visit(schema, value, []);
  return { value: known, unknown: unknown.map(({ at }) => at.join('.')) };
}

class KeyCheck {
  readonly #unknown: UnknownKey[];
  readonly #options: { corrects: boolean };

  constructor(unknown: UnknownKey[], options = { corrects: true }) {
    this.#unknown = unknown;
    this.#options = options;
  }

  visit(schema: Schema, value: unknown, at: readonly PropertyKey[]): unknown {
    const def = definitionOf(schema);
    switch (def.type) {
      case 'array':
        return Array.isArray(value) ? value.map((item, index) => this.visit(def.element, item, [...at, index])) : value;
      case 'record':
        return isObject(value)
          ? Object.fromEntries(
              Object.entries(value).map(([key, item]) => [key, this.visit(def.valueType, item, [...at, key])]),
            )
          : value;
      case 'object':
        return isObject(value) ? this.#object(def.shape, value, at) : value;
      case 'union':
        return this.#union(def.options, value, at);
      case 'lazy':
        return this.visit(def.getter(), value, at);
      default:
        return 'innerType' in def ? this.visit(def.innerType, value, at) : value;
    }
  }

  #object(shape: Readonly<Record<string, Schema>>, value: Record<string, unknown>, at: readonly PropertyKey[]) {
    const names = Object.keys(shape);
    const free = names.filter((name) => !Object.hasOwn(value, name));
    const members: [string, unknown][] = [];
    for (const [key, member] of Object.entries(value)) {
      const here = [...at, key];
      const own = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (own) {
        members.push([key, this.visit(own, member, here)]);
        continue;
      }
      const near = this.#options.corrects ? nearest(key, free) : undefined;
      this.#unknown.push({ at: here, near, names });
      const meant = near === undefined ? undefined : shape[near];
      if (near !== undefined && meant) members.push([near, this.visit(meant, member, here)]);
    }
    return Object.fromEntries(members);
  }

  /** Members are those of the alternative that fits best: one that takes the value, else one of its kind. */
  #union(options: readonly Schema[], value: unknown, at: readonly PropertyKey[]): unknown {
    const [best] = options
      .map((option) => {
        const unknown: UnknownKey[] = [];
        const copy = new KeyCheck(unknown, this.#options).visit(option, value, at);
        const misfit = isAccepted(option, copy) ? 0 : isOfKind(option, value) ? 100 : 1_000;
        return { unknown, copy, cost: misfit + unknown.length };
      })
      .toSorted((one, other) => one.cost - other.cost);
    if (!best) return value;
    this.#unknown.push(...best.unknown);
    return best.copy;
  }
}

const isAccepted = (schema: Schema, value: unknown) => safeParse(schema, value).success;

/** Whether a value is an array, an object or neither as the schema says, and has the constants of an object. */
function isOfKind(schema: Schema, value: unknown): boolean {
  const def = definitionOf(schema);
  if (def.type === 'lazy') return isOfKind(def.getter(), value);
  if (def.type === 'array') return Array.isArray(value);
  if (def.type !== 'object') return !isObject(value) && !Array.isArray(value);
  return (
    isObject(value) &&
    Object.entries(def.shape).every(([key, member]) => {
      const constant = definitionOf(member);
      return (
        constant.type !== 'literal' || !Object.hasOwn(value, key) || constant.values.some((each) => each === value[key])
      );
    })
  );
}
