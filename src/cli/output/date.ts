const steps: [unit: string, seconds: number, below: number][] = [
  ['minute', 60, 3600],
  ['hour', 3600, 86_400],
  ['day', 86_400, 30 * 86_400],
  ['month', 30 * 86_400, 365 * 86_400],
  ['year', 365 * 86_400, Number.POSITIVE_INFINITY],
];

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

export function isDateTime(value: unknown): value is string {
  return typeof value === 'string' && dateTime.test(value);
}

/** A time relative to now: "3 days ago", "in 2 hours". Text that is not a date is returned unchanged. */
export function formatDate(iso: string, now: Date = new Date()): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const distance = Math.abs(seconds);
  const step = steps.find(([, , below]) => distance < below);
  if (distance < 60 || step === undefined) return 'just now';
  const count = Math.floor(distance / step[1]);
  const span = `${count} ${step[0]}${count === 1 ? '' : 's'}`;
  return seconds > 0 ? `${span} ago` : `in ${span}`;
}
