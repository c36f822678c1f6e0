import { setImmediate as nextTurn } from 'node:timers/promises';
import { decodeAddress } from '../../../shared/decode.ts';
import { slugify, uniqueSlug } from '../../markdown/slug.ts';
import { fetchImages } from '../images.ts';
import { type Imported, type ImportedPage, Refs } from '../imported.ts';
import { type Address, changeKey } from '../page-text.ts';
import { keyOf } from '../site-address.ts';
import { workHere } from '../tasks.ts';
import { Crawl, type Crawled } from './crawl.ts';
import { orderPages } from './page-order.ts';

export async function assemble(crawl: Crawl): Promise<Imported> {
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
    // A large site takes seconds: other requests get a turn after each page.
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

/** A page made for an attack has hundreds of thousands: other requests get a turn in between. */
const addressesPerTurn = 1_000;

function slugOf(page: Crawled): string {
  const segment = decodeAddress(page.key.slice(page.key.lastIndexOf('/') + 1)).replace(
    /\.(?:x?html?|php|aspx?)(?:\?.*)?$/is,
    '',
  );
  return slugify(segment === '' || page.key.includes('?') ? page.title : segment);
}

async function withLocalLinks(
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
    if (!url || kind !== 'link' || url.origin !== crawl.origin) return undefined;
    const target = crawl.byKey.get(keyOf(url));
    if (!target) return undefined;
    const id = decodeAddress(url.hash.slice(1));
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
