/** Milliseconds since 1970: the first of a time, and the first behind it. A day, for example, has 24 hours. */
export interface Moment {
  start: number;
  end: number;
  /** It was given as an age. */
  isAge: boolean;
}

const unitMs: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const age = /^(\d{1,9}(?:\.\d{1,9})?)\s?([mhdw])$/;
const date = /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i;

/** What a filter may compare a time with, for messages. */
export const momentForms = 'a date (2026-03-31, 2026-03, 2026-03-31T14:00Z) or an age (90d, 12h, 30m, 2w)';

/**
 * The time that a text means: a year, month, day, minute or second as a whole, in UTC if it names no zone; or how long
 * ago something is. Undefined for another text.
 */
export function momentOf(text: string, now: number): Moment | undefined {
  const [, amount, unit = ''] = age.exec(text) ?? [];
  const ms = unitMs[unit];
  if (amount !== undefined && ms !== undefined) {
    const start = now - Number(amount) * ms;
    return { start, end: start, isAge: true };
  }
  const parts = date.exec(text);
  return parts ? spanOf(parts) : undefined;
}

type Parts = [year: number, month: number, day: number, hour: number, minute: number, second: number, ms: number];

function spanOf([, ...texts]: RegExpExecArray): Moment | undefined {
  const zone = texts.pop();
  const [year, month = '1', day = '1', hour = '0', minute = '0', second = '0', fraction = ''] = texts;
  const [y = 0, mo = 1, d = 1, h = 0, mi = 0, s = 0] = [year, month, day, hour, minute, second].map(Number);
  const first: Parts = [y, mo - 1, d, h, mi, s, Number(fraction.padEnd(3, '0').slice(0, 3))];
  const start = utc(...first);
  const date = new Date(start);
  // For Date, 30 February is 2 March.
  const isReal = date.getUTCMonth() === mo - 1 && date.getUTCDate() === d && h < 24 && mi < 60 && s < 60;
  if (!isReal) return undefined;
  const next: Parts = [...first];
  // The smallest part in the text is the length of the span.
  next[texts.findLastIndex((text) => text !== undefined)]! += 1;
  const offset = offsetOf(zone);
  return { start: start - offset, end: utc(...next) - offset, isAge: false };
}

/** As `Date.UTC`, for which the years 0 to 99 are in the last century. */
function utc(...[year, month, day, ...time]: Parts): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month, day);
  return date.setUTCHours(...time);
}

function offsetOf(zone: string | undefined): number {
  if (zone === undefined || /^z$/i.test(zone)) return 0;
  const sign = zone.startsWith('-') ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000;
}
