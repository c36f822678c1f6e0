/** A fault to inject, from `serve --fault`: so that scripts can be tested against errors. */
export interface FaultRule {
  /** Share of the requests that get it, 0 to 1. */
  rate: number;
  /** Answer with this status. */
  status?: number;
  retryAfterSeconds?: number;
  latencyMs?: number;
  /** Close connections after this many pages of lists, or requests. */
  resetAfter?: { count: number; unit: 'pages' | 'requests' };
  /** Close the connection in the middle of the body. */
  truncate?: boolean;
  /** At most so many times. */
  times?: number;
  /** Refuse requests with 429 beyond so many in a window of time. */
  limit?: { count: number; windowMs: number };
}

/** What is done to one request. */
export interface InjectedFault {
  status?: number;
  retryAfterSeconds?: number;
  latencyMs: number;
  reset: boolean;
  truncate: boolean;
}

class InvalidFaultRule extends Error {}

/**
 * Reads `rate=0.1,status=429,retry-after=1`, `limit=60/60s`, `latency=200ms`, `reset-after=7pages` or `truncate`.
 *
 * @throws InvalidFaultRule that names the valid settings
 */
export function parseFault(text: string): FaultRule {
  const rule: FaultRule = { rate: 1 };
  for (const setting of text.split(',')) {
    const change = parseSetting(setting.trim());
    if (!change) {
      throw new InvalidFaultRule(
        `"${setting}" is not a fault. Use rate=0.1, status=429, retry-after=1, limit=60/60s, latency=200ms, reset-after=7pages, truncate or times=3, or several of them with commas.`,
      );
    }
    Object.assign(rule, change);
  }
  return rule;
}

function parseSetting(setting: string): Partial<FaultRule> | undefined {
  const [name = '', value = ''] = setting.split('=');
  const number = Number.parseFloat(value);
  switch (name) {
    case 'rate':
      return number >= 0 && number <= 1 ? { rate: number } : undefined;
    case 'status':
      return Number.isInteger(number) && number >= 400 && number <= 599 ? { status: number } : undefined;
    case 'retry-after':
      return number >= 0 ? { retryAfterSeconds: number } : undefined;
    case 'latency':
      if (!/^\d+(\.\d+)?(ms|s)$/.test(value)) return undefined;
      return { latencyMs: value.endsWith('ms') ? number : number * 1000 };
    case 'reset-after':
      if (!/^\d+(pages?|requests?)?$/.test(value)) return undefined;
      return { resetAfter: { count: number, unit: value.includes('page') ? 'pages' : 'requests' } };
    case 'limit': {
      const [, count, seconds] = /^(\d+)\/(\d+)s$/.exec(value) ?? [];
      if (!Number(count) || !Number(seconds)) return undefined;
      return { limit: { count: Number(count), windowMs: Number(seconds) * 1000 } };
    }
    case 'truncate':
      return value === '' ? { truncate: true } : undefined;
    case 'times':
      return Number.isInteger(number) && number > 0 ? { times: number } : undefined;
    default:
      return undefined;
  }
}

/** Decides what is done to the next request. */
export type FaultInjector = (isPage: boolean) => InjectedFault;

export function createFaultInjector(rules: readonly FaultRule[], random: () => number = Math.random): FaultInjector {
  const counters = rules.filter(({ limit }) => !limit).map((rule) => ({ rule, uses: 0 }));
  const limiters = rules.flatMap(({ limit }) => (limit ? [limiter(limit)] : []));
  let requests = 0;
  let pages = 0;
  const isDue = ({ rule, uses }: (typeof counters)[number], isPage: boolean): boolean => {
    if (rule.times !== undefined && uses >= rule.times) return false;
    if (rule.resetAfter) {
      const { unit, count } = rule.resetAfter;
      if (unit === 'pages' ? !isPage || pages <= count : requests <= count) return false;
    }
    return random() < rule.rate;
  };
  return (isPage: boolean): InjectedFault => {
    const fault: InjectedFault = { latencyMs: 0, reset: false, truncate: false };
    requests++;
    if (isPage) pages++;
    for (const counter of counters) {
      if (!isDue(counter, isPage)) continue;
      counter.uses++;
      addRule(fault, counter.rule);
    }
    for (const secondsLeft of limiters) {
      const seconds = secondsLeft(Date.now());
      if (seconds !== undefined) addRule(fault, { rate: 1, status: 429, retryAfterSeconds: seconds });
    }
    return fault;
  };
}

/** Counts requests in windows; a request beyond the limit gets the whole seconds until the next window. */
function limiter({ count, windowMs }: NonNullable<FaultRule['limit']>): (now: number) => number | undefined {
  let end = 0;
  let requests = 0;
  return (now) => {
    if (now >= end) {
      end = now + windowMs;
      requests = 0;
    }
    return ++requests > count ? Math.ceil((end - now) / 1000) : undefined;
  };
}

function addRule(fault: InjectedFault, rule: FaultRule): void {
  fault.latencyMs += rule.latencyMs ?? 0;
  if (rule.resetAfter) fault.reset = true;
  if (rule.truncate) fault.truncate = true;
  if (rule.status === undefined) return;
  fault.status = rule.status;
  if (rule.retryAfterSeconds !== undefined) fault.retryAfterSeconds = rule.retryAfterSeconds;
}
