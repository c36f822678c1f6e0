import { setTimeout } from 'node:timers/promises';
import type { LeftOut } from '../../../contract/instance.ts';
import { ImportFailure } from '../failure.ts';
import { type Agents, type FetchLimits, type Fetched, decodeText, fetchBytes, userAgent } from '../fetcher.ts';
import { type ImageLimits, fetchImage, usualImageLimits } from '../images.ts';
import type { SiteLink, SitePage } from '../page-text.ts';
import { type Scope, isInside, keyOf, scopeOf, titleFromKey } from '../site-address.ts';
import { type ImportWork, workHere } from '../tasks.ts';

export interface WebsiteOptions extends Partial<ImageLimits> {
  allowPrivate?: FetchLimits['allowPrivate'];
  maxPages?: number;
  /** In links from the first page. */
  maxDepth?: number;
  /** For the whole crawl. The pages read so far are imported. */
  timeoutMs?: number;
  maxPageBytes?: number;
  /** Parses pages; by default, in this thread. */
  work?: ImportWork;
  /** Cancels the import. */
  signal?: AbortSignal;
  /** Called after each page. */
  onProgress?: (progress: CrawlProgress) => void;
}

interface CrawlProgress {
  /** The number of imported pages. */
  fetched: number;
  /** The number of known pages. */
  found: number;
}

export const defaults = {
  maxPages: 500,
  maxDepth: 10,
  timeoutMs: 300_000,
  maxPageBytes: 5_000_000,
  ...usualImageLimits,
};

const requestTimeoutMs = 20_000;

export type Settings = WebsiteOptions & typeof defaults;

export interface Crawled extends Omit<SitePage, 'links' | 'words'> {
  /** Without scheme and host, see `keyOf`. */
  key: string;
  url: string;
}

export class Crawl {
  readonly pages: Crawled[] = [];
  /** Pages by their keys, and by the keys of addresses that redirect to them. */
  readonly byKey = new Map<string, Crawled>();
  /** The keys of all known pages. */
  readonly seen = new Set<string>();
  /** By a hash of the text, because the same page often has two addresses. */
  readonly #byWords = new Map<string, Crawled>();
  readonly settings: Settings;
  /** Aborted when the time is up or the import is canceled. */
  readonly #signal: AbortSignal;
  /** Why pages were skipped, by key. */
  readonly #leftOut = new Map<string, 'robots' | 'failed'>();
  readonly #robots: Robots;
  readonly #limits: Omit<FetchLimits, 'maxBytes'>;
  #scope: Scope = { origin: '', path: '' };

  get origin(): string {
    return this.#scope.origin;
  }

  /** The imported page at an address, or at an address that redirects to it. */
  pageAt(url: string | undefined): Crawled | undefined {
    const parsed = url === undefined ? null : URL.parse(url);
    return parsed?.origin === this.origin ? this.byKey.get(keyOf(parsed)) : undefined;
  }

  constructor(settings: Settings, agents: Agents, signal: AbortSignal) {
    this.settings = settings;
    this.#signal = signal;
    this.#limits = { timeoutMs: requestTimeoutMs, allowPrivate: settings.allowPrivate, agents, signal };
    this.#robots = new Robots(this.#limits);
  }

  async run(url: string): Promise<void> {
    const first = await this.#fetchFirst(url);
    const start = new URL(first.url);
    this.#scope = { origin: start.origin, path: scopeOf(start) };
    let level = await this.#take(keyOf(start), first, true);
    for (let depth = 1; depth <= this.settings.maxDepth && level.length > 0; depth += 1)
      level = await this.#crawl(level);
    this.settings.signal?.throwIfAborted();
  }

  /** The known pages that were not imported, by reason. */
  leftOut(): { counts: LeftOut; keys: ReadonlySet<string> } {
    const counts: LeftOut = { pages: 0, depth: 0, time: 0, robots: 0, failed: 0 };
    const keys = new Set<string>();
    const ended = this.pages.length >= this.settings.maxPages ? 'pages' : this.#signal.aborted ? 'time' : 'depth';
    for (const key of this.seen) {
      if (this.byKey.has(key)) continue;
      keys.add(key);
      counts[this.#leftOut.get(key) ?? ended] += 1;
    }
    return { counts, keys };
  }

  async #fetchFirst(url: string): Promise<Fetched> {
    if (!URL.canParse(url)) throw new ImportFailure('blocked');
    await this.#robots.require(url);
    const first = await this.#fetchPage(url);
    if (new URL(first.url).origin !== new URL(url).origin) await this.#robots.require(first.url);
    if (!isHtml(first)) throw new ImportFailure('unreadable', 'The response is not an HTML page.');
    return first;
  }

