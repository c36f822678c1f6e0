import { systemClock, type Clock } from './clock.ts';
import { NetworkError } from './errors/network-error.ts';
import { TimedOut } from './errors/timed-out.ts';
import type { WireRequest, WireResponse } from './transport.ts';

export interface Wait {
  /** What went wrong, in words that follow "because of" or a colon. */
  reason: string;
  ms: number;
  /** Number of the attempt that failed, from 1. */
  attempt: number;
}

export interface RetryOptions {
  /** Attempts beyond the first. */
  retries: number;
  /** Silence that is waited for in an attempt. */
  timeoutMs: number;
  /** The service, for messages. */
  address: string;
  onWait?: ((wait: Wait) => void) | undefined;
  clock?: Clock | undefined;
}

type Send = (request: WireRequest) => Promise<WireResponse>;
type Outcome = { response: WireResponse; error?: undefined } | { response?: undefined; error: NetworkError | TimedOut };

const baseMs = 1000;
const capMs = 20_000;
const longestWaitMs = 60_000;
/** Time a run may lose to a service that does not do its work; with the last attempt it makes a minute. */
const budgetMs = 55_000;
const lastAttemptMs = 5000;
/** What an answer gives back of it, so that a service that limits the rate of a long run does not end the run. */
const refundMs = 1000;
/** So long without failures, and what comes next counts as another run. */
const quietMs = 60_000;

/**
 * Sends requests again where that is safe and promises something (reliability, "Retries"). One such function serves a
 * whole run, since all its requests share one budget of time.
 */
export function createRetry({ retries, timeoutMs, address, onWait, clock = systemClock }: RetryOptions) {
  const budget = createBudget(clock);

  return async function retry(request: WireRequest, send: Send): Promise<WireResponse> {
    let maybeDone = false;
    for (let attempt = 1; ; attempt++) {
      if (attempt === 1 && budget.isSpent()) throw givenUp(address);
      const started = clock.now();
      const outcome = await outcomeOf(send, { ...request, timeoutMs: budget.limit(timeoutMs) });
      budget.note(started, stateOf(outcome));
      if (request.method === 'DELETE' && maybeDone && outcome.response?.status === 404) return done(outcome.response);

      const ms = mayRepeat(request, outcome) && attempt <= retries ? waitBefore(outcome, attempt, clock) : undefined;
      if (ms === undefined || !budget.take(ms)) return ended(outcome, request, attempt);
      maybeDone ||= isUnclear(outcome);
      onWait?.({ reason: reasonOf(outcome), ms, attempt });
      await clock.sleep(ms, request.signal);
    }
  };
}

async function outcomeOf(send: Send, request: WireRequest): Promise<Outcome> {
  try {
    return { response: await send(request) };
  } catch (error) {
    if (error instanceof NetworkError || error instanceof TimedOut) return { error };
    throw error;
  }
}

/** Whether the same request may go out once more: all but 429, 503 and a refused connection leave it open what happened. */
function mayRepeat(request: WireRequest, { response, error }: Outcome): boolean {
  if (error) {
    if (error instanceof NetworkError && error.lasting) return false;
    return request.repeatable || (error instanceof NetworkError && error.refused);
  }
  const { status } = response;
  if (status === 429 || status === 503) return true;
  return request.repeatable && (status === 408 || (status >= 500 && status !== 501));
}

const isUnclear = ({ response, error }: Outcome) =>
  error ? !(error instanceof NetworkError && error.refused) : response.status !== 429 && response.status !== 503;

function stateOf({ response, error }: Outcome): 'dead' | 'failing' | 'well' {
  // Gateways answer for a service that is gone.
  if (error || [502, 503, 504].includes(response.status)) return 'dead';
  return [408, 429].includes(response.status) || response.status >= 500 ? 'failing' : 'well';
}

/** Milliseconds to the next attempt; undefined if the service asks for more than is waited. */
function waitBefore({ response }: Outcome, attempt: number, clock: Clock): number | undefined {
  const asked = response && retryAfterMs(response.headers, clock.now());
  if (asked !== undefined && asked > longestWaitMs) return undefined;
  // Full jitter: callers that failed together must not come back together.
  return asked || Math.round(clock.random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}

/** What `Retry-After` asks for, be it seconds or a date; undefined without a readable one. */
export function retryAfterMs(headers: WireResponse['headers'], now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const until = Date.parse(value);
  // The service's own clock set the date, so the same clock says how far off it is.
  const from = Date.parse(headers.date ?? '');
  return Number.isNaN(until) ? undefined : Math.max(0, until - (Number.isNaN(from) ? now : from));
}

function reasonOf({ response, error }: Outcome): string {
  if (error) return error.message.replace(/\.$/, '');
  return response.status === 429 ? 'The service limits the rate (429)' : `The service answered ${response.status}`;
}

function ended(outcome: Outcome, request: WireRequest, attempt: number): WireResponse {
  const { response, error } = outcome;
  if (response) return response;
  if (attempt > 1) error.message += ` Tried ${attempt} times.`;
  if (!request.repeatable && isUnclear(outcome) && !(error instanceof TimedOut && error.awaited === 'connection')) {
    error.hint = 'It is not known whether the service carried the request out: look before you send it again.';
  }
  throw error;
}

// The attempt that got no answer did it; an object that is gone is what the caller asked for.
const done = ({ headers }: WireResponse): WireResponse => ({ status: 204, headers, body: new Uint8Array() });

function givenUp(address: string): NetworkError {
  return new NetworkError(`${address} is not asked any more: it has given no answer for too long.`, {
    lasting: true,
    hint: 'Try again when the service is back.',
  });
}

/**
 * Keeps account of the time lost to failing. Times that overlap count once, so that eight requests waiting side by
 * side do not use it up eight times as fast.
 */
function createBudget(clock: Clock) {
  let left = budgetMs;
  let lostUntil = 0;
  let waited = false;
  let dead = false;

  function lose(from: number, to: number) {
    left -= Math.max(0, to - Math.max(from, lostUntil));
    lostUntil = Math.max(lostUntil, to);
  }

  return {
    /** Whether the service had its time and has not answered since. */
    isSpent(): boolean {
      if (clock.now() - lostUntil > quietMs) {
        left = budgetMs;
        waited = false;
      }
      return dead && left <= 0;
    },
    /** The silence allowed for the next attempt: of a service that seems dead, hardly more than what is left. */
    limit: (timeoutMs: number) => (dead ? Math.min(timeoutMs, Math.max(left, lastAttemptMs)) : timeoutMs),
    note(started: number, state: 'dead' | 'failing' | 'well') {
      dead = state === 'dead';
      if (dead) lose(started, clock.now());
      if (state === 'well') left = Math.min(budgetMs, left + refundMs);
    },
    /** Takes a wait out of it, if it still holds that much. The first one may be as long as any. */
    take(ms: number): boolean {
      const now = clock.now();
      const more = now + ms - Math.max(now, lostUntil);
      if (left <= 0 || (more > left && waited)) return false;
      lose(now, now + ms);
      waited = true;
      return true;
    },
  };
}
