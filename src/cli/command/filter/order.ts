import { nearest } from '../../../shared/suggest.ts';
import { UsageError } from '../../program/failure.ts';
import { fieldNamed, type ItemFields } from './field-type.ts';
import type { FieldType, SortKey } from './types.ts';

const collator = new Intl.Collator('en', { sensitivity: 'accent' });
/** The order of texts: the same on every machine, ignoring case. */
export const compareTexts = (a: string, b: string): number => collator.compare(a, b);

/** Reads `FIELD`, `FIELD:asc` or `FIELD:desc`. @throws UsageError */
export function sortKeyOf(source: string, fields: ItemFields): SortKey {
  const refuse = (problem: string, hint?: string) => new UsageError(`--sort-by ${source}: ${problem}.`, hint);
  const [name = '', direction = 'asc', ...rest] = source.split(':');
  const field = fields.named(name);
  if (rest.length > 0 || (direction !== 'asc' && direction !== 'desc')) {
    const near = nearest(direction, ['asc', 'desc']);
    throw refuse(
      `"${[direction, ...rest].join(':')}" is not asc or desc`,
      near === undefined ? `Write ${field} or ${field}:desc.` : `Did you mean ${field}:${near}?`,
    );
  }
  const type = fieldNamed(field, fields, refuse);
  if (type.kind === 'object' || type.many) {
    const problem = type.many ? `"${field}" has several values` : `"${field}" has no single value`;
    const members = fields.paths.filter((path) => path.startsWith(`${field}.`) && !fields.typeOf(path)?.many);
    throw refuse(
      problem,
      members.length > 0 ? `Sort by a member of it: ${members.slice(0, 10).join(', ')}.` : undefined,
    );
  }
  return { field, type, descending: direction === 'desc', valueOf: sortValue(field, type, fields) };
}

function sortValue(field: string, { kind, ranks }: FieldType, fields: ItemFields): SortKey['valueOf'] {
  return (item) => {
    const [value] = fields.valuesAt(item, field);
    if (value === undefined) return undefined;
    if (ranks) return value === null ? -1 : rankOf(ranks, String(value));
    if (value === null) return undefined;
    if (kind === 'date') {
      const time = Date.parse(String(value));
      return Number.isNaN(time) ? undefined : time;
    }
    if (typeof value === 'boolean') return Number(value);
    return typeof value === 'object' ? JSON.stringify(value) : value;
  };
}

/** A word without a rank comes last, as nothing does. */
function rankOf(ranks: readonly string[], word: string): number | undefined {
  const rank = ranks.indexOf(word);
  return rank === -1 ? undefined : rank;
}

/** An item with what it is compared by, which is read from it once. */
export interface Ranked {
  item: unknown;
  values: readonly unknown[];
}

export const ranked = (keys: readonly SortKey[], item: unknown): Ranked => ({
  item,
  values: keys.map(({ valueOf }) => valueOf(item)),
});

/** Compares two items by all keys. */
export const comparing =
  (keys: readonly SortKey[]) =>
  (a: Ranked, b: Ranked): number => {
    for (const [index, { descending }] of keys.entries()) {
      const difference = compareValues(a.values[index], b.values[index], descending);
      if (difference !== 0) return difference;
    }
    return 0;
  };

/** The items in order; equal ones stay as they are. */
export function sortedBy<Item>(keys: readonly SortKey[], items: readonly Item[]): Item[] {
  const entries = items.map((item) => ({ item, values: ranked(keys, item).values }));
  return entries.sort(comparing(keys)).map(({ item }) => item);
}

function compareValues(a: unknown, b: unknown, descending: boolean): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  const direction = descending ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return direction * (a - b);
  if (typeof a === 'number' || typeof b === 'number') return direction * (typeof a === 'number' ? -1 : 1);
  return direction * compareTexts(String(a), String(b));
}
