import type { Fields } from '../fields.ts';

/** The date in `x-sunset`; undefined if it is not a date. */
export function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

type Add<Rule extends string> = (rule: Rule, message: string, key: string) => void;
type AddSunset = Add<'sunset-earlier' | 'sunset-removed' | 'sunset-invalid'>;
type AddDeprecation = Add<'deprecated' | 'restored'>;
type AddStability = Add<'stability-decreased' | 'stability-invalid'>;

/** Compares deprecation, sunset dates and stability levels. */
export function compareLifecycle(old: Fields, now: Fields, add: AddDeprecation & AddSunset & AddStability): void {
  compareDeprecation(old, now, add);
  compareSunsets(old, now, add);
  compareStability(old, now, add);
}

export function compareDeprecation(old: Fields, now: Fields, add: AddDeprecation): void {
  const isDeprecated = now.deprecated === true;
  if ((old.deprecated === true) === isDeprecated) return;
  if (isDeprecated) add('deprecated', 'is now deprecated', 'deprecated');
  else add('restored', 'is no longer deprecated', 'deprecated');
}

/** Compares the dates until which deprecated parts are promised to work. */
export function compareSunsets(old: Fields, now: Fields, add: AddSunset): void {
  const key = 'x-sunset';
  const [was, is] = [old[key], now[key]];
  if (String(was) === String(is)) return;
  if (is === undefined) {
    if (now.deprecated === true) add('sunset-removed', `${key} was ${String(was)} and was removed`, key);
    return;
  }
  const [first, second] = [dateOf(was), dateOf(is)];
  if (!second) add('sunset-invalid', `${key} is not a date: ${String(is)}`, key);
  else if (first && second < first) add('sunset-earlier', `${key} was ${String(was)}, is now ${String(is)}`, key);
}

const stabilityLevels = ['draft', 'alpha', 'beta', 'stable'];

function compareStability(old: Fields, now: Fields, add: AddStability): void {
  const key = 'x-stability-level';
  const [was, is] = [old[key], now[key]];
  if (was === is || is === undefined) return;
  const [first, second] = [stabilityLevels.indexOf(String(was)), stabilityLevels.indexOf(String(is))];
  if (second < 0) add('stability-invalid', `${key} is not one of ${stabilityLevels.join(', ')}: ${String(is)}`, key);
  else if (second < first) add('stability-decreased', `${key} was ${String(was)}, is now ${String(is)}`, key);
}
