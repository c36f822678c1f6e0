/** An address in a text. */
export interface Address {
  url: string;
  kind: 'link' | 'image';
  /** Its start and end in the whole text. */
  range: [number, number];
  style: 'destination' | 'autolink' | 'attribute' | 'srcset' | 'tag' | 'yaml';
}

/** An address outside of Markdown syntax: in HTML, in a tag or in the front matter. */
export interface MarkupAddress extends Address {
  /** The description of an image; empty for a link. */
  text: string;
  /** The start of the tag in the whole text. */
  offset: number;
  /** The name of the tag in lower case. */
  name: string;
}

const members = /^(coverDark|cover)[ \t]*:[ \t]*(\S[^\r\n]*(?:\r?\n[ \t]+[^\r\n]*)*)/gm;

/** The cover images of a page in its front matter: `cover` and `coverDark`. */
export function coversIn(text: string, frontMatter: Record<string, unknown>, bodyAt: number): MarkupAddress[] {
  if (typeof frontMatter['cover'] !== 'string' && typeof frontMatter['coverDark'] !== 'string') return [];
  const covers: MarkupAddress[] = [];
  for (const { 1: name = '', 2: written = '', index: offset, 0: whole } of text.slice(0, bodyAt).matchAll(members)) {
    const value = frontMatter[name];
    if (typeof value !== 'string' || value.trim() === '') continue;
    const begin = offset + whole.length - written.length;
    const range: Address['range'] = [begin, begin + written.trimEnd().length];
    covers.push({ url: value.trim(), kind: 'image', range, style: 'yaml', text: '', offset, name });
  }
  return covers;
}

const tagAttributes =
  /(?:(?<![\w-])(?<name>[\w-]{1,40})\s{0,9}=\s{0,9})?(?:"(?<double>[^"\n]*)"|'(?<single>[^'\n]*)')/dg;
const withAddress = new Set(['src', 'url', 'href']);

/**
 * The addresses in the tags of a piece of text: `{% file src="..." %}`, `{% content-ref url="..." %}`,
 * `{% include "..." %}`. They are not percent-encoded, so file names can contain spaces.
 *
 * @param from the start of the piece in the whole text
 */
