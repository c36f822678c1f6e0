import { effectOf, type PairReport } from './pair.ts';
import type { FixedFamily } from './rules.ts';
import { sourceOf, type Shape } from './shape.ts';

/** Compares the items of arrays, by position where they have positions. */
export function compareArrays(before: Shape, after: Shape, report: PairReport): void {
  compareTuples(before, after, report);
  compareItems(before, after, report);
  compareContains(before, after, report);
}

function compareTuples(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before.prefixItems, after.prefixItems];
  const places = { before: sourceOf(before.parts, 'prefixItems'), after: sourceOf(after.parts, 'prefixItems') };
  for (let index = 0; index < Math.max(old.length, now.length); index += 1) {
    const pointer = `/${index}`;
    const isNew = index >= old.length;
    const isGone = index >= now.length;
    const rest = isNew ? before.items : after.items;
    // An array with positions and no word of further items is read like an object: another position is an addition.
    if ((isNew || isGone) && old.length > 0 && rest === undefined) {
      const fixed: FixedFamily = isNew ? 'tuple-extended' : 'tuple-shortened';
      const message = isNew ? 'is a new position' : 'position was removed';
      report.add({ rule: { fixed }, effect: isNew ? 'narrowed' : 'widened', message, pointer, ...places });
      continue;
    }
    report.within(pointer, isNew ? before.items : old[index], isGone ? after.items : now[index]);
  }
}

function compareItems(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [before.items, after.items];
  if (old === undefined && now === undefined) return;
  const allowsNone = (items: unknown) => items === false;
  if (allowsNone(old) === allowsNone(now)) {
    if (!allowsNone(old)) report.within('/*', old, now);
    return;
  }
  const keywords = ['items', 'additionalItems', 'unevaluatedItems'];
  report.add({
    rule: { graded: 'limit' },
    effect: allowsNone(now) ? 'narrowed' : 'widened',
    message: allowsNone(now) ? 'further items are no longer allowed' : 'further items are now allowed',
    before: sourceOf(before.parts, ...keywords),
    after: sourceOf(after.parts, ...keywords),
  });
}

function compareContains(before: Shape, after: Shape, report: PairReport): void {
  const [old, now] = [containsOf(before), containsOf(after)];
  if (old.schema === undefined && now.schema === undefined) return;
  const rule = { graded: 'contains' } as const;
  const places = { before: sourceOf(before.parts, 'contains'), after: sourceOf(after.parts, 'contains') };
  if (old.schema === undefined || now.schema === undefined) {
    const isNew = old.schema === undefined;
    const message = isNew ? 'contains is new' : 'contains was removed';
    report.add({ rule, effect: isNew ? 'narrowed' : 'widened', message, ...places });
    return;
  }
  const inner = effectOf(report.effectsOf(old.schema, now.schema));
  if (inner) {
    // With a maximum, more values that count make fewer arrays fit.
    const isOneWay = now.most === Infinity && old.most === Infinity;
    report.add({ rule, effect: isOneWay ? inner : 'changed', message: 'contains changed', ...places });
  }
  compareCount('minContains', old.least, now.least, before, after, report);
  // The order of maxima is the other way round.
  compareCount('maxContains', -old.most, -now.most, before, after, report);
}

function compareCount(
  keyword: string,
  old: number,
  now: number,
  before: Shape,
  after: Shape,
  report: PairReport,
): void {
  if (old === now) return;
  const text = (count: number) => (count === -Infinity ? 'unlimited' : String(Math.abs(count)));
  report.add({
    rule: { graded: 'contains' },
    effect: now > old ? 'narrowed' : 'widened',
    message: `${keyword} was ${text(old)}, is now ${text(now)}`,
    before: sourceOf(before.parts, keyword, 'contains'),
    after: sourceOf(after.parts, keyword, 'contains'),
  });
}

interface Contains {
  schema: unknown;
  least: number;
  most: number;
}

function containsOf({ parts }: Shape): Contains {
  const part = parts.find(({ contains }) => contains !== undefined);
  const { contains, minContains, maxContains } = part ?? {};
  return {
    schema: contains,
    least: typeof minContains === 'number' ? minContains : 1,
    most: typeof maxContains === 'number' ? maxContains : Infinity,
  };
}
