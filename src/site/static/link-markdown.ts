import type { PageSource } from '../../content/html/page-source.ts';
import { rewriteLinks } from '../../content/markdown/markdown.ts';

/** A text with the addresses of the site, as in its HTML, instead of those of its source. */
export const siteMarkdown = (markdown: string, source: PageSource): string =>
  rewriteLinks(markdown, (url, kind) => {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return url;
    const target = kind === 'image' ? source.file(url) : (source.link(url) ?? source.file(url));
    return target?.href ?? url;
  });

/** Replaces the addresses that start at the root of the site. @param hrefOf undefined for addresses that stay as they are */
export async function linkMarkdown(
  markdown: string,
  hrefOf: (address: string) => Promise<string | undefined>,
): Promise<string> {
  const addresses = new Set<string>();
  rewriteLinks(markdown, (url) => {
    if (/^\/(?!\/)/.test(url)) addresses.add(url);
    return url;
  });
  const hrefs = new Map<string, string>();
  for (const address of addresses) {
    const href = await hrefOf(address);
    if (href !== undefined) hrefs.set(address, href);
  }
  return hrefs.size === 0 ? markdown : rewriteLinks(markdown, (url) => hrefs.get(url) ?? url);
}
