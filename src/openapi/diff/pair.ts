import type { Direction, Effect, SchemaRule } from './rules.ts';
import type { Ref } from './shape.ts';
import type { Choice } from './shapes.ts';

/** A difference between two schemas. */
export interface Difference {
  rule: SchemaRule;
  effect: Effect;
  message: string;
  /** Below the schema: a path of property names, `*` for array items and for properties of any other name. */
  pointer: string;
  before: Ref | undefined;
  after: Ref | undefined;
  /** Set if it matters in one direction only. */
  only?: Direction;
  /** The effect if values are written as text, as in a query: there, 1 and "1" are the same. */
  asText?: Effect | 'same';
  /** Whether it does not change which values a schema accepts. */
  isAnnotation?: boolean;
}

/** Two schemas, the second of which replaced the first. */
export interface Pair {
  before: Choice;
  after: Choice;
  state: 'new' | 'compared' | 'comparing';
  differences: Difference[];
  /** Pairs of nested schemas. */
  inner: Inner[];
  /** Whether neither it nor any nested pair is known to differ. */
  isSame: boolean;
  /** The result of `effectsOf`, if known. */
  effects: Effects | undefined;
}

interface Inner {
  pair: Pair;
  pointer: string;
  only: Direction | undefined;
}

export interface Effects {
  narrows: boolean;
  widens: boolean;
}

/** Receives the differences between two schemas. */
export interface PairReport {
  /** @param keywords the difference is at the first of these that a schema has, or else at the schema itself */
  add(
    rule: SchemaRule,
    effect: Effect,
    message: string,
    keywords: readonly string[],
    more?: Partial<Omit<Difference, 'rule' | 'effect' | 'message'>>,
  ): void;
  /** Compares nested schemas. Undefined means a schema that accepts everything. */
  within(pointer: string, before: unknown, after: unknown, only?: Direction): void;
  /** How two schemas differ, including nested schemas. */
  effectsOf(before: unknown, after: unknown): Effects;
}

export const effectOf = ({ narrows, widens }: Effects): Effect | undefined => {
  if (narrows) return widens ? 'changed' : 'narrowed';
  return widens ? 'widened' : undefined;
};

/** The effect of a condition that was added, removed or replaced. */
export const conditionEffect = (old: unknown, now: unknown): Effect => {
  if (old === undefined) return 'narrowed';
  return now === undefined ? 'widened' : 'changed';
};

/** The effect of a nested schema that was added, removed or replaced. */
export const schemaEffect = (report: PairReport, old: unknown, now: unknown): Effect | undefined =>
  old === undefined || now === undefined ? conditionEffect(old, now) : effectOf(report.effectsOf(old, now));

/** What happened to a keyword: `is new`, `was removed` or `changed`. */
export const eventText = (keyword: string, old: unknown, now: unknown): string =>
  `${keyword} ${old === undefined ? 'is new' : now === undefined ? 'was removed' : 'changed'}`;
