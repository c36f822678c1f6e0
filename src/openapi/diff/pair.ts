import type { Direction, Effect, FixedFamily, GradedFamily } from './rules.ts';
import type { Choice } from './shapes.ts';

/** A value of a document, or the value at one of its keys. */
export interface Ref {
  node: object;
  key?: string;
}

/** A difference between two schemas. */
export interface Difference {
  rule: { graded: GradedFamily } | { fixed: FixedFamily };
  effect: Effect;
  message: string;
  /** Below the schema: a path of property names, `*` for the items of an array and for properties of any other name. */
  pointer: string;
  before: Ref | undefined;
  after: Ref | undefined;
  /** Where it matters in one direction only. */
  only?: Direction;
  /** The effect where values are written as text, as in a query: there, 1 and "1" are the same. */
  asText?: Effect | 'same';
  /** Whether it does not change which values a schema accepts. */
  isAnnotation?: boolean;
}

/** Two schemas of which one became the other. */
export interface Pair {
  before: Choice;
  after: Choice;
  state: 'new' | 'compared' | 'comparing';
  differences: Difference[];
  /** Pairs of the schemas within. */
  inner: Inner[];
  /** Whether it is known that nothing differs in it, nor in any pair within. */
  isSame: boolean;
  /** What `effectsOf` found, where it is known. */
  effects: Effects | undefined;
}

export interface Inner {
  pair: Pair;
  pointer: string;
  only: Direction | undefined;
}

export interface Effects {
  narrows: boolean;
  widens: boolean;
}

/** What comparisons of a part of two schemas report to, and ask. */
export interface PairReport {
  add: (difference: Omit<Difference, 'pointer'> & { pointer?: string }) => void;
  /** Compares schemas within. Undefined stands for one that accepts everything. */
  within: (pointer: string, before: unknown, after: unknown, only?: Direction) => void;
  /** How schemas differ, all that is within included. */
  effectsOf: (before: unknown, after: unknown) => Effects;
}

export const effectOf = ({ narrows, widens }: Effects): Effect | undefined => {
  if (narrows) return widens ? 'changed' : 'narrowed';
  return widens ? 'widened' : undefined;
};

/** The effect of a schema in `not`. */
export const opposite = ({ narrows, widens }: Effects): Effects => ({ narrows: widens, widens: narrows });
