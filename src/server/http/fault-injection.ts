/** A fault that `serve --fault` asks for, so that scripts can be tried against the bad day. */
export interface FaultRule {
  /** Share of requests that meet it, 0 to 1. */
  rate: number;
  /** Answer this instead. */
  status?: number;
  retryAfterSeconds?: number;
  latencyMs?: number;
  /** Cut connections after this many pages of lists, or requests. */
  resetAfter?: { count: number; unit: 'pages' | 'requests' };
  /** End the connection in the middle of the body. */
  truncate?: boolean;
  /** How often at most. */
  times?: number;
}

/** What is to be done to one request. */
export interface InjectedFault {
  status?: number;
  retryAfterSeconds?: number;
  latencyMs: number;
  reset: boolean;
  truncate: boolean;
}

export class InvalidFaultRule extends Error {}

/**
 * Reads `rate=0.1,status=429,retry-after=1`, `latency=200ms`, `reset-after=7pages` or `truncate`.
 *
 * @throws BadFault that says what may stand there
 */
export function parseFault(text: string): FaultRule {
  const rule: FaultRule = { rate: 1 };
  for (const part of text.split(',')) {
    const [name = '', value = ''] = part.trim().split('=');
    const number = Number.parseFloat(value);
    if (name === 'rate' && number >= 0 && number <= 1) rule.rate = number;
    else if (name === 'status' && Number.isInteger(number) && number >= 400 && number <= 599) rule.status = number;
    else if (name === 'retry-after' && number >= 0) rule.retryAfterSeconds = number;
    else if (name === 'latency' && /^\d+(\.\d+)?(ms|s)$/.test(value))
      rule.latencyMs = value.endsWith('ms') ? number : number * 1000;
    else if (name === 'reset-after' && /^\d+(pages?|requests?)?$/.test(value)) {
      rule.resetAfter = { count: number, unit: value.includes('page') ? 'pages' : 'requests' };
    } else if (name === 'truncate' && value === '') rule.truncate = true;
    else if (name === 'times' && Number.isInteger(number) && number > 0) rule.times = number;
    else {
      throw new InvalidFaultRule(
        `"${part}" is no fault: there are rate=0.1, status=429, retry-after=1, latency=200ms, reset-after=7pages, truncate and times=3, joined with commas.`,
      );
    }
  }
  return rule;
}

/** Decides for each request in turn. */
export type FaultInjector = (isPage: boolean) => InjectedFault;

export function createFaultInjector(rules: readonly FaultRule[], random: () => number = Math.random): FaultInjector {
  const used = rules.map(() => 0);
  let requests = 0;
  let pages = 0;
  return (isPage: boolean): InjectedFault => {
    const fate: InjectedFault = { latencyMs: 0, reset: false, truncate: false };
    requests++;
    if (isPage) pages++;
    for (const [at, rule] of rules.entries()) {
      if (rule.times !== undefined && used[at]! >= rule.times) continue;
      if (rule.resetAfter) {
        const isCounted = rule.resetAfter.unit === 'requests' || isPage;
        const seen = rule.resetAfter.unit === 'pages' ? pages : requests;
        if (!isCounted || seen <= rule.resetAfter.count) continue;
      }
      if (random() >= rule.rate) continue;
      used[at]!++;
      fate.latencyMs += rule.latencyMs ?? 0;
      if (rule.resetAfter) fate.reset = true;
      if (rule.truncate) fate.truncate = true;
      if (rule.status !== undefined) {
        fate.status = rule.status;
        if (rule.retryAfterSeconds !== undefined) fate.retryAfterSeconds = rule.retryAfterSeconds;
      }
    }
    return fate;
  };
}
