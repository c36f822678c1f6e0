import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeAddress } from '../../../shared/decode.ts';
import { slugify, uniqueSlug } from '../../markdown/slug.ts';
import {
  type Agents,
  decodeText,
  fetchBytes,
  type Fetched,
  type FetchLimits,
  openAgents,
  userAgent,
} from '../fetcher.ts';
import { ImportFailure } from '../failure.ts';
import { fetchImage, fetchImages, type ImageLimits, usualImageLimits } from '../images.ts';
import { type Imported, type ImportedPage, Refs } from '../imported.ts';
import { type Address, changeKey, type SiteLink, type SitePage } from '../page-text.ts';
import { isInside, keyOf, type Scope, scopeOf, titleFromKey } from '../site-address.ts';
import { type ImportWork, workHere } from '../tasks.ts';

export interface WebsiteOptions extends Partial<ImageLimits> {
  allowPrivate?: FetchLimits['allowPrivate'];
  resolve?: FetchLimits['resolve'];
  signal?: AbortSignal;
  maxPages?: number;
  /** How many links away from the first page. */
  maxDepth?: number;
  /** For the whole crawl; what came in by then is imported. */
  timeoutMs?: number;
  maxPageBytes?: number;
  onProgress?: (progress: { pages: number; found: number }) => void;
  /** Where pages are read; in this thread by default. */
  work?: ImportWork;
}

const defaults = {
  maxPages: 500,
  maxDepth: 10,
  timeoutMs: 300_000,
  maxPageBytes: 5_000_000,
  ...usualImageLimits,
};

const requestTimeoutMs = 20_000;

type Settings = WebsiteOptions & typeof defaults;

/** The page at an address and those it leads to on the same host and below its path. */
export async function importWebsite(url: string, options: WebsiteOptions = {}): Promise<Imported> {
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: Settings = { ...defaults, ...given };
  const timeUp = AbortSignal.timeout(settings.timeoutMs);
  const signal = settings.signal ? AbortSignal.any([settings.signal, timeUp]) : timeUp;
  const agents = await openAgents(settings.concurrency);
  try {
    const crawl = new Crawl(settings, agents, signal);
    await crawl.run(url);
    settings.signal?.throwIfAborted();
    return await assemble(crawl);
  } finally {
    agents.close();
  }
}

interface Crawled extends Omit<SitePage, 'links' | 'words'> {
  /** Without scheme and host, see `keyOf`. */
  key: string;
  url: string;
}

class Crawl {
  readonly pages: Crawled[] = [];
  /** Which page answers for a key: itself, or where it redirects to. */
  readonly byKey = new Map<string, Crawled>();
  /** Every key below the path that was seen. */
  readonly seen = new Set<string>();
  /** The same page is often served at two addresses. */
  readonly #byWords = new Map<string, Crawled>();
  readonly settings: Settings;
  readonly #signal: AbortSignal;
  readonly #robots: Robots;
  readonly #limits: Omit<FetchLimits, 'maxBytes'>;
  #scope: Scope = { origin: '', path: '' };

  get origin(): string {
    return this.#scope.origin;
  }

  constructor(settings: Settings, agents: Agents, signal: AbortSignal) {
    this.settings = settings;
    this.#signal = signal;
    const { allowPrivate, resolve } = settings;
    this.#limits = { timeoutMs: requestTimeoutMs, allowPrivate, resolve, agents, signal };
    this.#robots = new Robots(this.#limits);
  }

  async run(url: string): Promise<void> {
    const first = await this.#fetchFirst(url);
    const start = new URL(first.url);
    this.#scope = { origin: start.origin, path: scopeOf(start) };
    let level = await this.#take(keyOf(start), first, true);
    for (let depth = 1; depth <= this.settings.maxDepth && level.length > 0; depth += 1)
      level = await this.#crawl(level);
  }

