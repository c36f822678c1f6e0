import { ImportFailure } from '../failure.ts';
import { decodeText, fetchBytes, type FetchLimits, userAgent } from '../fetcher.ts';

interface Rules {
  allows: (url: string) => boolean;
  delayMs: number;
}

const maxDelayMs = 5_000;

/** Reads the robots.txt of each origin once. */
export class Robots {
  readonly #limits: Omit<FetchLimits, 'maxBytes'>;
  readonly #rules = new Map<string, Promise<Rules>>();

  constructor(limits: Omit<FetchLimits, 'maxBytes'>) {
    this.#limits = limits;
  }

  of(origin: string): Promise<Rules> {
    const rules = this.#rules.get(origin) ?? this.#read(origin);
    this.#rules.set(origin, rules);
    return rules;
  }

  async require(url: string): Promise<void> {
    const { allows } = await this.of(new URL(url).origin);
    if (!allows(url)) throw new ImportFailure('blocked', "The site's robots.txt does not allow reading this page.");
  }

  async #read(origin: string): Promise<Rules> {
    if (origin === 'null') throw new ImportFailure('blocked');
    const address = `${origin}/robots.txt`;
    let text = '';
    try {
      text = decodeText((await fetchBytes(address, { ...this.#limits, maxBytes: 500_000 })).bytes);
    } catch (error) {
      // RFC 9309: everything is allowed if the file does not exist, and nothing if the server fails.
      if (!(error instanceof ImportFailure)) throw error;
      const isAbsent = error.code === 'status' && error.status !== undefined && error.status < 500;
      if (!isAbsent && error.code !== 'redirects' && error.code !== 'too-large') throw error;
    }
    const { default: parse } = await import('robots-parser');
    const robots = parse(address, text);
    const delay = robots.getCrawlDelay(userAgent) ?? 0;
    return {
      allows: (url) => robots.isAllowed(url, userAgent) !== false,
      delayMs: Math.min(Number.isFinite(delay) ? delay * 1000 : 0, maxDelayMs),
    };
  }
}
