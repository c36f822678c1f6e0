import { decodeAddress } from '../../shared/decode.ts';
import { joinPath, parentPath } from '../markdown/links.ts';
import { rewriteLinks } from '../markdown/markdown.ts';
import { isHidden, isInToolFolder } from './file-names.ts';
import { hashOf, type LocalFolder, type LocalPage, type Problem, type UnresolvedLink } from './folder.ts';

/** The files that pages link to. What they link to and must not take along goes to the problems. */
export function filesOf(
  pages: readonly LocalPage[],
  inside: ReadonlyMap<string, Uint8Array>,
  problems: Problem[],
): Pick<LocalFolder, 'files' | 'unresolved'> {
  const wanted = new Set<string>();
  const unresolved: UnresolvedLink[] = [];
  const pageFiles = new Set(pages.map(({ file }) => file));
  for (const { file, text } of pages) {
    if (file === null || text === null) continue;
    const faults = new Map<string, string>();
    for (const url of addressesIn(text)) {
      const address = relativeAddressOf(url);
      if (address === undefined) continue;
      const path = joinPath(parentPath(file), address)?.join('/');
      if (path === undefined) faults.set(url, 'leads out of the folder');
      else if (pageFiles.has(path)) continue;
      else if (isHidden(path) && (inside.has(path) || isInToolFolder(path))) faults.set(url, 'is a hidden file');
      else if (inside.has(path)) wanted.add(path);
      else unresolved.push({ file, url, path });
    }
    for (const [url, line] of linesOf(text, [...faults.keys()]))
      problems.push({ file, line, message: `${url} ${faults.get(url)} and is left out.` });
  }
  const files = [...wanted]
    .toSorted()
    .map((path) => ({ path, bytes: inside.get(path)!, hash: hashOf(inside.get(path)!) }));
  return { files, unresolved };
}

/** The lines of these addresses in a text; none for what only looks like a link, in code say. */
export function linesOf(text: string, urls: readonly string[]): Map<string, number> {
  const lines = new Map<string, number>();
  const wanted = new Set(urls);
  if (wanted.size === 0) return lines;
  const places: [url: string, at: number][] = [];
  rewriteLinks(text, (url, _, __, at) => {
    if (wanted.delete(url)) places.push([url, at]);
    return url;
  });
  for (const [url, at] of addressesInTags(text)) if (wanted.delete(url)) places.push([url, at]);
  let line = 1;
  let counted = 0;
  for (const [url, at] of places.toSorted(([, one], [, other]) => one - other)) {
    line += text.slice(counted, at).split('\n').length - 1;
    counted = at;
    lines.set(url, line);
  }
  return lines;
}

/** What stands in quotes in tags such as `{% file src="..." %}`, which are no Markdown. */
function* addressesInTags(text: string): Generator<[url: string, at: number]> {
  for (let open = text.indexOf('{%'); open !== -1; open = text.indexOf('{%', open + 2)) {
    const close = text.indexOf('%}', open);
    if (close === -1) return;
    const tag = text.slice(open, close);
    for (const { 1: url, index } of tag.matchAll(/["']([^"'\n]*)["']/g)) yield [url!, open + index];
    open = close;
  }
}

/** The path that a relative address in a file leads to, decoded; undefined when it is none or leaves the root. */
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

// Parsing takes milliseconds a page, a push looks at thousands: what could be an address is found by patterns first. They
// find more than there is (in code, say), never less.
const patterns = [
  /\]\(\s*<?((?:[^\s()<>]|\([^\s()]*\))+)/g,
  /^[ \t>]*\[[^[\]]+\]:\s*<?([^\s>]+)/gm,
  /\b(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
];

const unclear = [
  /\\/,
  /&[#\w]+;/,
  /\]:[ \t]*[\r\n]/,
  /\](?:\(|:)\s*<[^\s<>]*\s/,
  /\b(?:href|src)\s*=\s*["'][^\s"']*\s/i,
];

/** Every address that links and images of a text may have; some that only look like one. */
export function addressesIn(text: string): Set<string> {
  const found = new Set<string>();
  if (unclear.some((pattern) => pattern.test(text))) {
    rewriteLinks(text, (url) => {
      found.add(url);
      return url;
    });
    return found;
  }
  for (const pattern of patterns) for (const [, url] of text.matchAll(pattern)) found.add(url!);
  return found;
}
