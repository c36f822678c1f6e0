/** The value of an attribute, with its position in the document. */
export interface PlacedValue {
  name: string;
  start: number;
  end: number;
  /** With decoded character references. */
  value: string;
}

const addressAttributes: ReadonlySet<string> = new Set(['href', 'src', 'action', 'poster', 'data-href', 'data-script']);

const tagStart = /<[a-z][^\s/>]*/gi;
const attributeStart = /[\s/]*([^\s"'<>=/]+)(="|)/y;

/**
 * Finds the addresses and IDs of a document. Documents of the templates and the renderer have all values in double quotes,
 * and no comments or inline scripts.
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
    // A failed match resets `lastIndex`.
    attributeStart.lastIndex = end;
  }
  return { addresses, ids };
}

/** The start of the attributes of the next tag; -1 after the last tag. */
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