  async #fetchFirst(url: string): Promise<Fetched> {
    if (!URL.canParse(url)) throw new ImportFailure('blocked');
    await this.#robots.require(url);
    const first = await this.#fetchPage(url);
    if (new URL(first.url).origin !== new URL(url).origin) await this.#robots.require(first.url);
    if (!isHtml(first)) throw new ImportFailure('unreadable', 'The address answers no HTML page.');
    return first;
  }

  /** Takes in one level of pages in its order, whatever the order of the answers; gives the next level. */
  async #crawl(urls: string[]): Promise<string[]> {
    const next: string[] = [];
    for (let at = 0; at < urls.length;) {
      const room = this.settings.maxPages - this.pages.length;
      if (room <= 0 || this.#signal.aborted) return [];
      const { delayMs } = await this.#robots.of(this.origin);
      const batch = urls.slice(at, at + (delayMs > 0 ? 1 : Math.min(room, this.settings.concurrency)));
      at += batch.length;
      if (delayMs > 0) await pause(delayMs, this.#signal);
      const answers = await Promise.all(batch.map((url) => this.#tryPage(url)));
      for (const [index, answer] of answers.entries()) {
        if (!answer) continue;
        for (const url of await this.#take(keyOf(new URL(batch[index]!)), answer)) next.push(url);
      }
      this.settings.onProgress?.({ pages: this.pages.length, found: this.seen.size });
    }
    return next;
  }

  // A page that fails is left out; only the first one's failure is the import's.
  async #tryPage(url: string): Promise<Fetched | undefined> {
    try {
      const { allows } = await this.#robots.of(this.origin);
      if (!allows(url)) return undefined;
      const fetched = await this.#fetchPage(url);
      const own = new URL(fetched.url);
      if (!isInside(own, this.#scope) || !allows(own.href)) return undefined;
      return isHtml(fetched) ? fetched : undefined;
    } catch (error) {
      if (error instanceof ImportFailure) return undefined;
      throw error;
    }
  }

  #fetchPage(url: string): Promise<Fetched> {
    const accept = 'text/html,application/xhtml+xml;q=0.9';
    return fetchBytes(url, { ...this.#limits, maxBytes: this.settings.maxPageBytes, accept });
  }

  /** Keeps a page and gives the addresses it leads to that were not seen before. */
  async #take(asked: string, fetched: Fetched, isFirst = false): Promise<string[]> {
    const { url } = fetched;
    const key = keyOf(new URL(url));
    const known = this.byKey.get(key);
    if (known) {
      this.byKey.set(asked, known);
      return [];
    }
    const read = await this.#tryRead(fetched, isFirst);
    if (!read) return [];
    const { links, words, ...page } = read;
    const canonical = page.canonical === undefined ? undefined : URL.parse(page.canonical);
    const twin =
      this.#byWords.get(words) ??
      (canonical && canonical.origin === this.origin ? this.byKey.get(keyOf(canonical)) : undefined);
    if (twin && !isFirst) {
      this.byKey.set(asked, twin);
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

  // A page that cannot be read is left out; only the first one's failure is the import's.
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
    const fresh = links.filter(({ key }) => !this.seen.has(key));
    for (const { key } of fresh) this.seen.add(key);
    return fresh.map(({ url }) => url);
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

// ---- robots.txt

interface Rules {
  allows: (url: string) => boolean;
  delayMs: number;
}

const maxDelayMs = 5_000;

class Robots {
  readonly #limits: Omit<FetchLimits, 'maxBytes'>;
  readonly #known = new Map<string, Promise<Rules>>();

  constructor(limits: Omit<FetchLimits, 'maxBytes'>) {
    this.#limits = limits;
  }

  of(origin: string): Promise<Rules> {
    const known = this.#known.get(origin) ?? this.#read(origin);
    this.#known.set(origin, known);
    return known;
  }

  async require(url: string): Promise<void> {
    const { allows } = await this.of(new URL(url).origin);
    if (!allows(url)) throw new ImportFailure('blocked', 'The site does not allow this page to be read (robots.txt).');
  }

  async #read(origin: string): Promise<Rules> {
    if (origin === 'null') throw new ImportFailure('blocked');
    const address = `${origin}/robots.txt`;
    let text = '';
    try {
      text = decodeText((await fetchBytes(address, { ...this.#limits, maxBytes: 500_000 })).bytes);
    } catch (error) {
      // RFC 9309: a file that is not there allows all, a server that fails allows nothing.
      if (!(error instanceof ImportFailure)) throw error;
      const isAbsent = error.code === 'status' && error.status! < 500;
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

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

// ---- from pages to a tree

interface Node {
  key: string;
  title: string;
  parent: string | null;
  page?: Crawled;
}

async function assemble(crawl: Crawl): Promise<Imported> {
  const nodes = placed(crawl);
  const refs = new Refs();
  const refOf = new Map<string, string>();
  for (const { key, title, page } of nodes) {
    const ref = refs.page(page ? slugOf(page) : slugify(title));
    refOf.set(key, ref);
    if (page) refOf.set(page.key, ref);
  }
  const addresses = crawl.pages.flatMap((page) => page.addresses);
  const images = await fetchImages(addresses, refs, (url) => crawl.fetchImage(url), crawl.settings);
  const slugs = new Map<string | null, Set<string>>();
  const pages: ImportedPage[] = [];
  for (const { key, title, parent, page } of nodes) {
    // A large site takes seconds; whoever else asks the service meanwhile gets a turn after each page.
    await nextTurn();
    const taken = slugs.get(parent) ?? new Set();
    slugs.set(parent, taken);
    const slug = uniqueSlug(page ? slugOf(page) : slugify(title), taken);
    taken.add(slug);
    const markdown = page ? await linked(page, crawl, refOf, images.refs) : `# ${title}\n`;
    pages.push({
      ref: refOf.get(key)!,
      title,
      slug,
      markdown,
      parent: parent === null ? null : refOf.get(parent)!,
      ...(page?.description && { description: page.description }),
    });
  }
  return {
    pages,
    files: images.files,
    found: crawl.seen.size + nodes.filter(({ page }) => !page).length + images.found,
  };
}

/** A hostile page has hundreds of thousands: whoever else asks the service meanwhile gets a turn in between. */
const addressesPerTurn = 1_000;

function slugOf(page: Crawled): string {
  const segment = decodeAddress(page.key.slice(page.key.lastIndexOf('/') + 1)).replace(
    /\.(?:x?html?|php|aspx?)(?:\?.*)?$/is,
    '',
  );
  return slugify(segment === '' || page.key.includes('?') ? page.title : segment);
}

async function linked(
  page: Crawled,
  crawl: Crawl,
  refOf: ReadonlyMap<string, string>,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const { work = workHere } = crawl.settings;
  const targetOf = ([address, kind]: Address): string | undefined => {
    const image = images.get(address);
    if (image) return `./${image}`;
    const url = URL.parse(address);
    const target = kind === 'link' && url?.origin === crawl.origin ? crawl.byKey.get(keyOf(url)) : undefined;
    if (!target) return undefined;
    const id = decodeAddress(url!.hash.slice(1));
    const anchor = target.anchors.get(id) ?? '';
    if (target === page && id !== '') return `#${anchor}`;
    return `./${refOf.get(target.key)}.md${anchor && `#${anchor}`}`;
  };
  const changes = new Map<string, string>();
  for (const [index, address] of page.addresses.entries()) {
    const target = targetOf(address);
    if (target !== undefined) changes.set(changeKey(...address), target);
    if (index % addressesPerTurn === addressesPerTurn - 1) await nextTurn();
  }
  return changes.size === 0 ? page.markdown : work('changeLinks', { text: page.markdown, changes });
}

/** The pages depth first. The sites' menus say what is below what; where they are silent, the addresses do. */
function placed(crawl: Crawl): Node[] {
  const nodes = new Map<string, Node>();
  const [first] = crawl.pages;
  const place = (node: Node) => {
    for (let above = node.parent; above !== null; above = nodes.get(above)?.parent ?? null) {
      if (above === node.key) return;
    }
    nodes.set(node.key, node);
  };
  for (const page of crawl.pages) placeMenu(bestMenu(page, crawl), crawl, nodes, place);
  // The first page leads to all others, so it stands before them rather than above them all.
  if (!nodes.has(first!.key)) {
    const rest = [...nodes];
    nodes.clear();
    place({ key: first!.key, title: first!.title, parent: null, page: first! });
    for (const [key, node] of rest) nodes.set(key, node);
  }
  const menu = new Set(nodes.keys());
  for (const page of crawl.pages) {
    if (menu.has(page.key)) continue;
    place({ key: page.key, title: page.title, parent: parentByAddress(page, crawl, nodes), page });
  }
  return depthFirst([...new Set(nodes.values())]);
}

/** Of a page's lists of links, the one that leads to most of the imported pages. */
function bestMenu(page: Crawled, crawl: Crawl): Crawled['navigation'][number] {
  let best: Crawled['navigation'][number] = [];
  let most = 1;
  for (const menu of page.navigation) {
    const reached = new Set(menu.flatMap(({ url }) => pageAt(url, crawl) ?? []));
    if (reached.size <= most) continue;
    best = menu;
    most = reached.size;
  }
  return best;
}

function pageAt(url: string | undefined, crawl: Crawl): Crawled | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed?.origin === crawl.origin ? crawl.byKey.get(keyOf(parsed)) : undefined;
}

function placeMenu(
  menu: Crawled['navigation'][number],
  crawl: Crawl,
  nodes: Map<string, Node>,
  place: (node: Node) => void,
): void {
  const keys: (string | null)[] = [];
  for (const { url, title, parent } of menu) {
    const above = parent === -1 ? null : keys[parent]!;
    const page = pageAt(url, crawl);
    if (page) {
      const over = above === null ? undefined : nodes.get(above);
      const own = page.key === above ? null : above;
      if (nodes.has(page.key)) keys.push(page.key);
      else if (over && !over.page && sameTitle(over.title, page.title, title)) {
        // A label with the overview it stands for right below: they are one.
        over.page = page;
        nodes.set(page.key, over);
        keys.push(over.key);
      } else {
        place({ key: page.key, title: page.title, parent: own, page });
        keys.push(page.key);
      }
    } else if (url === undefined && title !== '') {
      const key = `label:${above ?? ''}\n${title}`;
      if (!nodes.has(key)) place({ key, title, parent: above });
      keys.push(key);
    } else keys.push(above);
  }
}

function sameTitle(label: string, ...titles: string[]): boolean {
  return titles.some((title) => title.toLowerCase() === label.toLowerCase());
}

function parentByAddress(page: Crawled, crawl: Crawl, nodes: Map<string, Node>): string | null {
  const first = crawl.pages[0]!;
  const root = keyOf(new URL(scopeOf(new URL(first.url)), first.url));
  let path = page.key.replace(/\?.*/s, '');
  for (;;) {
    path = path.slice(0, path.lastIndexOf('/'));
    if (path.length <= root.length) return null;
    const parent = crawl.byKey.get(path) ?? crawl.byKey.get(`${path}.html`);
    if (parent && parent !== page && parent !== first) return parent.key;
    const beside = crawl.pages.find(({ key }) => key.slice(0, key.lastIndexOf('/')) === path && nodes.has(key));
    if (!parent && beside && beside !== first) return nodes.get(beside.key)!.parent;
    // A folder with several pages and none of its own keeps them together.
    const inside = crawl.pages.filter(({ key }) => key.startsWith(`${path}/`)).length;
    if (!parent && inside > 1) {
      const key = `label:${path}`;
      const title = titleFromKey(path, first.url);
      if (!nodes.has(key))
        nodes.set(key, { key, title, parent: parentByAddress({ ...page, key: path }, crawl, nodes) });
      return key;
    }
  }
}

function depthFirst(nodes: Node[]): Node[] {
  const children = Map.groupBy(nodes, ({ parent }) => parent);
  const below = (parent: string | null): Node[] =>
    (children.get(parent) ?? []).flatMap((node) => {
      const inside = below(node.key);
      return node.page || inside.length > 0 ? [node, ...inside] : [];
    });
  return below(null);
}
