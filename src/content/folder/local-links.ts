import { readFrontMatter } from '../markdown/front-matter.ts';
import { joinPath, parentPath, spellingsOf } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { blockAddressesIn, candidatesIn, coversIn, decodeEntities } from '../markdown/markup.ts';
import { countLines } from '../markdown/nodes.ts';
import { isMarkdown } from './file-names.ts';

/** The lines of these addresses in a text. Text that only looks like a link, for example in code, has none. */
export function linesOf(text: string, urls: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const missing = new Set(urls);
  if (missing.size === 0) return lines;
  let line = 1;
  let counted = 0;
  // The callback is called in text order.
  rewriteLinks(text, (url, _, __, offset) => {
    if (!missing.delete(url)) return url;
    line += countLines(text, counted, offset);
    counted = offset;
    lines.set(url, line);
    return url;
  });
  return lines;
}

export interface LinkPlace {
  file: string;
  line: number;
  url: string;
  path: string;
}

/** The links in a file to one of these paths. */
export function placesOf(file: string, text: string, paths: ReadonlySet<string>): LinkPlace[] {
  const byCase = new PathsByCase(paths);
  const targets = new Map<string, string>();
  for (const url of addressesIn(text)) {
    const candidates = localPaths(file, url);
    const path =
      candidates.find((each) => paths.has(each)) ?? candidates.map((each) => byCase.find(each)).find(Boolean);
    if (path !== undefined) targets.set(url, path);
  }
  return [...linesOf(text, [...targets.keys()])].map(([url, line]) => ({
    file,
    line,
    url,
    path: targets.get(url) ?? '',
  }));
}

/** The line of an offset, from 1. */
export const lineAt = (text: string, offset: number): number => 1 + countLines(text, 0, offset);

/**
 * The decoded paths from the root that a relative address in a file can mean, the likeliest first. Empty if the address is
 * not relative to the page or the root, or leads out of the root.
 */
export function localPaths(file: string, url: string): string[] {
  if (!isRelative(url)) return [];
  return spellingsOf(url).flatMap((address) => joinPath(parentPath(file), address)?.join('/') ?? []);
}

/** The likeliest path of an address. Undefined if that one leads out of the root, even if another one does not. */
export function localPath(file: string, url: string): string | undefined {
  const [address] = isRelative(url) ? spellingsOf(url) : [];
  return address === undefined ? undefined : joinPath(parentPath(file), address)?.join('/');
}

export const isRelative = (url: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|[?#]|$)/i.test(url);

/** Paths by their lower-case name. A link in another case than the file only works on some systems. */
export class PathsByCase {
  readonly #paths: ReadonlyMap<string, readonly string[]>;

  constructor(paths: Iterable<string>) {
    this.#paths = Map.groupBy(paths, (path) => path.toLowerCase());
  }

  /** The path that differs only in case, if there is exactly one. */
  find(path: string): string | undefined {
    const [only, ...others] = this.#paths.get(path.toLowerCase()) ?? [];
    return others.length === 0 ? only : undefined;
  }
}

/** The likeliest paths of the Markdown files in the `{% include "..." %}` tags of a text. */
export function includesIn(text: string, file: string): string[] {
  if (!/\{%\s*include\s/.test(text)) return [];
  const urls = [...blockAddressesIn(text)].filter(({ name }) => name === 'include').map(({ url }) => url);
  return urls.flatMap((url) => localPath(file, url) ?? []).filter(isMarkdown);
}

// Parsing takes milliseconds per page, and a push reads thousands of pages. These patterns find all possible addresses.
// They can match text that is not an address (in code, for example), but never miss one.
const destinations = [
  /\]\(\s*(?:<(?<quoted>[^<>\n]*)>|(?<bare>(?:[^\s()<>]|\([^\s()]*\))+))/g,
  /\]:[ \t]*(?:<(?<quoted>[^<>\n]*)>|(?<bare>[^\s<>]+))/g,
];
const attributes =
  /\b(?<name>href|src|srcset|poster|data-cover|data-cover-dark)\s*=\s*(?:"(?=(?<double>[^"]{0,2000})")|'(?=(?<single>[^']{0,2000})')|(?<plain>[^"'>\s][^"'>\s]*))/gi;

/** If a text matches one of these, the other patterns could miss an address. */
const needsParsing = [/\]:[ \t]*[\r\n]/, /\]\((?!<)[^\s()]*\([^\s()]*\(/];

/** All possible addresses in links, images, tags and front matter. Some of them may only look like addresses. */
export function addressesIn(text: string): Set<string> {
  const addresses = new Set<string>();
  for (const pattern of destinations) {
    for (const { groups = {} } of text.matchAll(pattern)) addresses.add(groups['quoted'] ?? groups['bare'] ?? '');
  }
  const isEscaped = [...addresses].some((address) => /\\|&[#\w]+;/.test(address));
  if (isEscaped || needsParsing.some((pattern) => pattern.test(text))) return parsedAddressesIn(text);
  for (const { groups = {} } of text.matchAll(attributes)) {
    const value = groups['double'] ?? groups['single'] ?? groups['plain'] ?? '';
    if (groups['name']?.toLowerCase() === 'srcset') for (const { url } of candidatesIn(value)) addresses.add(url);
    else addresses.add(decodeEntities(value));
  }
  for (const { url } of blockAddressesIn(text)) addresses.add(url);
  if (/^cover(?:Dark)?[ \t]*:/m.test(text)) {
    const { data, bodyAt } = readFrontMatter(text);
    for (const { url } of coversIn(text, data, bodyAt)) addresses.add(url);
  }
  return addresses;
}

function parsedAddressesIn(text: string): Set<string> {
  const addresses = new Set<string>();
  rewriteLinks(text, (url) => {
    addresses.add(url);
    return url;
  });
  return addresses;
}
