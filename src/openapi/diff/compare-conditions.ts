import type { Fields } from '../fields.ts';
import { conditionEffect, effectOf, type Effects, eventText, type PairReport, schemaEffect } from './pair.ts';
import { canonical, firstValue, type Shape } from './shape.ts';

/** Compares `not`, `if` with `then` and `else`, and `contentSchema`. */
export function compareConditions(before: Shape, after: Shape, report: PairReport): void {
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
