import { effectOf, opposite, type PairReport } from './pair.ts';
import { canonical, sourceOf, type Fields, type Shape } from './shape.ts';

/** Compares `not`, `if` with `then` and `else`, and `contentSchema`. */
export function compareConditions(before: Shape, after: Shape, report: PairReport): void {
  compareNot(before, after, report);
  compareIf(before, after, report);
  compareContentSchema(before, after, report);
}

function compareNot(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = unmatched(valuesAt(before, 'not'), valuesAt(after, 'not'));
  const rule = { graded: 'not' } as const;
  const places = { before: sourceOf(before.parts, 'not'), after: sourceOf(after.parts, 'not') };
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    if (index >= old.length) report.add({ rule, effect: 'narrowed', message: 'not is new', ...places });
    else if (index >= now.length) report.add({ rule, effect: 'widened', message: 'not was removed', ...places });
    else {
      // What `not` accepts is what its schema does not.
      const effect = effectOf(opposite(report.effectsOf(old[index], now[index])));
      if (effect) report.add({ rule, effect, message: 'not changed', ...places });
    }
  }
}

function compareIf(before: Shape, after: Shape, report: PairReport): void {
  const conditionsOf = ({ parts }: Shape) =>
    parts.filter(({ if: test, then: yes, else: no }) => test !== undefined && (yes !== undefined || no !== undefined));
  const texts = (part: Fields) => canonical([part.if, part.then, part.else]);
  const [old, now] = unmatchedBy(conditionsOf(before), conditionsOf(after), texts);
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    compareCondition(old[index], now[index], report);
  }
}

function compareCondition(old: Fields | undefined, now: Fields | undefined, report: PairReport): void {
  const rule = { graded: 'condition' } as const;
  const places = { before: old && { node: old, key: 'if' }, after: now && { node: now, key: 'if' } };
  if (!old || !now) {
    const message = old ? 'if was removed' : 'if is new';
    report.add({ rule, effect: old ? 'widened' : 'narrowed', message, ...places });
    return;
  }
  if (effectOf(report.effectsOf(old.if, now.if))) {
    report.add({ rule, effect: 'changed', message: 'if changed', ...places });
  }
  for (const keyword of ['then', 'else']) {
    const [from, to] = [old[keyword], now[keyword]];
    if (from === undefined && to === undefined) continue;
    const effect =
      from === undefined || to === undefined
        ? from === undefined
          ? 'narrowed'
          : 'widened'
        : effectOf(report.effectsOf(from, to));
    const what = from === undefined ? 'is new' : to === undefined ? 'was removed' : 'changed';
    if (!effect) continue;
    report.add({
      rule,
      effect,
      message: `${keyword} ${what}`,
      before: { node: old, key: from === undefined ? 'if' : keyword },
      after: { node: now, key: to === undefined ? 'if' : keyword },
    });
  }
}

function compareContentSchema(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [valuesAt(before, 'contentSchema')[0], valuesAt(after, 'contentSchema')[0]];
  if (old === undefined && now === undefined) return;
  if (old !== undefined && now !== undefined) {
    report.within('/(content)', old, now);
    return;
  }
  report.add({
    rule: { graded: 'content-schema' },
    effect: old === undefined ? 'narrowed' : 'widened',
    message: old === undefined ? 'contentSchema is new' : 'contentSchema was removed',
    before: sourceOf(before.parts, 'contentSchema'),
    after: sourceOf(after.parts, 'contentSchema'),
  });
}

const valuesAt = ({ parts }: Shape, keyword: string): unknown[] =>
  parts.map((part) => part[keyword]).filter((value) => value !== undefined);

const unmatched = (old: unknown[], now: unknown[]) => unmatchedBy(old, now, canonical);

/** Those of both sides without an equal one on the other side. */
function unmatchedBy<T>(old: readonly T[], now: readonly T[], textOf: (value: T) => string): [T[], T[]] {
  const [oldTexts, newTexts] = [new Set(old.map(textOf)), new Set(now.map(textOf))];
  return [old.filter((each) => !newTexts.has(textOf(each))), now.filter((each) => !oldTexts.has(textOf(each)))];
}
