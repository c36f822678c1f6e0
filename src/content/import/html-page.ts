import { rewriteLinks } from '../markdown.ts';
import { decodeText, fetchBytes } from './fetcher.ts';
import { readHtml } from './html.ts';
import type { Imported } from './imported.ts';
import { fileTitle, onePage } from './markdown.ts';
import { type SourceOptions, sourceLimits } from './sources.ts';

/** One page from one page of HTML. */
export async function importHtml(address: string, options: SourceOptions): Promise<Imported> {
  const { bytes, contentType, url } = await fetchBytes(address, {
    ...sourceLimits(options),
    accept: 'text/html,*/*;q=0.5',
  });
  const { markdown, title, description, anchors } = readHtml(
    decodeText(bytes, contentType || 'text/html'),
    url,
    fileTitle(url),
  );
  const imported = await onePage(ownAnchors(markdown, url, anchors), url, title, options);
  return {
    ...imported,
    pages: imported.pages.map((page) => ({ ...page, title, ...(description && { description }) })),
  };
}

function ownAnchors(markdown: string, url: string, anchors: ReadonlyMap<string, string>): string {
  const own = `${url.replace(/#.*$/s, '')}#`;
  return rewriteLinks(markdown, (link) => {
    const anchor = link.startsWith(own) ? anchors.get(decodeURI(link.slice(own.length))) : undefined;
    return anchor === undefined ? link : `#${anchor}`;
  });
}
