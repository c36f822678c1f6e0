/** The styles of dates in a block of updates, by its `format`. */
const styles: Record<string, Intl.DateTimeFormatOptions> = {
  full: { dateStyle: 'long' },
  short: { dateStyle: 'medium' },
  numeric: { year: 'numeric', month: 'numeric', day: 'numeric' },
};

/** The date of an update as readers see it; `day` is undefined where it is no date, and `shown` then what was written. */
export function updateDate(
  date: string,
  { format = 'full', locale }: { format?: string | undefined; locale: string },
): { day: string | undefined; shown: string } {
  const day = /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0];
  const time = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(time)) return { day: undefined, shown: date };
  const style = Object.hasOwn(styles, format) ? styles[format] : styles['full'];
  return { day, shown: new Intl.DateTimeFormat(locale, { ...style, timeZone: 'UTC' }).format(time) };
}
