import { expect, test } from 'vitest';
import { currentPace, learn, type Pace, paceIn, takePlace } from '../../src/client/budget/pace.ts';

/** Decides about a request: undefined, or the seconds of its `Retry-After`. */
type Limiter = (now: number) => number | undefined;

const perMinute = 60;
const minute = 60_000;
const wholeSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

function fixedWindow(limit: number, windowMs: number, offset = 0): Limiter {
  let window = Number.NaN;
  let count = 0;
  return (now) => {
    const current = Math.floor((now + offset) / windowMs);
    if (current !== window) count = 0;
    window = current;
    return ++count > limit ? wholeSeconds((current + 1) * windowMs - offset - now) : undefined;
  };
}

function slidingWindow(limit: number, windowMs: number): Limiter {
  const times: number[] = [];
  return (now) => {
    while ((times[0] ?? now) <= now - windowMs) times.shift();
    if (times.length >= limit) return wholeSeconds(times[0]! + windowMs - now);
    times.push(now);
    return undefined;
  };
}

function tokenBucket(capacity: number, ratePerMs: number): Limiter {
  let tokens = capacity;
  let before = 0;
  return (now) => {
    tokens = Math.min(capacity, tokens + (now - before) * ratePerMs);
    before = now;
    if (tokens < 1) return wholeSeconds((1 - tokens) / ratePerMs);
    tokens--;
    return undefined;
  };
}

interface Day {
  limiter: Limiter;
  processes?: number;
  changes?: number;
  /** The time that the clock of the processes shows. */
  clock?: (now: number) => number;
}

/** Runs what is due in the order of time, which passes only here. */
function timeline() {
  const events: { at: number; run: (now: number) => void }[] = [];
  const add = (at: number, run: (now: number) => void) => {
    const index = events.findLastIndex((event) => event.at <= at);
    events.splice(index + 1, 0, { at, run });
  };
  const run = () => {
    for (let event = events.shift(); event; event = events.shift()) event.run(event.at);
  };
  return { add, run };
}

/** Processes that share a pace send changes, eight at a time each. */
function simulate({ limiter, processes = 3, changes = 5000, clock = (now) => now }: Day) {
  const { add, run } = timeline();
  let pace: Pace | undefined;
  let left = changes;
  let seed = 1;
  const travel = () => 20 + ((seed = (seed * 16_807) % 2_147_483_647) % 40);
  const result = { refused: 0, done: 0, end: 0 };

  const startProcess = (started: number) => {
    let own = { since: clock(started), sent: 0 };
    let waiting = 0;
    let isAsking = false;
    const enter = (now: number) => {
      waiting++;
      ask(now);
    };
    const ask = (now: number) => {
      if (isAsking || waiting === 0) return;
      pace &&= currentPace(pace, clock(now));
      const wait = pace ? takePlace(pace, clock(now)) : 0;
      if (wait > 0) {
        isAsking = true;
        return add(now + Math.ceil(wait), (time) => {
          isAsking = false;
          ask(time);
        });
      }
      waiting--;
      send(now);
      add(now, ask);
    };
    const send = (now: number) => {
      if (clock(now) - own.since > minute) own = { since: clock(now), sent: 0 };
      own.sent++;
      add(now + travel(), (arrival) => {
        const retryAfter = limiter(arrival);
        add(arrival + travel(), (time) => answered(time, clock(now), retryAfter));
      });
    };
    const answered = (now: number, sentAt: number, retryAfter: number | undefined) => {
      if (retryAfter === undefined) {
        result.done++;
        result.end = now;
        if (left-- > 0) enter(now);
        return;
      }
      result.refused++;
      pace &&= currentPace(pace, clock(now));
      pace = learn(pace, { now: clock(now), sentAt, retryAfterMs: retryAfter * 1000, own });
      add(now + retryAfter * 1000, enter);
    };
    for (let worker = 0; worker < 8 && left-- > 0; worker++) enter(started);
  };

  for (let process = 0; process < processes; process++) add(1000 + process * 700, startProcess);
  run();
  return result;
}

