import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeAddress } from '../../../shared/decode.ts';
import { slugify, uniqueSlug } from '../../markdown/slug.ts';
import { openAgents } from '../fetcher.ts';
import { fetchImages } from '../images.ts';
import { type Imported, type ImportedPage, Refs } from '../imported.ts';
import type { Address } from '../page-text.ts';
import { Crawl, type Crawled, defaults, type Settings, type WebsiteOptions } from './crawl.ts';
import { orderPages } from './page-order.ts';

/** Imports the page at an address, and the pages on the same host and below its path that it links to. */
export async function importWebsite(url: string, options: WebsiteOptions = {}): Promise<Imported> {
  const present = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const settings: Settings = { ...defaults, ...present };
  const timeUp = AbortSignal.timeout(settings.timeoutMs);
  const ended = settings.signal ? AbortSignal.any([settings.signal, timeUp]) : timeUp;
  const agents = await openAgents(settings.concurrency);
  try {
    const crawl = new Crawl(settings, agents, ended);
    await crawl.run(url);
    return await assemble(crawl);
  } finally {
    agents.close();
  }
}

async function assemble(crawl: Crawl): Promise<Imported> {
  const nodes = orderPages(crawl);
  const refs = new Refs();
  const refOf = new Map<string, string>();
  const placed = nodes.map((node) => {
    const { key, title, page } = node;
    const ref = refs.page(page ? slugOf(page) : slugify(title));
    refOf.set(key, ref);
    if (page) refOf.set(page.key, ref);
    return { ...node, ref };
  });
  crawl.settings.signal?.throwIfAborted();
  const addresses = crawl.pages.flatMap((page) => page.addresses);
  const images = await fetchImages(addresses, refs, (url) => crawl.fetchImage(url), crawl.settings);
  const slugs = new Map<string | null, Set<string>>();
  const pages: ImportedPage[] = [];
  for (const { key, ref, title, parent, page } of placed) {
    // A large site takes seconds, so other requests get a turn after each page.
    await nextTurn();
    crawl.settings.signal?.throwIfAborted();
    const taken = slugs.get(parent) ?? new Set();
    slugs.set(parent, taken);
    const slug = uniqueSlug(page ? slugOf(page) : slugify(title), taken);
    taken.add(slug);
    const markdown = page ? await withLocalLinks(page, crawl, refOf, images.refs) : `# ${title}\n`;
    pages.push({
      ref,
      source: key,
      title,
      slug,
      markdown,
      parent: parent === null ? null : (refOf.get(parent) ?? null),
      ...(page?.description && { description: page.description }),
    });
  }
  const leftOut = crawl.leftOut();
  const missing = leftOut.keys.size;
  return { pages, files: images.files, total: pages.length + missing + images.total, leftOut };
}

/** A malicious page has hundreds of thousands of addresses, so other requests get a turn in between. */
const addressesPerTurn = 1_000;

function slugOf(page: Crawled): string {
  const segment = decodeAddress(page.key.slice(page.key.lastIndexOf('/') + 1)).replace(
    /\.(?:x?html?|php|aspx?)(?:\?.*)?$/is,
    '',
  );
  return slugify(segment === '' || page.key.includes('?') ? page.title : segment);
}

/** The text of a page, with links to other imported pages and images. */
async function withLocalLinks(
  page: Crawled,
  crawl: Crawl,
  refOf: ReadonlyMap<string, string>,
  images: ReadonlyMap<string, string>,
): Promise<string> {
  const targetOf = ([address, kind]: Address): string | undefined => {
    const image = images.get(address);
    if (image) return `./${image}`;
    const target = kind === 'link' ? crawl.pageAt(address) : undefined;
    if (!target) return undefined;
    const id = decodeAddress(new URL(address).hash.slice(1));
    const anchor = target.anchors.get(id) ?? '';
    if (target === page && id !== '') return `#${anchor}`;
    return `./${refOf.get(target.key)}.md${anchor && `#${anchor}`}`;
  };
  const targets: (string | undefined)[] = [];
  for (const address of page.addresses) {
    targets.push(targetOf(address));
    if (targets.length % addressesPerTurn === 0) await nextTurn();
  }
  const parts: string[] = [];
  let done = 0;
  for (const { index, start, end } of page.places) {
    const target = targets[index];
    if (target === undefined) continue;
    parts.push(page.markdown.slice(done, start), target);
    done = end;
  }
  return parts.join('') + page.markdown.slice(done);
}
