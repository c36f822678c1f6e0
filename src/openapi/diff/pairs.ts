import { type Fields, itemsOf } from '../fields.ts';
import { compareObjects } from './compare-objects.ts';
import { compareAnnotations, compareScalars, compareTypes, compareValues } from './compare-values.ts';
import { type Matches, matchOptions, optionText } from './match-options.ts';
import {
  type Effects,
  type Pair,
  type PairReport,
  conditionEffect,
  effectOf,
  eventText,
  schemaEffect,
} from './pair.ts';
import type { Effect } from './rules.ts';
import { SameSchemas } from './same-schemas.ts';
import { type Shape, canonical, firstValue, sourceOf } from './shape.ts';
import { type Choice, type Option, Shapes, nameOf } from './shapes.ts';

/** How many pairs of shapes are compared. GitHub's description needs a fifth of this. */
const maxWork = 500_000;
/** How many pairs one trial looks at, and how many all trials together. */
const maxTrial = 5_000;
const maxTrials = 2_000_000;
const maxNesting = 6;

/** Compares the schemas of two documents, each pair once. */
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
    // If schemas are deeply entangled, even reading them takes long.
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

  /** Compares the two schemas of a pair, and finds the nested pairs. */
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

  /** How schemas differ, including nested schemas. */
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
    // The loop adds pairs to its own set. Recursion could overflow the stack.
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
    const report = this.#reportTo(pair, before.sources, after.sources);
    if (before.isNullable !== after.isNullable && !isAny(before) && !isAny(after)) {
      const [effect, text] = after.isNullable ? (['widened', 'now'] as const) : (['narrowed', 'no longer'] as const);
      report.add('null', effect, `may ${text} be null`, ['type', 'nullable']);
    }
    const matches = matchOptions(before, after, (a, b) =>
      this.effectsOf(this.#pairOf(this.oldShapes.single(a), this.newShapes.single(b))),
    );
    // The only shapes are compared here. Others are pairs themselves, so that they are compared once.
    const isOnly = before.options.length === 1 && after.options.length === 1;
    for (const [old, now] of matches.pairs) {
      if (isOnly) this.#compareShapes(old, now, this.#reportTo(pair, old.parts, now.parts));
      else {
        const inner = this.#pairOf(this.oldShapes.single(old), this.newShapes.single(now));
        pair.inner.push({ pair: inner, pointer: '', only: undefined });
      }
    }
    reportAlternatives(pair, matches, report);
    compareChoiceKinds(pair, report);
    compareDiscriminators(pair, report);
    if (pair.differences.length === 0) this.#compareMembers(pair, report);
  }

  /** Finds members of `allOf` that are on one side only and repeat what the others say. */
  #compareMembers({ before, after }: Pair, report: PairReport): void {
    const [old, now] = [sourceOf(before.sources, ['allOf']), sourceOf(after.sources, ['allOf'])];
    if (old?.key === undefined || now?.key === undefined) return;
    if (this.oldShapes.isJoined(old.node) || this.newShapes.isJoined(now.node)) return;
    const unmatched = [...membersOf(now.node)];
    const lost = membersOf(old.node).filter((member) => {
      const index = unmatched.findIndex((other) => this.of(member, other).isSame);
      if (index >= 0) unmatched.splice(index, 1);
      return index < 0;
    });
    // If both sides have unmatched members, they were written differently.
    if (lost.length > 0 && unmatched.length > 0) return;
    const add = (effect: 'narrowed' | 'widened', member: unknown) => {
      const message = `${nameOf(member) ?? 'a schema'} was ${effect === 'narrowed' ? 'added to' : 'removed from'} allOf; the others say the same`;
      report.add('repeated-member', effect, message, ['allOf'], { isAnnotation: true });
    };
    for (const member of unmatched) {
      const choice = this.newShapes.choiceOf(member);
      const isEmpty = !this.effectsOf(this.#pairOf(this.oldShapes.choiceOf(true), choice)).narrows;
      if (!isEmpty && !this.effectsOf(this.#pairOf(before, choice)).narrows) add('narrowed', member);
    }
    for (const member of lost) {
      const choice = this.oldShapes.choiceOf(member);
      const isEmpty = !this.effectsOf(this.#pairOf(choice, this.newShapes.choiceOf(true))).widens;
      if (!isEmpty && !this.effectsOf(this.#pairOf(choice, after)).widens) add('widened', member);
    }
  }

  #compareShapes(before: Shape, after: Shape, report: PairReport): void {
    // Unresolved references are reported separately.
    if (before.missing !== undefined || after.missing !== undefined) return;
    compareAnnotations(before, after, report);
    const types = compareTypes(before, after, report);
    if (types?.size === 0) return;
    compareValues(before, after, report);
    compareScalars(before, after, types, report);
    // By the specification, conditions for other types have no effect, but some tools apply them.
    if (!types || types.has('object') || (before.properties.size > 0 && after.properties.size > 0))
      compareObjects({ before, after, oldShapes: this.oldShapes, newShapes: this.newShapes, report });
    if (!types || types.has('array') || (before.items && after.items)) compareArrays(before, after, report);
    compareConditions(before, after, report);
  }

  /** @param old with `now`: the schemas that apply together on each side */
  #reportTo(pair: Pair, old: readonly Fields[], now: readonly Fields[]): PairReport {
    return {
      add: (rule, effect, message, keywords, more) => {
        const places = { before: sourceOf(old, keywords), after: sourceOf(now, keywords) };
        pair.differences.push({ rule, effect, message, pointer: '', ...places, ...more });
      },
      within: (pointer, before, after, only) => {
        pair.inner.push({ pair: this.of(before ?? true, after ?? true), pointer, only });
      },
      effectsOf: (before, after) => this.effectsOf(this.of(before ?? true, after ?? true)),
    };
  }
}

const any = new Shapes({ document: {} }).choiceOf(true);
/** Used for all schemas that do not differ. */
const samePair: Pair = {
  before: any,
  after: any,
  state: 'compared',
  differences: [],
  inner: [],
  isSame: true,
  effects: undefined,
};

const choiceKeywords = ['oneOf', 'anyOf'];

function reportAlternatives(
  { before, after }: Pair,
  { removed, added, repeated, ambiguous }: Matches,
  report: PairReport,
): void {
  const addAll = (
    rule: 'one-of' | 'any-of' | 'repeated-alternative',
    effect: Effect,
    options: readonly Option[],
    message: (option: string) => string,
  ) => {
    const isAnnotation = rule === 'repeated-alternative';
    for (const option of options)
      report.add(rule, effect, message(optionText(option)), choiceKeywords, { isAnnotation });
  };
  const isOneOf = (after.isExclusive || after.options.length < 2) && !hasAnyOf(after);
  const wasRemoved = (option: string) => `alternative ${option} was removed`;
  const wasAdded = (option: string) => `alternative ${option} was added`;
  addAll(before.isExclusive ? 'one-of' : 'any-of', 'narrowed', removed, wasRemoved);
  addAll(isOneOf ? 'one-of' : 'any-of', 'widened', added, wasAdded);
  const same = 'another accepts the same values';
  addAll('repeated-alternative', 'narrowed', repeated.removed, (option) => `${wasRemoved(option)}; ${same}`);
  addAll('repeated-alternative', 'widened', repeated.added, (option) => `${wasAdded(option)}; ${same}`);
  const isAmbiguous = (option: string) => `${option} may match several alternatives of oneOf, which is then invalid`;
  addAll('one-of', 'changed', ambiguous, isAmbiguous);
  if (before.isCut || after.isCut) {
    const message = 'there are too many combinations of alternatives to compare all';
    report.add('schema-not-compared', 'changed', message, choiceKeywords, { isAnnotation: true });
  }
}

/** Whether a choice accepts everything, which includes null. */
const isAny = ({ options, isNullable }: Choice): boolean =>
  isNullable && options.length === 1 && options.every(({ shape }) => shape.types === undefined);

const membersOf = (schema: object): unknown[] => ('allOf' in schema ? itemsOf(schema.allOf) : []);

const hasAnyOf = ({ sources }: Choice): boolean => sources.some(({ anyOf }) => Array.isArray(anyOf));

/** Reports whether `oneOf` became `anyOf`, which matters for values that match several alternatives. */
function compareChoiceKinds({ before, after }: Pair, report: PairReport): void {
  if (before.isExclusive === after.isExclusive || before.options.length < 2 || after.options.length < 2) return;
  const message = after.isExclusive ? 'anyOf became oneOf' : 'oneOf became anyOf';
  const effect = after.isExclusive ? 'narrowed' : 'widened';
  report.add('exclusiveness', effect, message, choiceKeywords, { isAnnotation: true });
}

function compareDiscriminators({ before, after }: Pair, report: PairReport): void {
  const [old, now] = [before.discriminator, after.discriminator];
  if (!old && !now) return;
  const key = 'discriminator';
  const places = {
    ...(old && { before: { node: old.source, key } }),
    ...(now && { after: { node: now.source, key } }),
  };
  const add = (effect: Effect, message: string) =>
    report.add('discriminator', effect, message, [], { ...places, isAnnotation: true });
  if (!old || !now) {
    add('widened', old ? `discriminator ${old.propertyName} was removed` : `discriminator ${now?.propertyName} is new`);
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
    add('changed', `${value} meant ${name}, now means ${other}`);
  }
  const removed = [...old.mapping.keys()].filter((value) => !now.mapping.has(value) && !hasNamed(after, value));
  const added = [...now.mapping.keys()].filter((value) => !old.mapping.has(value) && !hasNamed(before, value));
  if (removed.length > 0) add('narrowed', `values of discriminator removed: ${removed.join(', ')}`);
  if (added.length > 0) add('widened', `values of discriminator added: ${added.join(', ')}`);
}

/** Without a mapping, the name of a schema is its value. */
const hasNamed = ({ options }: Choice, value: string): boolean => options.some(({ name }) => name === value);

/** Compares array items, by position if they have positions. */
function compareArrays(before: Shape, after: Shape, report: PairReport): void {
  compareTuples(before, after, report);
  compareItems(before, after, report);
  compareContains(before, after, report);
}

function compareTuples(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before.prefixItems, after.prefixItems];
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    const pointer = `/${index}`;
    const isNew = index >= old.length;
    const isRemoved = index >= now.length;
    const rest = isNew ? before.items : after.items;
    // An array with positions that does not mention further items is treated like an object with another property.
    if ((isNew || isRemoved) && old.length > 0 && rest === undefined) {
      if (isNew) report.add('tuple-extended', 'narrowed', 'is a new position', ['prefixItems'], { pointer });
      else report.add('tuple-shortened', 'widened', 'position was removed', ['prefixItems'], { pointer });
    } else {
      report.within(pointer, isNew ? before.items : old[index], isRemoved ? after.items : now[index]);
    }
  }
}

