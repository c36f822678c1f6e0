/** Date styles by the `format` of a block of updates. */
const styles: Record<string, Intl.DateTimeFormatOptions> = {
  full: { dateStyle: 'long' },
  short: { dateStyle: 'medium' },
  numeric: { year: 'numeric', month: 'numeric', day: 'numeric' },
};

/** Formats the date of an update. If it is not a date, `day` is undefined and `shown` is the original text. */
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
