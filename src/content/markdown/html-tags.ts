/** An address in an attribute of HTML. */
export interface Tag {
  url: string;
  kind: 'link' | 'image';
  /** The description of an image; empty for a link. */
  text: string;
  /** Where the tag begins in the whole text. */
  offset: number;
  /** Where the address begins and ends. */
  range: [number, number];
  /** In lower case, as is the name of the tag. */
  attribute: string;
  name: string;
}

/** The attributes with addresses. Of `srcset`, each address is one. */
const kinds = new Map<string, Tag['kind']>([
  ['href', 'link'],
  ['src', 'image'],
  ['srcset', 'image'],
  ['poster', 'image'],
  ['data-cover', 'image'],
  ['data-cover-dark', 'image'],
]);

const tag = /<(?<name>[a-z][\w-]*)(?=[\s/])(?<attributes>(?:[^<>"']|"[^"]*"|'[^']*'){0,2000})>/gi;
const attribute =
  /(?<=[\s/"'])(?<name>href|src|srcset|poster|data-cover|data-cover-dark|alt)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'<>]+))/dgi;

/** The addresses of the images that a piece of HTML shows. */
export function imagesIn(html: string): string[] {
  return tagsIn(html, 0).flatMap(({ name, attribute, url }) => (name === 'img' && attribute === 'src' ? [url] : []));
}

/** @param from where the HTML begins in the whole text */
export function tagsIn(html: string, from: number): Tag[] {
  const raw = html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length));
  const tags: Tag[] = [];
  for (const match of raw.matchAll(tag)) {
    const { name = '', attributes = '' } = match.groups ?? {};
    const values = valuesIn(attributes);
    const text = values.get('alt')?.value ?? '';
    const offset = from + match.index;
    const start = offset + 1 + name.length;
    for (const [each, { value, begin, end }] of values) {
      // A frame or a script is another page, not an image.
      const kind = /^(?:iframe|script|embed)$/i.test(name) ? 'link' : kinds.get(each);
      if (!kind || each === 'alt') continue;
      const addresses =
        each === 'srcset' ? candidatesIn(attributes.slice(begin, end)) : [{ url: value, begin: 0, end: end - begin }];
      for (const address of addresses) {
        if (address.url === '') continue;
        const range: Tag['range'] = [start + begin + address.begin, start + begin + address.end];
        const shared = { offset, range, attribute: each, name: name.toLowerCase() };
        tags.push({ url: address.url, kind, text: kind === 'image' ? text : '', ...shared });
      }
    }
  }
  return tags;
}

interface Value {
  value: string;
  begin: number;
  end: number;
}

/** The values of attributes: of one that is repeated the first, as browsers have it. */
function valuesIn(attributes: string): Map<string, Value> {
  const values = new Map<string, Value>();
  for (const { groups = {}, indices } of attributes.matchAll(attribute)) {
    const name = groups['name']?.toLowerCase();
    if (name === undefined || values.has(name)) continue;
    for (const form of ['double', 'single', 'bare']) {
      const [begin, end] = indices?.groups?.[form] ?? [];
      if (begin === undefined || end === undefined) continue;
      values.set(name, { value: decodeEntities(attributes.slice(begin, end)), begin, end });
    }
  }
  return values;
}

/**
 * The addresses of a `srcset` with their places in it: `a.png 1x, b.png 2x`. Editors write names of files with blanks
 * as they are, so a blank ends an address only before a width or a density.
 */
export function candidatesIn(srcset: string): { url: string; begin: number; end: number }[] {
  const found: { url: string; begin: number; end: number }[] = [];
  let begin = 0;
  const add = (until: number) => {
    const piece = srcset.slice(begin, until);
    const words = piece.trimEnd();
    const blank = words.lastIndexOf(' ');
    const isSized = blank > 0 && /^\d+(?:\.\d+)?[wxh]$/.test(words.slice(blank + 1));
    const written = (isSized ? words.slice(0, blank) : words).trim();
    const at = begin + piece.length - piece.trimStart().length;
    if (written !== '') found.push({ url: decodeEntities(written), begin: at, end: at + written.length });
  };
  for (let comma = srcset.indexOf(','); comma !== -1; comma = srcset.indexOf(',', comma + 1)) {
    const isEnd =
      /\s/.test(srcset[comma + 1] ?? ' ') || /\s\d[\d.]{0,9}[wxh]$/.test(srcset.slice(begin, comma).slice(-12));
    if (!isEnd) continue;
    add(comma);
    begin = comma + 1;
  }
  add(srcset.length);
  return found;
}

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(name.toLowerCase()) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