function compareItems({ items: old }: Shape, { items: now }: Shape, report: PairReport): void {
  if (old === now && (now === undefined || now === false)) return;
  if (old !== false && now !== false) report.within('/*', old, now);
  else {
    const [effect, text] = now === false ? (['narrowed', 'no longer'] as const) : (['widened', 'now'] as const);
    const keywords = ['items', 'additionalItems', 'unevaluatedItems'];
    report.add('limit', effect, `further items are ${text} allowed`, keywords);
  }
}

function compareContains(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [containsOf(before), containsOf(after)];
  if (old.schema === undefined && now.schema === undefined) return;
  const isChange = old.schema !== undefined && now.schema !== undefined;
  const inner = schemaEffect(report, old.schema, now.schema);
  // With a maximum, an array is rejected if more of its values match.
  const effect = inner && isChange && Math.min(old.max, now.max) < Infinity ? 'changed' : inner;
  if (effect) report.add('contains', effect, eventText('contains', old.schema, now.schema), ['contains']);
  if (!isChange) return;
  compareCount('minContains', old.min, now.min, report);
  // A higher maximum is less strict.
  compareCount('maxContains', -old.max, -now.max, report);
}

function compareCount(keyword: string, old: number, now: number, report: PairReport): void {
  if (old === now) return;
  const text = (count: number) => (count === -Infinity ? 'unlimited' : String(Math.abs(count)));
  const effect = now > old ? 'narrowed' : 'widened';
  report.add('contains', effect, `${keyword} was ${text(old)}, is now ${text(now)}`, [keyword, 'contains']);
}

