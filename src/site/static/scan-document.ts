/** The value of an attribute, with its place in the document. */
export interface PlacedValue {
  name: string;
  start: number;
  end: number;
  /** With the characters that references stand for. */
  value: string;
}

const addressAttributes: ReadonlySet<string> = new Set(['href', 'src', 'action', 'poster', 'data-href', 'data-script']);

const tagStart = /<[a-z][^\s/>]*/gi;
const attributeStart = /[\s/]*([^\s"'<>=/]+)(="|)/y;

/**
 * The addresses and ids of a document that was made by the templates and the renderer: values stand in double quotes, and
 * there are no comments and no inline scripts.
 */
export function scanDocument(html: string): { addresses: PlacedValue[]; ids: string[] } {
  const addresses: PlacedValue[] = [];
  const ids: string[] = [];
  for (let tag = nextTag(html, 0); tag !== -1; tag = nextTag(html, attributeStart.lastIndex)) {
    attributeStart.lastIndex = tag;
    let end = tag;
    for (let match = attributeStart.exec(html); match; match = attributeStart.exec(html)) {
      const [, name = '', opening] = match;
      end = attributeStart.lastIndex;
      if (opening === '') continue;
      const start = end;
      end = html.indexOf('"', start);
      if (end === -1) return { addresses, ids };
      if (name === 'id') ids.push(unescapeText(html.slice(start, end)));
      else if (addressAttributes.has(name)) {
        addresses.push({ name, start, end, value: unescapeText(html.slice(start, end)) });
      }
      end += 1;
      attributeStart.lastIndex = end;
    }
    // A match that fails resets it.
    attributeStart.lastIndex = end;
  }
  return { addresses, ids };
}

/** Where the attributes of the next tag begin; -1 after the last. */
function nextTag(html: string, from: number): number {
  tagStart.lastIndex = from;
  return tagStart.exec(html) ? tagStart.lastIndex : -1;
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescapeText = (text: string): string =>
  text.includes('&')
    ? text.replaceAll(
        /&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/gi,
        (match, hex?: string, decimal?: string, name = '') => {
          const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
          return hex === undefined && decimal === undefined
            ? (named[name] ?? match)
            : String.fromCodePoint(Math.min(code, 0x10ffff));
        },
      )
    : text;
