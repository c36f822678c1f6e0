import { compareArrays } from './compare-arrays.ts';
import { compareConditions } from './compare-conditions.ts';
import { compareObjects } from './compare-objects.ts';
import { compareAnnotations, compareScalars, compareTypes, compareValues } from './compare-values.ts';
import { matchOptions, optionText, type Matches } from './match-options.ts';
import type { Difference, Effects, Inner, Pair, PairReport } from './pair.ts';
import { sourceOf, type Shape } from './shape.ts';
import { SameSchemas } from './same-schemas.ts';
import { nameOf, Shapes, type Choice } from './shapes.ts';

/** How many shapes are compared with others. GitHub's description needs a fifth of this. */
const maxWork = 500_000;
/** How many pairs one trial looks at, and how many all of them together. */
const maxTrial = 5_000;
const maxTrials = 2_000_000;
const maxNesting = 6;

/** Schemas of one document compared with those of another. Each two are compared once. */
export class Pairs {
  readonly oldShapes: Shapes;
  readonly newShapes: Shapes;
  readonly #sameSchemas: SameSchemas;
  readonly #bySchema = new Map<unknown, Map<unknown, Pair>>();
  readonly #pairs = new Map<string, Pair>();
  #trials = 0;
  #work = 0;
  #nesting = 0;

  constructor(oldShapes: Shapes, newShapes: Shapes) {
    this.oldShapes = oldShapes;
    this.newShapes = newShapes;
    this.#sameSchemas = new SameSchemas(oldShapes, newShapes);
  }

  /** Whether there is more to compare than is compared. */
  get isExhausted(): boolean {
    return this.#work > maxWork;
  }

  of(before: unknown, after: unknown): Pair {
    const byAfter = this.#bySchema.get(before) ?? new Map<unknown, Pair>();
    this.#bySchema.set(before, byAfter);
    let pair = byAfter.get(after);
    // Even finding out what a schema consists of takes long where schemas are entangled.
    if (!pair && this.isExhausted) return samePair;
    if (!pair) {
      const isSame = this.#sameSchemas.has(before, after);
      pair = isSame ? samePair : this.#pairOf(this.oldShapes.choiceOf(before), this.newShapes.choiceOf(after));
      byAfter.set(after, pair);
    }
    return pair;
  }

