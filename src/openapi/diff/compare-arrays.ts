import { eventText, type PairReport, schemaEffect } from './pair.ts';
import type { Shape } from './shape.ts';

/** Compares array items, by position if they have positions. */
export function compareArrays(before: Shape, after: Shape, report: PairReport): void {
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
