/** The date in `x-sunset`; undefined where it is none. */
export function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return value;
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** Compares the dates until which something deprecated is promised to work. */
export function compareSunsets(
  old: Record<string, unknown>,
  now: Record<string, unknown>,
  add: (rule: 'sunset-earlier' | 'sunset-removed' | 'sunset-invalid', message: string, key: string) => void,
): void {
  const key = 'x-sunset';
  const [was, is] = [old[key], now[key]];
  if (String(was) === String(is)) return;
  if (is === undefined) {
    if (now.deprecated === true) add('sunset-removed', `${key} was ${String(was)}, is now gone`, key);
    return;
  }
  const [first, second] = [dateOf(was), dateOf(is)];
  if (!second) add('sunset-invalid', `${key} is not a date: ${String(is)}`, key);
  else if (first && second < first) add('sunset-earlier', `${key} was ${String(was)}, is now ${String(is)}`, key);
}

const stabilityLevels = ['draft', 'alpha', 'beta', 'stable'];

/** Compares how stable something is said to be. */
export function compareStability(
  old: Record<string, unknown>,
  now: Record<string, unknown>,
  add: (rule: 'stability-decreased' | 'stability-invalid', message: string, key: string) => void,
): void {
  const key = 'x-stability-level';
  const [was, is] = [old[key], now[key]];
  if (was === is || is === undefined) return;
  const [first, second] = [was, is].map((level) => stabilityLevels.indexOf(String(level)));
  if (first === undefined || second === undefined) return;
  if (second < 0) add('stability-invalid', `${key} is none of ${stabilityLevels.join(', ')}: ${String(is)}`, key);
  else if (second < first) add('stability-decreased', `${key} was ${String(was)}, is now ${String(is)}`, key);
}