  #pairOf(before: Choice, after: Choice): Pair {
    const key = `${before.id} ${after.id}`;
    let pair = this.#pairs.get(key);
    if (!pair) {
      pair = { before, after, state: 'new', differences: [], inner: [], isSame: false, effects: undefined };
      this.#pairs.set(key, pair);
      this.#work += Math.max(1, before.options.length * after.options.length);
    }
    return pair;
  }

  /** Compares the two schemas of a pair, and finds the pairs within. */
  compare(pair: Pair): void {
    if (pair.state !== 'new') return;
    if (this.isExhausted) {
      pair.state = 'compared';
      return;
    }
    pair.state = 'comparing';
    this.#compareChoices(pair);
    pair.state = 'compared';
  }

  /** How schemas differ, all that is within included. */
  effectsOf(pair: Pair): Effects {
    if (pair.isSame) return { narrows: false, widens: false };
    if (pair.effects) return pair.effects;
    if (this.#nesting >= maxNesting || this.#trials > maxTrials) return { narrows: true, widens: true };
    this.#nesting += 1;
    const result = this.#search(pair);
    this.#nesting -= 1;
    return result;
  }

  #search(pair: Pair): Effects {
    const visited = new Set([pair]);
    const effects = { narrows: false, widens: false };
    let isCertain = true;
    // The loop adds items to its own set. Recursion would go as deep as schemas refer to schemas.
    for (const next of visited) {
      if (next.state === 'comparing') isCertain = false;
      if (next.state === 'new') this.compare(next);
      this.#trials += 1;
      for (const { effect, isAnnotation } of next.differences) {
        if (isAnnotation) continue;
        effects.narrows ||= effect !== 'widened';
        effects.widens ||= effect !== 'narrowed';
      }
      if (effects.narrows && effects.widens) break;
      if (visited.size > maxTrial) return { narrows: true, widens: true };
      for (const { pair: inner } of next.inner) if (!inner.isSame) visited.add(inner);
    }
    if (!isCertain) return effects;
    if (!effects.narrows && !effects.widens) for (const each of visited) each.isSame = true;
    pair.effects = effects;
    return effects;
  }

  #compareChoices(pair: Pair): void {
    const { before, after } = pair;
    const report = this.#reportTo(pair);
    if (before.isNullable !== after.isNullable && !isAny(before) && !isAny(after)) {
      const places = {
        before: sourceOf(before.sources, 'type', 'nullable'),
        after: sourceOf(after.sources, 'type', 'nullable'),
      };
      const [effect, message] = after.isNullable
        ? (['widened', 'may now be null'] as const)
        : (['narrowed', 'may no longer be null'] as const);
      report.add({ rule: { graded: 'null' }, effect, message, ...places });
    }
    const matches = matchOptions(before, after, (a, b) =>
      this.effectsOf(this.#pairOf(this.oldShapes.single(a), this.newShapes.single(b))),
    );
    for (const [old, now] of matches.pairs) this.#compareMatch(pair, old, now, report);
    reportAlternatives(pair, matches, report);
    compareChoiceKinds(pair, report);
    compareDiscriminators(pair, report);
    if (pair.differences.length === 0) this.#compareMembers(pair, report);
  }

  /** Finds members of `allOf` that are on one side only and say nothing that the others do not say. */
  #compareMembers({ before, after }: Pair, report: PairReport): void {
    const [old, now] = [sourceOf(before.sources, 'allOf'), sourceOf(after.sources, 'allOf')];
    if (old?.key === undefined || now?.key === undefined) return;
    if (this.oldShapes.isJoined(old.node) || this.newShapes.isJoined(now.node)) return;
    const unmatched = [...membersOf(now.node)];
    const lost = membersOf(old.node).filter((member) => {
      const index = unmatched.findIndex((other) => this.of(member, other).isSame);
      if (index >= 0) unmatched.splice(index, 1);
      return index < 0;
    });
    // Where members on both sides have no equal, they were written in another way.
    if (lost.length > 0 && unmatched.length > 0) return;
    const rule = { graded: 'repeated-member' } as const;
    const add = (effect: 'narrowed' | 'widened', message: string) =>
      report.add({ rule, effect, message, before: old, after: now, isAnnotation: true });
    for (const member of unmatched) {
      const choice = this.newShapes.choiceOf(member);
      const saysNothing = !this.effectsOf(this.#pairOf(this.oldShapes.choiceOf(true), choice)).narrows;
      if (saysNothing || this.effectsOf(this.#pairOf(before, choice)).narrows) continue;
      add('narrowed', `${memberText(member)} was added to allOf; the others say the same`);
    }
    for (const member of lost) {
      const choice = this.oldShapes.choiceOf(member);
      const saysNothing = !this.effectsOf(this.#pairOf(choice, this.newShapes.choiceOf(true))).widens;
      if (saysNothing || this.effectsOf(this.#pairOf(choice, after)).widens) continue;
      add('widened', `${memberText(member)} was removed from allOf; the others say the same`);
    }
  }

  /** Compares the only shapes of a pair in place; others are pairs of their own, so that they are compared once. */
  #compareMatch(pair: Pair, old: Shape, now: Shape, report: PairReport): void {
    const { before, after } = pair;
    if (before.options.length === 1 && after.options.length === 1) {
      this.#compareShapes(old, now, report);
    } else {
      pair.inner.push({
        pair: this.#pairOf(this.oldShapes.single(old), this.newShapes.single(now)),
        pointer: '',
        only: undefined,
      });
    }
  }

  #compareShapes(before: Shape, after: Shape, report: PairReport): void {
    // Each of them is reported on its own.
    if (before.missing !== undefined || after.missing !== undefined) return;
    compareAnnotations(before, after, report);
    const types = compareTypes(before, after, report);
    if (types?.size === 0) return;
    compareValues(before, after, report);
    compareScalars(before, after, types, report);
    // What is stated for other types has no effect by the specification, but tools differ.
    if (!types || types.has('object') || (before.properties.size > 0 && after.properties.size > 0)) {
      compareObjects({ before, after, oldShapes: this.oldShapes, newShapes: this.newShapes, report });
    }
    if (!types || types.has('array') || (before.items && after.items)) compareArrays(before, after, report);
    compareConditions(before, after, report);
  }

  #reportTo(pair: Pair): PairReport {
    return {
      add: (difference) => {
        const whole: Difference = { pointer: '', ...difference };
        pair.differences.push(whole);
      },
      within: (pointer, before, after, only) => {
        const inner: Inner = { pair: this.of(before ?? true, after ?? true), pointer, only };
        pair.inner.push(inner);
      },
      effectsOf: (before, after) => this.effectsOf(this.of(before ?? true, after ?? true)),
    };
  }
}

const any = new Shapes({ document: {} }).choiceOf(true);
/** Of all schemas that do not differ. */
const samePair: Pair = {
  before: any,
  after: any,
  state: 'compared',
  differences: [],
  inner: [],
  isSame: true,
  effects: undefined,
};

function reportAlternatives(
  { before, after }: Pair,
  { removed, added, repeated, ambiguous }: Matches,
  report: PairReport,
): void {
  const keywords = ['oneOf', 'anyOf'];
  const places = { before: sourceOf(before.sources, ...keywords), after: sourceOf(after.sources, ...keywords) };
  const graded = (after.isExclusive || after.options.length < 2) && !hasAnyOf(after) ? 'one-of' : 'any-of';
  for (const option of removed) {
    const message = `alternative ${optionText(option)} was removed`;
    report.add({ rule: { graded: before.isExclusive ? 'one-of' : 'any-of' }, effect: 'narrowed', message, ...places });
  }
  for (const option of added) {
    const message = `alternative ${optionText(option)} was added`;
    report.add({ rule: { graded }, effect: 'widened', message, ...places });
  }
  const rule = { graded: 'repeated-alternative' } as const;
  for (const option of repeated.removed) {
    const message = `alternative ${optionText(option)} was removed; another accepts the same`;
    report.add({ rule, effect: 'narrowed', message, ...places, isAnnotation: true });
  }
  for (const option of repeated.added) {
    const message = `alternative ${optionText(option)} was added; another accepts the same`;
    report.add({ rule, effect: 'widened', message, ...places, isAnnotation: true });
  }
  for (const option of ambiguous) {
    const message = `${optionText(option)} may match several alternatives of oneOf, which is then refused`;
    report.add({ rule: { graded: 'one-of' }, effect: 'changed', message, ...places });
  }
  if (before.isCut || after.isCut) {
    const message = 'there are more combinations of alternatives than are compared';
    report.add({ rule: { fixed: 'schema-not-compared' }, effect: 'changed', message, ...places, isAnnotation: true });
  }
}

/** Whether a choice accepts everything: that null is part of it goes without saying. */
const isAny = ({ options, isNullable }: Choice): boolean =>
  isNullable && options.length === 1 && options.every(({ shape }) => shape.types === undefined);

const membersOf = (schema: object): unknown[] => ('allOf' in schema && Array.isArray(schema.allOf) ? schema.allOf : []);

const memberText = (schema: unknown): string => nameOf(schema) ?? 'a schema';

const hasAnyOf = ({ sources }: Choice): boolean => sources.some(({ anyOf }) => Array.isArray(anyOf));

/** Whether `oneOf` became `anyOf`: values that match several alternatives make the difference. */
function compareChoiceKinds({ before, after }: Pair, report: PairReport): void {
  if (before.isExclusive === after.isExclusive || before.options.length < 2 || after.options.length < 2) return;
  report.add({
    rule: { graded: 'exclusiveness' },
    effect: after.isExclusive ? 'narrowed' : 'widened',
    message: after.isExclusive ? 'anyOf became oneOf' : 'oneOf became anyOf',
    before: sourceOf(before.sources, 'oneOf', 'anyOf'),
    after: sourceOf(after.sources, 'oneOf', 'anyOf'),
    isAnnotation: true,
  });
}

function compareDiscriminators({ before, after }: Pair, report: PairReport): void {
  const [old, now] = [before.discriminator, after.discriminator];
  if (!old && !now) return;
  const places = {
    before: old ? { node: old.source, key: 'discriminator' } : sourceOf(before.sources),
    after: now ? { node: now.source, key: 'discriminator' } : sourceOf(after.sources),
  };
  const add = (effect: Difference['effect'], message: string) =>
    report.add({ rule: { graded: 'discriminator' }, effect, message, ...places, isAnnotation: true });
  if (!old || !now) {
    const what = old ? `discriminator ${old.propertyName} was removed` : `discriminator ${now?.propertyName} is new`;
    add('widened', what);
    return;
  }
  if (old.propertyName !== now.propertyName) {
    add('changed', `discriminator was ${old.propertyName}, is now ${now.propertyName}`);
    return;
  }
  for (const [value, name] of old.mapping) {
    const other = now.mapping.get(value);
    const isRenamed = !hasNamed(after, name) || (other !== undefined && !hasNamed(before, other));
    if (other === undefined || other === name || isRenamed) continue;
    add('changed', `${value} meant ${name}, means now ${other}`);
  }
  const removed = [...old.mapping.keys()].filter((value) => !now.mapping.has(value) && !hasNamed(after, value));
  const added = [...now.mapping.keys()].filter((value) => !old.mapping.has(value) && !hasNamed(before, value));
  if (removed.length > 0) add('narrowed', `values of discriminator removed: ${removed.join(', ')}`);
  if (added.length > 0) add('widened', `values of discriminator added: ${added.join(', ')}`);
}

/** Without a mapping, the name of a schema is its value. */
const hasNamed = ({ options }: Choice, value: string): boolean => options.some(({ name }) => name === value);
