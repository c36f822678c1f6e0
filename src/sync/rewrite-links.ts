import { type NamedAddress, readAddresses, rewriteLinks as rewrite } from '../content/markdown/markdown.ts';
import { LruCache } from '../shared/lru-cache.ts';

/** In characters, with about as many bytes for addresses. */
const maxCached = 8_000_000;
const cache = new LruCache<{ size: number; addresses: readonly NamedAddress[] }>(maxCached, ({ size }) => size);

/** The same as that of Markdown, but reads texts once. A pull compares the pages of the folder, of the space and of both before. */
export const rewriteLinks: typeof rewrite = (text, change) => {
  let read = cache.get(text);
  if (!read) {
    const { addresses } = readAddresses(text);
    read = { size: text.length + addresses.length * 150, addresses };
    cache.set(text, read);
  }
  return rewrite(text, change, read.addresses);
};