  /** Adds a level of pages, regardless of the order of the responses. @returns the next level */
  async #crawl(urls: string[]): Promise<string[]> {
    const next: string[] = [];
    for (let index = 0; index < urls.length;) {
      const room = this.settings.maxPages - this.pages.length;
      if (room <= 0 || this.#signal.aborted) return [];
      const { delayMs } = await this.#robots.of(this.origin);
      const batch = urls.slice(index, index + (delayMs > 0 ? 1 : Math.min(room, this.settings.concurrency)));
      index += batch.length;
      // The loop ends if the pause is aborted.
      if (delayMs > 0) await setTimeout(delayMs, undefined, { signal: this.#signal }).catch(() => undefined);
      const answers = await Promise.all(batch.map(async (url) => ({ url, page: await this.#tryPage(url) })));
      for (const { url, page } of answers) {
        if (page) for (const link of await this.#take(keyOf(new URL(url)), page)) next.push(link);
        this.settings.onProgress?.({ fetched: this.pages.length, found: this.seen.size });
      }
    }
    return next;
  }

  // A page that fails is skipped. If the first one fails, the import fails.
  async #tryPage(url: string): Promise<Fetched | undefined> {
    try {
      const { allows } = await this.#robots.of(this.origin);
      if (!allows(url)) return this.#leaveOut(url, 'robots');
      const fetched = await this.#fetchPage(url);
      const answered = new URL(fetched.url);
      if (!allows(answered.href)) return this.#leaveOut(url, 'robots');
      return isInside(answered, this.#scope) && isHtml(fetched) ? fetched : this.#leaveOut(url, 'failed');
    } catch (error) {
      if (!(error instanceof ImportFailure)) throw error;
      return this.#signal.aborted ? undefined : this.#leaveOut(url, 'failed');
    }
  }

  #leaveOut(url: string, reason: 'robots' | 'failed'): undefined {
    this.#leftOut.set(keyOf(new URL(url)), reason);
  }

  #fetchPage(url: string): Promise<Fetched> {
    const accept = 'text/html,application/xhtml+xml;q=0.9';
    return fetchBytes(url, { ...this.#limits, maxBytes: this.settings.maxPageBytes, accept });
  }

  /** Adds a page. @returns new addresses from its links */
  async #take(asked: string, fetched: Fetched, isFirst = false): Promise<string[]> {
    const { url } = fetched;
    const key = keyOf(new URL(url));
    const present = this.byKey.get(key);
    if (present) {
      this.byKey.set(asked, present);
      return [];
    }
    const read = await this.#tryRead(fetched, isFirst);
    if (!read) {
      this.#leftOut.set(asked, 'failed');
      return [];
    }
    const { links, words, ...page } = read;
    const canonical = page.canonical === undefined ? undefined : URL.parse(page.canonical);
    const same =
      this.#byWords.get(words) ??
      (canonical && canonical.origin === this.origin ? this.byKey.get(keyOf(canonical)) : undefined);
    if (same && !isFirst) {
      this.byKey.set(asked, same);
      return [];
    }
    const crawled: Crawled = { ...page, key, url };
    this.#byWords.set(words, crawled);
    for (const each of [asked, crawled.key]) {
      this.seen.add(each);
      this.byKey.set(each, crawled);
    }
    this.pages.push(crawled);
    return crawled.nofollow ? [] : this.#newAddresses(links);
  }

  // A page that cannot be parsed is skipped. If the first one fails, the import fails.
  async #tryRead({ bytes, contentType, url }: Fetched, isFirst: boolean): Promise<SitePage | undefined> {
    const { work = workHere } = this.settings;
    const title = titleFromKey(keyOf(new URL(url)), url);
    try {
      return await work('readSitePage', { bytes, contentType, url, title, scope: this.#scope });
    } catch (error) {
      if (isFirst || !(error instanceof ImportFailure)) throw error;
      return undefined;
    }
  }

  #newAddresses(links: SiteLink[]): string[] {
    const unseen = links.filter(({ key }) => !this.seen.has(key));
    for (const { key } of unseen) this.seen.add(key);
    return unseen.map(({ url }) => url);
  }

  async fetchImage(url: string): Promise<Fetched | undefined> {
    if (this.#signal.aborted) return undefined;
    if (url.startsWith(`${this.origin}/`) && !(await this.#robots.of(this.origin)).allows(url)) return undefined;
    return fetchImage(url, { ...this.#limits, maxBytes: this.settings.maxImageBytes });
  }
}

function isHtml({ contentType, bytes }: Fetched): boolean {
  if (contentType === '') return /^\s*(?:<\?xml|<!doctype html|<html)/i.test(bytes.subarray(0, 512).toString('latin1'));
  return /^\s*(?:text\/html|application\/xhtml\+xml)/i.test(contentType);
}

interface Rules {
  allows: (url: string) => boolean;
  delayMs: number;
}

const maxDelayMs = 5_000;

/** Reads the robots.txt of each origin once. */
class Robots {
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
