import { hash } from 'node:crypto';
import { decodeAddress } from '../../shared/decode.ts';
import { type Link, readMarkdown, rewriteLinks } from '../markdown/markdown.ts';
import { decodeText } from './fetcher.ts';
import { type HtmlPage, readHtml } from './html/html.ts';
import { hasMeaningfulQuery, isInside, keyOf, mayBeHtml, type Scope } from './site-address.ts';

/** A response. */
export interface FetchedText {
  bytes: Uint8Array;
  contentType: string;
  url: string;
  /** The title of the page if it has none. */
  title: string;
}

/** An imported text. Its images are not fetched, yet. */
export interface OpenText {
  markdown: string;
  title: string;
  /** The title in the front matter, or else the first heading of the text. */
  firstTitle: string;
  description?: string;
  addresses: Address[];
  /** Its own address, which relative addresses are based on. */
  url: string;
}

export type Address = [url: string, kind: Link['kind']];

/** The range of an address that can be replaced by another one without special characters. */
interface AddressPlace {
  /** The index of the address in the list of all addresses. */
  index: number;
  start: number;
  end: number;
}

export interface ChangedLinks {
  text: string;
  /** New addresses by kind and old address. */
  changes: ReadonlyMap<string, string>;
}

export const changeKey = (url: string, kind: Link['kind']) => `${kind} ${url}`;

/** Opens a Markdown text. Its relative links are kept, because their targets depend on the content it is imported into. */
export function openMarkdown({ bytes, contentType, url, title }: FetchedText): OpenText {
  return open(decodeText(bytes, contentType || 'text/plain'), url, title);
}

/** Opens an HTML page. */
export function openHtml({ bytes, contentType, url, title }: FetchedText): OpenText {
  const html = decodeText(bytes, contentType || 'text/html');
  const { markdown, anchors, description, ...page } = readHtml(html, url, title);
  return { ...open(changeAnchors(markdown, url, anchors), url, page.title), ...(description && { description }) };
}

/** A page of a website for the crawler. */
export interface SitePage extends Omit<HtmlPage, 'links'> {
  /** Links to pages that can be imported, without duplicates. */
  links: SiteLink[];
  addresses: Address[];
  /** In the order of the Markdown. */
  places: AddressPlace[];
  /** A hash of the text, which is equal for the same page at another address. */
  words: string;
}

export interface SiteLink {
  /** See `keyOf`. */
  key: string;
  url: string;
}

// At most 500 pages of a site are imported, so its menu is not longer.
const longestMenu = 5_000;

export function readSitePage({ bytes, contentType, url, title, scope }: FetchedText & { scope: Scope }): SitePage {
  const { links, ...page } = readHtml(decodeText(bytes, contentType), url, title);
  return {
    ...page,
    navigation: page.navigation.filter((menu) => menu.length <= longestMenu),
    links: linksInside(links, scope),
    ...placesIn(page.markdown),
    words: hash('sha256', page.markdown.replaceAll(`${url.replace(/#.*/s, '')}#`, '#')),
  };
}

/** Longer addresses are ignored, because the crawler looks at each folder in a path. */
const maxAddress = 2_000;

function linksInside(links: string[], scope: Scope): SiteLink[] {
  const inside = new Map<string, SiteLink>();
  for (const link of links) {
    const url = URL.parse(link);
    if (!url || url.href.length > maxAddress || !isInside(url, scope) || !mayBeHtml(url)) continue;
    const key = keyOf(url);
    if (inside.has(key)) continue;
    url.hash = '';
    if (!hasMeaningfulQuery(url)) url.search = '';
    inside.set(key, { key, url: url.href });
  }
  return [...inside.values()];
}

export function changeLinks({ text, changes }: ChangedLinks): string {
  return rewriteLinks(text, (url, kind) => changes.get(changeKey(url, kind)) ?? url);
}

function open(markdown: string, url: string, usualTitle: string): OpenText {
  const { title = usualTitle, headings, frontMatter } = readMarkdown(markdown);
  const { description } = frontMatter;
  return {
    markdown,
    title,
    firstTitle: frontMatter['title'] === undefined && headings[0] ? headings[0].text || title : title,
    ...(typeof description === 'string' && { description }),
    addresses: addressesIn(markdown),
    url,
  };
}

/** The addresses in a text, in order and without duplicates. */
function addressesIn(text: string): Address[] {
  const addresses = new Map<string, Address>();
  rewriteLinks(text, (url, kind) => {
    addresses.set(changeKey(url, kind), [url, kind]);
    return url;
  });
  return [...addresses.values()];
}

/** The addresses in converted Markdown with their ranges, so that they can be changed without parsing it again. */
function placesIn(text: string): { addresses: Address[]; places: AddressPlace[] } {
  const indexes = new Map<string, number>();
  const addresses: Address[] = [];
  const places: AddressPlace[] = [];
  rewriteLinks(text, (url, kind, raw, start) => {
    const key = changeKey(url, kind);
    const index = indexes.get(key) ?? addresses.push([url, kind]) - 1;
    indexes.set(key, index);
    // Not the address of an autolink, which is also its text.
    if (/\]\(<?$/.test(text.slice(Math.max(0, start - 3), start)))
      places.push({ index, start, end: start + raw.length });
    return url;
  });
  return { addresses, places };
}

function changeAnchors(markdown: string, url: string, anchors: ReadonlyMap<string, string>): string {
  const page = `${url.replace(/#.*$/s, '')}#`;
  return rewriteLinks(markdown, (link) => {
    const anchor = link.startsWith(page) ? anchors.get(decodeAddress(link.slice(page.length))) : undefined;
    return anchor === undefined ? link : `#${anchor}`;
  });
}
