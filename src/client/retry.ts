import { NetworkError } from './errors/network-error.ts';
import { NotSent, notSent } from './errors/not-sent.ts';
import { TimedOut } from './errors/timed-out.ts';
import type { WireRequest, WireResponse } from './transport.ts';

/** Time and randomness, replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** At least 0 and below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: Date.now,
  async sleep(ms, signal) {
    // Loaded only here: most runs never wait.
    const { setTimeout: sleep } = process.getBuiltinModule('node:timers/promises');
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
  random: Math.random,
};

export interface Wait {
  /** What went wrong: a sentence without its full stop. */
  reason: string;
  ms: number;
  /** Number of the attempt that failed, from 1. */
  attempt: number;
}

export interface RetryOptions {
  /** Attempts after the first. */
  retries: number;
  /** How long the service may send nothing, per attempt. */
  timeoutMs: number;
  /** The service, for messages. */
  address: string;
  onWait?: ((wait: Wait) => void) | undefined;
  clock?: Clock | undefined;
}

type Send = (request: WireRequest) => Promise<WireResponse>;
type ServiceState = 'down' | 'failing' | 'up';
type Outcome = { response: WireResponse; error?: undefined } | { response?: undefined; error: NetworkError | TimedOut };

const baseMs = 1000;
const capMs = 20_000;
const longestWaitMs = 60_000;
/** Time that a run may lose to failures; with the last attempt, one minute. */
const budgetMs = 55_000;
const lastAttemptMs = 5000;
/** What each successful answer adds to the budget, so that a long run survives a service that limits the rate. */
const refundMs = 1000;
/** Requests that were refused at the same time end their waits within this time. */
const togetherMs = 1000;
/** After this long without failures, the budget is reset. */
const quietMs = 60_000;

/**
 * Sends requests again if that is safe and may help (reliability, "Retries"). One such function serves a whole run,
 * because all its requests share one budget of time.
 */
export function createRetry({ retries, timeoutMs, address, onWait, clock = systemClock }: RetryOptions) {
  const budget = createBudget(clock);

  return async function retry(request: WireRequest, send: Send): Promise<WireResponse> {
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      if (attempt === 1 && request.signal?.aborted) throw notSent(request.signal.reason);
      if (attempt === 1 && budget.isSpent()) throw givenUp(address);
      const started = clock.now();
      const limited = { ...request, timeoutMs: budget.limit(request.timeoutMs ?? timeoutMs) };
      const outcome = await outcomeOf(send, limited, mayBeDone);
      budget.note(started, stateOf(outcome));
      if (request.method === 'DELETE' && mayBeDone && outcome.response?.status === 404) return done(outcome.response);

      const ms = mayRepeat(request, outcome) && attempt <= retries ? waitBefore(outcome, attempt, clock) : undefined;
      if (ms === undefined || !budget.take(ms)) return ended(outcome, request, attempt);
      mayBeDone ||= isUnclear(outcome);
      onWait?.({ reason: reasonOf(outcome), ms, attempt });
      await clock.sleep(ms, request.signal).catch((error: unknown) => {
        throw mayBeDone ? error : notSent(error);
      });
    }
  };
}

/** @param mayBeDone whether an earlier attempt may have been carried out */
async function outcomeOf(send: Send, request: WireRequest, mayBeDone: boolean): Promise<Outcome> {
  try {
    return { response: await send(request) };
  } catch (error) {
    if (error instanceof NetworkError || error instanceof TimedOut) return { error };
    throw mayBeDone && error instanceof NotSent ? error.cause : error;
  }
}

/** Whether the request may be sent again. After 429, 503 or a refused connection it was certainly not carried out. */
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

function stateOf({ response, error }: Outcome): ServiceState {
  // With these statuses, a gateway answers for a service that is down.
  if (error || [502, 503, 504].includes(response.status)) return 'down';
  return [408, 429].includes(response.status) || response.status >= 500 ? 'failing' : 'up';
}

/** Milliseconds until the next attempt; undefined if the service asks for a longer wait than allowed. */
function waitBefore({ response }: Outcome, attempt: number, clock: Clock): number | undefined {
  const requested = response && retryAfterMs(response.headers, clock.now());
  if (requested !== undefined && requested > longestWaitMs) return undefined;
  // Full jitter: clients that failed at the same time must not retry at the same time.
  return requested || Math.round(clock.random() * Math.min(capMs, baseMs * 2 ** (attempt - 1)));
}

/** The wait that `Retry-After` asks for, as seconds or as a date; undefined if there is none that can be read. */
export function retryAfterMs(headers: WireResponse['headers'], now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const until = Date.parse(value);
  // The date is by the clock of the service, so it is compared with the `Date` header.
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
    error.hint = 'The service may have carried the request out: check before you send it again.';
  }
  throw error;
}

// An earlier attempt without an answer has deleted the object.
const done = ({ headers }: WireResponse): WireResponse => ({ status: 204, headers, body: new Uint8Array() });

function givenUp(address: string): NetworkError {
  return new NetworkError(`${address} has not answered for too long, so no more requests are sent.`, {
    lasting: true,
    refused: true,
    hint: 'Try again when the service is available.',
  });
}

/**
 * Counts the time lost to failures. Times that overlap count once, so that eight requests that wait at the same time do
 * not use the budget up eight times as fast.
 */
function createBudget(clock: Clock) {
  let left = budgetMs;
  let lostUntil = 0;
  let waited = false;
  let isDown = false;

  function lose(from: number, to: number) {
    left -= Math.max(0, to - Math.max(from, lostUntil));
    lostUntil = Math.max(lostUntil, to);
  }

  return {
    /** Whether the budget is used up and the service has not answered since. */
    isSpent(): boolean {
      if (clock.now() - lostUntil > quietMs) {
        left = budgetMs;
        waited = false;
      }
      return isDown && left <= 0;
    },
    /** The silence allowed for the next attempt: if the service seems to be down, hardly more than what is left. */
    limit: (timeoutMs: number) => (isDown ? Math.min(timeoutMs, Math.max(left, lastAttemptMs)) : timeoutMs),
    note(started: number, state: ServiceState) {
      isDown = state === 'down';
      if (isDown) lose(started, clock.now());
      if (state === 'up') left = Math.min(budgetMs, left + refundMs);
    },
    /** Takes a wait out of the budget, if enough is left. The first wait may be longer than that. */
    take(ms: number): boolean {
      const now = clock.now();
      const more = now + ms - Math.max(now, lostUntil);
      const isTogether = now < lostUntil && more <= togetherMs;
      if (!isTogether && (left <= 0 || (more > left && waited))) return false;
      lose(now, now + ms);
      waited = true;
      return true;
    },
  };
}