function containsOf({ parts }: Shape): { schema: unknown; min: number; max: number } {
  const { contains, minContains, maxContains } = parts.find((part) => part.contains !== undefined) ?? {};
  return {
    schema: contains,
    min: typeof minContains === 'number' ? minContains : 1,
    max: typeof maxContains === 'number' ? maxContains : Infinity,
  };
}

/** Compares `not`, `if` with `then` and `else`, and `contentSchema`. */
function compareConditions(before: Shape, after: Shape, report: PairReport): void {
  compareNot(before, after, report);
  compareIf(before, after, report);
  compareContentSchema(before, after, report);
}

function compareNot(before: Shape, after: Shape, report: PairReport): void {
  const schemasOf = ({ parts }: Shape) => parts.map((part) => part.not).filter((schema) => schema !== undefined);
  for (const [old, now] of unmatched(schemasOf(before), schemasOf(after), canonical)) {
    const effect =
      old === undefined || now === undefined ? conditionEffect(old, now) : negated(report.effectsOf(old, now));
    if (effect) report.add('not', effect, eventText('not', old, now), ['not']);
  }
}

/** `not` accepts what its schema does not accept. */
const negated = ({ narrows, widens }: Effects) => effectOf({ narrows: widens, widens: narrows });

function compareIf(before: Shape, after: Shape, report: PairReport): void {
  const conditionsOf = ({ parts }: Shape) =>
    parts.filter(({ if: test, then: yes, else: no }) => test !== undefined && (yes !== undefined || no !== undefined));
  const texts = (part: Fields) => canonical([part.if, part.then, part.else]);
  for (const [old, now] of unmatched(conditionsOf(before), conditionsOf(after), texts)) {
    compareCondition(old, now, report);
  }
}

