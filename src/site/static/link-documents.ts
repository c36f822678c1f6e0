import { decodeAddress } from '../../shared/decode.ts';
import { escapeText } from '../html.ts';
import { ownPath, searchHref, searchIndexFile } from '../own-files.ts';
import { hashOf } from './content-hash.ts';
import { type OutputNames, relativeAddress, safePath } from './output-names.ts';
import type { StaticSource } from './static-source.ts';

/** A link in a document of the export. */
export interface OutputLink {
  /** As in the document of the source. */
  address: string;
  /** The target; undefined if it does not exist. */
  file: string | undefined;
  anchor: string;
}

export interface LinkedDocument {
  html: string;
  links: OutputLink[];
  ids: string[];
}

/** Converts the addresses in documents, which start at the root of the site, to relative paths of exported files. */
export class DocumentLinker {
  readonly #source: StaticSource;
  readonly #names: OutputNames;
  readonly #write: (path: string, bytes: Uint8Array) => void;
  /** Files of the content by their addresses. */
  readonly #files = new Map<string, Promise<string | undefined>>();

  constructor(source: StaticSource, names: OutputNames, write: (path: string, bytes: Uint8Array) => void) {
    this.#source = source;
    this.#names = names;
    this.#write = write;
  }

  /** @param addressOf the address of a file; by default relative to the document */
  async link(
    html: string,
    from: string,
    addressOf = (to: string) => relativeAddress(from, to),
  ): Promise<LinkedDocument> {
    const { addresses, ids } = scanDocument(html);
    const links: OutputLink[] = [];
    const parts: string[] = [];
    let end = 0;
    for (const place of addresses) {
      const link = await this.#linkOf(place, from);
      if (!link) continue;
      links.push(link);
      if (link.file === undefined || place.value.startsWith('#')) continue;
      parts.push(html.slice(end, place.start), escapeText(addressOf(link.file)), escapeText(hashIn(place.value)));
      ({ end } = place);
    }
    return { html: parts.join('') + html.slice(end), links, ids };
  }

  /** Undefined for links to other hosts. */
  async #linkOf({ value }: PlacedValue, from: string): Promise<OutputLink | undefined> {
    if (/^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(value)) return undefined;
    const hash = hashIn(value);
    const anchor = decodeAddress(hash.slice(1));
    return { address: value, file: await this.fileOf(value, from), anchor };
  }

  /** The exported file that an address in the document `from` leads to; undefined if there is none. */
  fileOf(address: string, from: string): Promise<string | undefined> {
    if (address === '' || address.startsWith('#')) return Promise.resolve(from);
    const path = address.replace(/[?#].*$/s, '');
    return path.startsWith('/') ? this.#fileAt(path) : Promise.resolve(undefined);
  }

  #fileAt(path: string): Promise<string | undefined> {
    if (path === searchHref) return Promise.resolve(searchIndexFile);
    if (!path.startsWith(ownPath)) return Promise.resolve(this.#names.at(path));
    const known = this.#files.get(path) ?? this.#contentFile(decodeAddress(path.slice(ownPath.length)));
    this.#files.set(path, known);
    return known;
  }

  async #contentFile(path: string): Promise<string | undefined> {
    const bytes = await this.#source.file(path);
    if (!bytes) return undefined;
    const name = safePath(path.slice(path.lastIndexOf('/') + 1));
    // The names of docsctl's own files already contain a hash.
    const file = path.startsWith('assets/') ? path : `assets/files/${withHash(name, bytes)}`;
    this.#write(file, bytes);
    for (const loaded of this.#source.loadedBy?.(path) ?? [])
      if (loaded !== path) this.#write(loaded, (await this.#source.file(loaded)) ?? Buffer.from(''));
    return file;
  }
}

export const hashIn = (address: string): string => {
  const at = address.indexOf('#');
  return at === -1 ? '' : address.slice(at);
};

function withHash(name: string, bytes: Uint8Array): string {
  const hash = hashOf(bytes).slice(0, 10);
  const dot = name.lastIndexOf('.');
  return dot <= 0 ? `${name}-${hash}` : `${name.slice(0, dot)}-${hash}${name.slice(dot)}`;
}

/** The value of an attribute, with its position in the document. */
interface PlacedValue {
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
function scanDocument(html: string): { addresses: PlacedValue[]; ids: string[] } {
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
