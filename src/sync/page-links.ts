import { hash } from 'node:crypto';
import { addressesIn, isRelative } from '../content/folder/local-links.ts';
import { type LinkIndex, parentPath, relativeAddress } from '../content/markdown/links.ts';
import type { Link } from '../content/markdown/markdown.ts';
import { rewriteLinks } from './rewrite-links.ts';

/** Stands for the ID of a page that the space does not have yet. No text contains it by chance. */
export const newPageId = (key: string): string => `new-${hash('sha256', `page ${key}`, 'base64url').slice(0, 27)}`;

const idAddress = /^\/pages\/([A-Za-z][A-Za-z0-9]{11})$/;
const idAddresses = /\/pages\/(new-[\w-]{27}|[A-Za-z][A-Za-z0-9]{11})(?![\w/-])/g;

/** The ID in an address without an anchor; undefined if it is another address. */
export const pageIdIn = (address: string): string | undefined => idAddress.exec(address)?.[1];

/** The IDs of the pages that a text may link to, also of those that the space does not have yet. */
export function* pageIdsIn(text: string): Generator<string> {
  for (const [, id = ''] of text.matchAll(idAddresses)) yield id;
}

/** A text with other addresses in the place of those with IDs. @param addressOf undefined for an ID that stays */
export const replacePageIds = (text: string, addressOf: (id: string) => string | undefined): string =>
  text.includes('/pages/') ? text.replaceAll(idAddresses, (whole, id: string) => addressOf(id) ?? whole) : text;

/** A text with relative addresses in the place of those with IDs, as it would be in a file. @param files of pages by ID */
export const withFileAddresses = (text: string, file: string, files: ReadonlyMap<string, string>): string =>
  replacePageIds(text, (id) => {
    const target = files.get(id);
    return target === undefined ? undefined : relativeAddress(parentPath(file), target);
  });

/** An address without its anchor, and the anchor; undefined if it has a query, or leads to another place of the same page. */
export function partsOf(url: string): { address: string; anchor: string } | undefined {
  const [, address = '', anchor] = /^([^#?]+)(#[^]+)?$/.exec(url) ?? [];
  return address === '' ? undefined : { address, anchor: encodeAnchor(anchor ?? '') };
}

/** The anchor without characters that are written in another way in some places of a text. */
const encodeAnchor = (anchor: string) =>
  anchor.replaceAll(/[\s\u0000-\u001F\u007F<>|`"'\\&(),]/g, (character) =>
    /['()]/.test(character) ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(character),
  );

/** Tags whose address can be that of a page. Others, such as `include`, have the address of a file. */
const linkTags: ReadonlySet<string> = new Set(['a', 'content-ref']);

export const isPageLink = (kind: Link['kind'], tag: string | undefined): boolean =>
  kind === 'link' && (tag === undefined || linkTags.has(tag));

/** A text of a space whose links to pages have IDs instead of paths, so that the spelling of links makes no difference. */
export function withPageIds(text: string, page: string, index: LinkIndex): string {
  const changes = new Map<string, string>();
  for (const url of addressesIn(text)) {
    const parts = isRelative(url) ? partsOf(url) : undefined;
    const target = parts && index.resolve(parts.address, page);
    if (target?.kind === 'page') changes.set(url, `/pages/${target.page}${parts?.anchor ?? ''}`);
  }
  if (changes.size === 0) return text;
  return rewriteLinks(text, (url, kind, _, __, tag) => (isPageLink(kind, tag) ? (changes.get(url) ?? url) : url));
}