function compareCondition(old: Fields | undefined, now: Fields | undefined, report: PairReport): void {
  const places = { before: old && { node: old, key: 'if' }, after: now && { node: now, key: 'if' } };
  const effect = old && now ? effectOf(report.effectsOf(old.if, now.if)) && 'changed' : conditionEffect(old, now);
  if (effect) report.add('condition', effect, eventText('if', old, now), [], places);
  if (!old || !now) return;
  for (const keyword of ['then', 'else']) {
    const [from, to] = [old[keyword], now[keyword]];
    if (from === undefined && to === undefined) continue;
    const inner = schemaEffect(report, from, to);
    if (!inner) continue;
    report.add('condition', inner, eventText(keyword, from, to), [], {
      before: { node: old, key: from === undefined ? 'if' : keyword },
      after: { node: now, key: to === undefined ? 'if' : keyword },
    });
  }
}

function compareContentSchema(before: Shape, after: Shape, report: PairReport): void {
  const keyword = 'contentSchema';
  const [old, now] = [firstValue(before, keyword), firstValue(after, keyword)];
  if (old === undefined && now === undefined) return;
  if (old !== undefined && now !== undefined) report.within('/(content)', old, now);
  else report.add('content-schema', conditionEffect(old, now), eventText(keyword, old, now), [keyword]);
}

/** Pairs the values of both sides that have no equal on the other side, in order. */
function unmatched<T>(old: readonly T[], now: readonly T[], textOf: (value: T) => string): [T?, T?][] {
  const without = (values: readonly T[], others: readonly T[]) => {
    const texts = new Set(others.map(textOf));
    return values.filter((value) => !texts.has(textOf(value)));
  };
  const [removed, added] = [without(old, now), without(now, old)];
  return Array.from({ length: Math.max(removed.length, added.length) }, (_, index) => [removed[index], added[index]]);
}
