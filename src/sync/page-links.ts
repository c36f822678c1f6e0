import { hash } from 'node:crypto';
import { addressesIn, isRelative } from '../content/folder/local-links.ts';
import { LinkIndex, parentPath, relativeAddress } from '../content/markdown/links.ts';
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

/**
 * A text with relative addresses in the place of stable ones, as it would be in a file.
 *
 * @param pages files by page ID
 * @param files paths by `addressOfFile`
 */
export function withFileAddresses(
  text: string,
  file: string,
  { pages, files }: { pages: ReadonlyMap<string, string>; files: ReadonlyMap<string, string> },
): string {
  const from = parentPath(file);
  const addressOf = (path: string | undefined) => (path === undefined ? undefined : relativeAddress(from, path));
  const withFiles = text.replaceAll(
    /(?<=[(<"' ])\/[^\s()<>"'?#]+/g,
    (address) => addressOf(files.get(address)) ?? address,
  );
  return replacePageIds(withFiles, (id) => addressOf(pages.get(id)));
}

/** An address without its anchor, and the anchor; undefined if it has a query, or leads to another place of the same page. */
export function partsOf(url: string): { address: string; anchor: string } | undefined {
  const [, address = '', anchor] = /^([^#?]+)(#[^]+)?$/.exec(url) ?? [];
  return address === '' ? undefined : { address, anchor: encodeSpecial(anchor ?? '') };
}

/** The address of a file in any page. @param name in the space */
export const addressOfFile = (name: string): string => `/${encodeSpecial(relativeAddress('', name))}`;

/** Part of an address without characters that are written in another way in some places of a text. */
const encodeSpecial = (part: string) =>
  part.replaceAll(/[\s\u0000-\u001F\u007F<>|`"'\\&(),]/g, (character) =>
    /['()]/.test(character) ? `%${character.charCodeAt(0).toString(16).toUpperCase()}` : encodeURIComponent(character),
  );

const covers: ReadonlySet<string> = new Set(['cover', 'coverDark']);
/** Tags whose address is sent in a form that leads there wherever pages are moved. In others, such as `include`, it stays. */
const stableTags: Record<'page' | 'file', ReadonlySet<string>> = {
  page: new Set(['a', 'content-ref']),
  file: new Set([...covers, 'a', 'img', 'source', 'video', 'audio', 'file']),
};

export const isCover = (tag: string | undefined): boolean => tag !== undefined && covers.has(tag);

/** Whether an address in this place is that of a page or file. */
export const isLinkTo = (target: 'page' | 'file', kind: Link['kind'], tag: string | undefined): boolean =>
  (target === 'file' || kind === 'link') && (tag === undefined || stableTags[target].has(tag));

/** Whether an address has the form in which those of files are sent. */
export const isFileAtRoot = (url: string): boolean => /^\/[^/?#][^?#]*$/.test(url);

/** What links of a space can lead to. */
export interface LinkTargets {
  index: LinkIndex;
  /** Names of files by ID. */
  files: ReadonlyMap<string, string>;
}

export function linkTargets(
  pages: Iterable<{ id: string; path?: string }>,
  files: readonly { id: string; name: string }[],
): LinkTargets {
  const linked = [...pages].flatMap(({ id, path }) => (path === undefined ? [] : [{ id, path }]));
  return { index: new LinkIndex(linked, files), files: new Map(files.map(({ id, name }) => [id, name])) };
}

/**
 * A text of a space whose links to pages have IDs instead of paths, and whose links to files start at the root, so that the
 * spelling of links makes no difference.
 */
export function withStableLinks(text: string, page: string, { index, files }: LinkTargets): string {
  const changes = new Map<string, { kind: 'page' | 'file'; address: string }>();
  for (const url of addressesIn(text)) {
    const parts = isRelative(url) ? partsOf(url) : undefined;
    const target = parts && index.resolve(parts.address, page);
    if (target?.kind === 'page')
      changes.set(url, { kind: 'page', address: `/pages/${target.page}${parts?.anchor ?? ''}` });
    const name = target?.kind === 'file' && parts?.anchor === '' ? files.get(target.file) : undefined;
    if (name !== undefined) changes.set(url, { kind: 'file', address: addressOfFile(name) });
  }
  if (changes.size === 0) return text;
  return rewriteLinks(text, (url, kind, _, __, tag) => {
    const change = changes.get(url);
    return change && isLinkTo(change.kind, kind, tag) ? change.address : url;
  });
}
