import { decodeAddress } from '../../shared/decode.ts';
import { joinPath, parentPath } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { isHidden, isInToolFolder } from './file-names.ts';
import { hashOf, type LocalFolder, type LocalPage, type OnFile, type Problem, type UnresolvedLink } from './folder.ts';

/** The files that pages link to. Links to files that must not be uploaded are added to the problems. */
export function filesOf(
  pages: readonly LocalPage[],
  inside: ReadonlyMap<string, Uint8Array>,
  { problems, onFile }: { problems: Problem[]; onFile: OnFile },
): Pick<LocalFolder, 'files' | 'unresolved'> {
  const linked = new Map<string, Uint8Array>();
  const unresolved: UnresolvedLink[] = [];
  const pageFiles = new Set(pages.map(({ file }) => file));
  for (const { file, text } of pages) {
    if (file === null || text === null) continue;
    onFile(file);
    const refused = new Map<string, string>();
    for (const url of addressesIn(text)) {
      const address = relativeAddressOf(url);
      if (address === undefined) continue;
      const path = joinPath(parentPath(file), address)?.join('/');
      if (path === undefined) {
        refused.set(url, 'leads out of the folder');
        continue;
      }
      if (pageFiles.has(path)) continue;
      const bytes = inside.get(path);
      if (isHidden(path) && (bytes || isInToolFolder(path))) refused.set(url, 'is a hidden file');
      else if (bytes) linked.set(path, bytes);
      else unresolved.push({ file, url, path });
    }
    for (const [url, line] of linesOf(text, [...refused.keys()]))
      problems.push({ file, line, message: `${url} ${refused.get(url)} and is left out.` });
  }
  const sorted = [...linked].toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { files: sorted.map(([path, bytes]) => ({ path, bytes, hash: hashOf(bytes) })), unresolved };
}

/** The lines of these addresses in a text; none for text that only looks like a link, for example in code. */
export function linesOf(text: string, urls: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const missing = new Set(urls);
  if (missing.size === 0) return lines;
  const places: [url: string, offset: number][] = [];
  rewriteLinks(text, (url, _, __, offset) => {
    if (missing.delete(url)) places.push([url, offset]);
    return url;
  });
  for (const [url, offset] of addressesInTags(text)) if (missing.delete(url)) places.push([url, offset]);
  let line = 1;
  let counted = 0;
  for (const [url, offset] of places.toSorted(([, one], [, other]) => one - other)) {
    line += text.slice(counted, offset).split('\n').length - 1;
    counted = offset;
    lines.set(url, line);
  }
  return lines;
}

/** The quoted values in tags such as `{% file src="..." %}`, which are not Markdown. */
function* addressesInTags(text: string): Generator<[url: string, offset: number]> {
  for (let open = text.indexOf('{%'); open !== -1; open = text.indexOf('{%', open + 2)) {
    const close = text.indexOf('%}', open);
    if (close === -1) return;
    const tag = text.slice(open, close);
    for (const { 1: url = '', index } of tag.matchAll(/["']([^"'\n]*)["']/g)) yield [url, open + index];
    open = close;
  }
}

/**
 * The target of a relative address in a file, as a decoded path; undefined when the address is not relative or leads
 * out of the root.
 */
export function localPath(file: string, url: string): string | undefined {
  const address = relativeAddressOf(url);
  return address === undefined ? undefined : joinPath(parentPath(file), address)?.join('/');
}

/** The address without query and anchor, decoded; undefined when it is not relative to the page or the root. */
function relativeAddressOf(url: string): string | undefined {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(url)) return undefined;
  const address = url.replace(/[?#].*$/s, '');
  return address === '' ? undefined : decodeAddress(address);
}

// Parsing takes milliseconds a page, and a push reads thousands: patterns find all possible addresses. They may find
// text that is not an address (in code, for example), but never miss one.
const patterns = [
  /\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)/g,
  /^[ \t>]*\[[^[\]]+\]:\s*<?([^\s>]+)/gm,
  /\b(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
];

/** In a text with one of these, the patterns could miss an address. */
const needsParsing = [
  /\\/,
  /&[#\w]+;/,
  /\]:[ \t]*[\r\n]/,
  /\](?:\(|:)\s*<[^\s<>]*\s/,
  /\b(?:href|src)\s*=\s*["'][^\s"']*\s/i,
];

/** All addresses that links and images of a text may have; some of them only look like an address. */
export function addressesIn(text: string): Set<string> {
  const addresses = new Set<string>();
  if (needsParsing.some((pattern) => pattern.test(text))) {
    rewriteLinks(text, (url) => {
      addresses.add(url);
      return url;
    });
    return addresses;
  }
  for (const pattern of patterns) for (const [, url = ''] of text.matchAll(pattern)) addresses.add(url);
  return addresses;
}
