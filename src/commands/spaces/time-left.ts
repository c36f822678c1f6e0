import { retentionDays } from '../../contract/retention.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** How long a deleted space can still be restored: `6 days`, `5 hours`. Undefined if it is not deleted. */
export function timeLeft(deletedAt: string | undefined, now = Date.now()): string | undefined {
  if (deletedAt === undefined) return undefined;
  const left = Date.parse(deletedAt) + retentionDays * day - now;
  if (left <= 0) return 'none';
  if (left < hour) return 'less than an hour';
  const [count, unit] = left < 2 * day ? [Math.floor(left / hour), 'hour'] : [Math.floor(left / day), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
