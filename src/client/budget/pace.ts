/** What the processes that share a limit of requests know about it. Times are in milliseconds since 1970. */
export interface Pace {
  /** Milliseconds between two requests. */
  interval: number;
  /** When the next request may be sent. */
  next: number;
  /** When the service last refused a request, and when requests were allowed again. */
  refusedAt: number;
  since: number;
  /** Requests sent since then. */
  sent: number;
  /** Requests since the interval last changed, and how often it was shortened since the last refusal. */
  steady: number;
  steps: number;
  /** Whether the limit is not measured yet. */
  searching: boolean;
  /** The interval that was measured at the last refusal. */
  measured: number;
  /** When this was written: the clock may have been changed since. */
  at: number;
}

/** A request that the service refused with 429. */
export interface Refusal {
  now: number;
  /** When the request was sent. */
  sentAt: number;
  retryAfterMs: number;
  /** The requests that this process itself has sent, and since when. */
  own: { since: number; sent: number };
}

const minuteMs = 60_000;
/** After a pause, a limit that was not met for so long is not expected any more. */
const forgottenAfterMs = 60 * minuteMs;
/** Clocks of processes and timers differ by less. */
const jumpMs = 2000;
/** Requests that may follow each other at once after a pause. */
const burst = 5;
const shortestMs = 1;
/** While the limit is unknown, requests become faster by half after so many; later by one percent, then two, four... */
const searchSteps = 10;
const steadySteps = 100;
const stillFaster = 0.8;

/** Corrects times for a clock that was set, and for a pause; undefined if the limit is forgotten. */
export function currentPace(pace: Pace, now: number): Pace | undefined {
  const shift = now - pace.at < -jumpMs ? now - pace.at : 0;
  // Time in which nobody sent anything although it was allowed tells nothing about the limit.
  const idle = now - Math.max(pace.at, pace.next);
  const pause = idle > burst * pace.interval + jumpMs ? idle : 0;
  const current: Pace = {
    ...pace,
    next: pace.next + shift,
    since: pace.since + shift + pause,
    refusedAt: pace.refusedAt + shift,
    at: now,
  };
  return now - current.refusedAt > forgottenAfterMs && pause > 0 ? undefined : current;
}

/** Milliseconds until a request may be sent; if that is now, the place of this request is taken. */
export function takePlace(pace: Pace, now: number): number {
  if (pace.next > now) return pace.next - now;
  const unused = Math.min(burst * minuteMs, Math.max(burst * pace.interval, 250));
  pace.next = Math.max(pace.next, now - unused, pace.since) + pace.interval;
  pace.sent++;
  pace.steady++;
  if (pace.steady >= (pace.searching ? searchSteps : steadySteps)) shorten(pace);
  return 0;
}

/** Tries somewhat more: the limit may have been measured too low, or raised. */
function shorten(pace: Pace): void {
  pace.interval = Math.max(
    shortestMs,
    pace.interval / (pace.searching ? 1.5 : 1 + Math.min(0.5, 0.01 * 2 ** pace.steps)),
  );
  pace.steady = 0;
  pace.steps++;
}

/**
 * Learns from a refusal. What the service accepted between the end of the last wait and the end of this one is its limit,
 * whether it counts in windows or fills a bucket.
 */
export function learn(pace: Pace | undefined, { now, sentAt, retryAfterMs, own }: Refusal): Pace {
  const until = now + retryAfterMs;
  const start = { refusedAt: now, next: until, since: until, sent: 0, steady: 0, steps: 0, at: now };
  if (!pace) {
    // Other processes may share what this one got, so this is slower than the limit.
    const interval = (until - own.since) / Math.max(1, own.sent - 1);
    return { ...start, interval: limited(interval), measured: limited(interval), searching: true };
  }
  if (sentAt < pace.since) {
    // It was sent before the refusal that is known already.
    const later = Math.max(pace.since, until);
    return { ...pace, since: later, next: Math.max(pace.next, later), at: now };
  }
  const measured = (until - pace.since) / Math.max(1, pace.sent - 1);
  // A clock that was set forward must not slow everything down.
  const interval = pace.searching ? measured : Math.min(Math.max(measured, pace.interval * 1.005), pace.interval * 2);
  // A search that began slowly has measured too little, so it goes on while it finds much more than before.
  const searching = pace.searching && measured < pace.measured * stillFaster;
  return { ...start, interval: limited(interval), measured: limited(measured), searching };
}

const limited = (interval: number) => Math.min(Math.max(interval, shortestMs), minuteMs);

const numbers = ['interval', 'next', 'refusedAt', 'since', 'sent', 'steady', 'steps', 'measured', 'at'] as const;

/** The pace in a file; undefined if the file is damaged. */
export function paceIn(text: string): Pace | undefined {
  try {
    const value: Partial<Pace> | null = JSON.parse(text);
    const isWhole = numbers.every((name) => Number.isFinite(value?.[name])) && typeof value?.searching === 'boolean';
    // The type says what was just checked.
    return isWhole && limited(Number(value.interval)) === value.interval ? (value as Pace) : undefined;
  } catch {
    return undefined;
  }
}
