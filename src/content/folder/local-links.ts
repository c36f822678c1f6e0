import { blockAddressesIn } from '../markdown/block-tags.ts';
import { coversIn } from '../markdown/covers.ts';
import { readFrontMatter } from '../markdown/front-matter.ts';
import { candidatesIn, decodeEntities } from '../markdown/html-tags.ts';
import { joinPath, parentPath, spellingsOf } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { isMarkdown } from './file-names.ts';

/** The lines of these addresses in a text; none for text that only looks like a link, for example in code. */
export function linesOf(text: string, urls: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const missing = new Set(urls);
  if (missing.size === 0) return lines;
  let line = 1;
  let counted = 0;
  // In the order of the text.
  rewriteLinks(text, (url, _, __, offset) => {
    if (!missing.delete(url)) return url;
    line += lineBreaks(text, counted, offset);
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

/** The places in the text of a file that name one of these paths. */
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

/** The line of a place in a text, from 1. */
export const lineAt = (text: string, offset: number): number => 1 + lineBreaks(text, 0, offset);

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}

/**
 * The paths from the root that a relative address in a file may mean, decoded, the likeliest first. Empty where the
 * address is not relative to the page or the root, or leads out of the root.
 */
export function localPaths(file: string, url: string): string[] {
  if (!isRelative(url)) return [];
  return spellingsOf(url).flatMap((address) => joinPath(parentPath(file), address)?.join('/') ?? []);
}

/** The likeliest of them. */
export function localPath(file: string, url: string): string | undefined {
  const [address] = isRelative(url) ? spellingsOf(url) : [];
  return address === undefined ? undefined : joinPath(parentPath(file), address)?.join('/');
}

export const isRelative = (url: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|[?#]|$)/i.test(url);

/** Paths by their name in lower case: a link of another case than the file works on some systems only. */
export class PathsByCase {
  readonly #paths = new Map<string, string[]>();

  constructor(paths: Iterable<string>) {
    for (const path of paths) {
      const same = this.#paths.get(path.toLowerCase());
      if (same) same.push(path);
      else this.#paths.set(path.toLowerCase(), [path]);
    }
  }

  /** The only path that differs in case alone. */
  find(path: string): string | undefined {
    const same = this.#paths.get(path.toLowerCase()) ?? [];
    return same.length === 1 ? same[0] : undefined;
  }
}

/** The Markdown files that the tags `{% include "..." %}` of a text name, by their likeliest path. */
export function includesIn(text: string, file: string): string[] {
  if (!/\{%\s*include\s/.test(text)) return [];
  const urls = [...blockAddressesIn(text)].filter(({ name }) => name === 'include').map(({ url }) => url);
  return urls.flatMap((url) => localPath(file, url) ?? []).filter(isMarkdown);
}

// Parsing takes milliseconds a page, and a push reads thousands: patterns find all possible addresses. They may find
// text that is not an address (in code, for example), but never miss one.
const destinations = [
  /\]\(\s*(?:<(?<quoted>[^<>\n]*)>|(?<bare>(?:[^\s()<>]|\([^\s()]*\))+))/g,
  /\]:[ \t]*(?:<(?<quoted>[^<>\n]*)>|(?<bare>[^\s<>]+))/g,
];
const attributes =
  /\b(?<name>href|src|srcset|poster|data-cover|data-cover-dark)\s*=\s*(?:"(?=(?<double>[^"]{0,2000})")|'(?=(?<single>[^']{0,2000})')|(?<plain>[^"'>\s][^"'>\s]*))/gi;

/** In a text with one of these, the patterns could miss an address. */
const needsParsing = [/\]:[ \t]*[\r\n]/, /\]\((?!<)[^\s()]*\([^\s()]*\(/];

/** All addresses that links, images, tags and the front matter of a text may have; some of them only look like one. */
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
