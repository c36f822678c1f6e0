/** A link or an image in HTML. */
export interface Tag {
  url: string;
  kind: 'link' | 'image';
  /** The description of an image; empty for a link. */
  text: string;
  /** Where the tag begins in the whole text. */
  offset: number;
  /** Where its address begins and ends. */
  range: [number, number];
}

const tag = /<(?<name>a|img)(?=[\s/])(?<attributes>(?:[^<>"']|"[^"]*"|'[^']*'){0,2000})>/gi;
const attribute =
  /(?<=[\s/"'])(?<name>href|src|alt)\s*=\s*(?:"(?<double>[^"]*)"|'(?<single>[^']*)'|(?<bare>[^\s"'<>]+))/dgi;

/** The addresses of the images that a piece of HTML shows. */
export function imagesIn(html: string): string[] {
  return tagsIn(html, 0).flatMap(({ kind, url }) => (kind === 'image' ? [url] : []));
}

/** @param from where the HTML begins in the whole text */
export function tagsIn(html: string, from: number): Tag[] {
  const raw = html.replaceAll(/<!--[\s\S]*?(?:-->|$)/g, (comment) => ' '.repeat(comment.length));
  const tags: Tag[] = [];
  for (const match of raw.matchAll(tag)) {
    const { name = '', attributes = '' } = match.groups ?? {};
    const kind = name.toLowerCase() === 'a' ? 'link' : 'image';
    const values = valuesIn(attributes);
    const address = values.get(kind === 'link' ? 'href' : 'src');
    if (!address) continue;
    const start = from + match.index + 1 + name.length;
    const range: Tag['range'] = [start + address.begin, start + address.end];
    tags.push({ url: address.value, range, kind, text: values.get('alt')?.value ?? '', offset: from + match.index });
  }
  return tags;
}

interface Value {
  value: string;
  begin: number;
  end: number;
}

/** The values of `href`, `src` and `alt`: of an attribute that is repeated the first, as browsers have it. */
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

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));

export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(amp|lt|gt|quot|apos));/gi, (whole, decimal, hex, name) => {
    if (name) return entities.get(name.toLowerCase()) ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}
