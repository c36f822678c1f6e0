import type { PageSource } from '../../content/html/page-source.ts';
import { spellAddress, splitAtAddresses, type WrittenAddress } from '../../content/markdown/markdown.ts';
import { titledMarkdown } from '../machine-files.ts';

/** Markdown in pieces: text, and between it the addresses that start at the root of the site. */
export type SiteMarkdown = (string | WrittenAddress)[];

/**
 * A page as Markdown that starts with its title. It has the addresses of the site, as its HTML, instead of those of its source.
 *
 * @param source undefined if the text has the addresses of the site already
 */
export function siteMarkdown(
  { title, description }: { title: string; description?: string | undefined },
  markdown: string,
  source?: PageSource,
): SiteMarkdown {
  const titled = titledMarkdown(title, description, markdown);
  const pieces = splitAtAddresses(markdown).map((piece) => {
    if (typeof piece === 'string') return piece;
    const address = source ? withUrl(piece, siteUrl(piece, source)) : piece;
    return /^\/(?!\/)/.test(address.url) ? address : address.raw;
  });
  return [titled.slice(0, titled.length - markdown.length), ...pieces];
}

function siteUrl({ url, kind }: WrittenAddress, source: PageSource): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return url;
  const target = kind === 'image' ? source.file(url) : (source.link(url) ?? source.file(url));
  return target?.href ?? url;
}

/** The same address if `url` cannot be written in its place. */
function withUrl(address: WrittenAddress, url: string): WrittenAddress {
  const raw = url === address.url ? undefined : spellAddress(url, address.style);
  return raw === undefined ? address : { ...address, url, raw };
}

/** Replaces the addresses that start at the root of the site. @param hrefOf undefined for addresses that stay as they are */
export async function linkMarkdown(
  markdown: SiteMarkdown,
  hrefOf: (address: string) => Promise<string | undefined>,
): Promise<string> {
  let text = '';
  for (const piece of markdown) {
    if (typeof piece === 'string') text += piece;
    else text += withUrl(piece, (await hrefOf(piece.url)) ?? piece.url).raw;
  }
  return text;
}