export function* blockAddressesIn(text: string, from = 0): Generator<MarkupAddress> {
  for (let open = text.indexOf('{%'); open !== -1; open = text.indexOf('{%', open + 2)) {
    const close = text.indexOf('%}', open + 2);
    if (close === -1) return;
    // If another tag starts before the end, the first one is not closed.
    const next = text.lastIndexOf('{%', close);
    if (next > open) open = next;
    const tag = text.slice(open + 2, close);
    const name = /^\s{0,20}([a-z][\w-]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
    for (const { groups = {}, indices } of tag.matchAll(tagAttributes)) {
      const attribute = groups['name'];
      if (attribute === undefined ? name !== 'include' : !withAddress.has(attribute)) continue;
      const [begin, end] = indices?.groups?.['double'] ?? indices?.groups?.['single'] ?? [0, 0];
      const url = tag.slice(begin, end);
      if (url === '') continue;
      const at = from + open + 2;
      yield { url, kind: 'link', range: [at + begin, at + end], style: 'tag', text: '', offset: from + open, name };
    }
    open = close;
  }
}

/** The HTML attributes with addresses. Each address in a `srcset` counts. */
const kinds = new Map<string, Address['kind']>([
  ['href', 'link'],
  ['src', 'image'],
  ['srcset', 'image'],
  ['poster', 'image'],
  ['data-cover', 'image'],
  ['data-cover-dark', 'image'],
]);

const element = /<(?<name>[a-z][\w-]*)(?=[\s/])(?<attributes>(?:[^<>"']|"[^"]*"|'[^']*'){0,2000})>/gi;
const attribute =
  /(?<=[\s/"'])(?<name>href|src|srcset|poster|data-cover|data-cover-dark|alt)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'<>]+))/dgi;

/** The addresses of the images in a piece of HTML. */
export function imagesIn(html: string): string[] {
  return htmlAddressesIn(html).flatMap(({ name, attribute: each, url }) =>
    name === 'img' && each === 'src' ? [url] : [],
  );
}

/** @param from the start of the HTML in the whole text */
export function htmlAddressesIn(html: string, from = 0): (MarkupAddress & { attribute: string })[] {
  const raw = html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length));
  const addresses: (MarkupAddress & { attribute: string })[] = [];
  for (const { groups = {}, index } of raw.matchAll(element)) {
    const { name = '', attributes = '' } = groups;
    const values = valuesIn(attributes);
    const offset = from + index;
    for (const [each, { value, begin, end }] of values) {
      // A frame or script is another page, not an image.
      const kind = /^(?:iframe|script|embed)$/i.test(name) ? 'link' : kinds.get(each);
      if (!kind || each === 'alt') continue;
      const text = kind === 'image' ? (values.get('alt')?.value ?? '') : '';
      const style = each === 'srcset' ? 'srcset' : 'attribute';
      const shared = { kind, text, offset, style, attribute: each, name: name.toLowerCase() } as const;
      const start = offset + 1 + name.length + begin;
      const candidates =
        style === 'srcset' ? candidatesIn(attributes.slice(begin, end)) : [{ url: value, begin: 0, end: end - begin }];
      for (const { url, ...at } of candidates) {
        if (url !== '') addresses.push({ url, range: [start + at.begin, start + at.end], ...shared });
      }
    }
  }
  return addresses;
}

interface Value {
  value: string;
  begin: number;
  end: number;
}

/** The values of attributes. If one is repeated, the first counts, as in browsers. */
function valuesIn(attributes: string): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { groups = {}, indices } of attributes.matchAll(attribute)) {
    const name = groups['name']?.toLowerCase();
    const { double, single, bare } = indices?.groups ?? {};
    const [begin, end] = double ?? single ?? bare ?? [];
    if (name === undefined || values.has(name) || begin === undefined || end === undefined) continue;
    values.set(name, { value: decodeEntities(attributes.slice(begin, end)), begin, end });
  }
  return values;
}

/**
 * The addresses in a `srcset` with their ranges: `a.png 1x, b.png 2x`. Editors do not encode spaces in file names, so a
 * space ends an address only before a width or density.
 */
export function candidatesIn(srcset: string): { url: string; begin: number; end: number }[] {
  const candidates: { url: string; begin: number; end: number }[] = [];
  let begin = 0;
  const add = (until: number) => {
    const piece = srcset.slice(begin, until);
    const words = piece.trimEnd();
    const blank = words.lastIndexOf(' ');
    const isSized = blank > 0 && /^\d+(?:\.\d+)?[wxh]$/.test(words.slice(blank + 1));
    const written = (isSized ? words.slice(0, blank) : words).trim();
    const at = begin + piece.length - piece.trimStart().length;
    if (written !== '') candidates.push({ url: decodeEntities(written), begin: at, end: at + written.length });
  };
  for (let comma = srcset.indexOf(','); comma !== -1; comma = srcset.indexOf(',', comma + 1)) {
    const isEnd =
      /\s/.test(srcset[comma + 1] ?? ' ') || /\s\d[\d.]{0,9}[wxh]$/.test(srcset.slice(begin, comma).slice(-12));
    if (!isEnd) continue;
    add(comma);
    begin = comma + 1;
  }
  add(srcset.length);
  return candidates;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(name.toLowerCase()) ?? whole;
    return charactersOf([decimal ? Number(decimal) : Number.parseInt(hex, 16)]) ?? whole;
  });
}

/** An emoji by its code points, such as `1f1e9-1f1ea`. */
export const emojiOfCode = (code: string): string | undefined =>
  charactersOf(code.split('-').map((part) => Number.parseInt(part, 16)));

const charactersOf = (codes: number[]): string | undefined =>
  codes.every((code) => code > 0 && code <= 0x10_ff_ff) ? String.fromCodePoint(...codes) : undefined;