/** How much longer than necessary a run took. */
const overIdeal = (end: number, burst: number) => end / (((5000 - burst) / perMinute) * minute);

const limiters: Record<string, [limiter: () => Limiter, burst: number]> = {
  'a window of a minute': [() => fixedWindow(perMinute, minute), perMinute],
  'a window of a minute that begins at another time': [() => fixedWindow(perMinute, minute, 31_000), perMinute],
  'a window of a second': [() => fixedWindow(1, 1000), 1],
  'a sliding window': [() => slidingWindow(perMinute, minute), perMinute],
  'a bucket of 60': [() => tokenBucket(60, perMinute / minute), 60],
  'a bucket of 10': [() => tokenBucket(10, perMinute / minute), 10],
  'a bucket of 2': [() => tokenBucket(2, perMinute / minute), 2],
};

test.for(Object.entries(limiters))(
  '5,000 changes from three processes at 60 a minute take 1.05 times the ideal at most, with 1 % refused: %s',
  ([, [limiter, burst]]) => {
    const { done, refused, end } = simulate({ limiter: limiter() });
    expect(done).toBe(5000);
    expect(refused).toBeLessThanOrEqual(50);
    expect(overIdeal(end, burst)).toBeLessThanOrEqual(1.05);
  },
);

test.for([
  ['an hour back', -60 * minute],
  ['a minute back', -minute],
  ['a minute forward', minute],
  ['a day forward', 24 * 60 * minute],
] as const)('a clock that is set %s costs little', ([, jump]) => {
  const { done, refused, end } = simulate({
    limiter: fixedWindow(perMinute, minute),
    clock: (now) => (now > 30 * minute ? now + jump : now),
  });
  expect(done).toBe(5000);
  expect(refused).toBeLessThanOrEqual(100);
  expect(overIdeal(end, perMinute)).toBeLessThanOrEqual(1.1);
});

test('a limit that is lowered or raised is learned again', () => {
  const before = fixedWindow(60, minute);
  const lower = fixedWindow(30, minute);
  const higher = fixedWindow(600, minute);
  const { done, refused, end } = simulate({
    limiter: (now) => (now < 20 * minute ? before(now) : now < 60 * minute ? lower(now) : higher(now)),
  });
  // 1,200 and 1,200 changes, then 2,600 at ten times the rate.
  expect(done).toBe(5000);
  expect(refused).toBeLessThanOrEqual(100);
  expect(end / (64.4 * minute)).toBeLessThanOrEqual(1.25);
});

test.for([
  '',
  '{',
  'null',
  '[]',
  '{"interval":1e999}',
  '{"interval":-5,"next":0,"refusedAt":0,"since":0,"sent":0,"steady":0,"steps":0,"at":0,"searching":true}',
  '{"interval":"1","next":0,"refusedAt":0,"since":0,"sent":0,"steady":0,"steps":0,"at":0,"searching":true}',
])('a damaged file is no pace: %s', (text) => {
  expect(paceIn(text)).toBeUndefined();
});

test('a search that began slowly goes on until it finds hardly more than before', () => {
  const own = { since: 0, sent: 15 };
  const refusal = (now: number, retryAfterMs: number) => ({ now, sentAt: now, retryAfterMs, own });
  const first = learn(undefined, refusal(5_000, 55_000));
  const second = learn({ ...first, sent: 91 }, refusal(128_000, 52_000));
  const third = learn({ ...second, sent: 61 }, refusal(225_000, 15_000));
  const fourth = learn({ ...third, sent: 61 }, refusal(295_000, 5_000));

  expect([first, second, third, fourth].map(({ interval }) => Math.round(interval))).toEqual([4286, 1333, 1000, 1000]);
  expect([first, second, third, fourth].map(({ searching }) => searching)).toEqual([true, true, true, false]);
});
