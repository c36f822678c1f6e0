import { decodeAddress } from '../../shared/decode.ts';
import type { StaticPage } from './static-source.ts';

export interface PageNames {
  html: string;
  markdown: string;
  feed: string;
}

/** The files of the pages of an export. Names are paths with `/`. */
export class OutputNames {
  readonly #byKey = new Map<string, PageNames>();
  readonly #byPath = new Map<string, string>();
  readonly #markdowns = new Map<string, string>();
  /** In lower case, because many file systems ignore case. */
  readonly #taken = new Set(['404.html', 'index.md', 'llms.txt']);

  constructor(pages: readonly StaticPage[]) {
    for (const page of pages) {
      const safe = safePath(page.address);
      const base = page.isFirst ? [safe, 'index'].filter(Boolean).join('/') : safe;
      const names = this.#free(base, page.address === '');
      this.#byKey.set(page.key, names);
      this.#markdowns.set(names.html, names.markdown);
      this.#byPath.set(page.address, names.html);
      this.#byPath.set(`${page.address || 'index'}.md`, names.markdown);
      this.#byPath.set(`${page.address}/rss.xml`.replace(/^\//, ''), names.feed);
    }
  }

  of({ key }: StaticPage): PageNames {
    const names = this.#byKey.get(key);
    if (!names) throw new Error(`The page ${key} is not exported.`);
    return names;
  }

  /** The file at a path from the root of the site; undefined if there is none. */
  at(path: string): string | undefined {
    const decoded = decodeAddress(path).replace(/^\//, '').replace(/\/$/, '');
    return this.#byPath.get(decoded);
  }

  /** The Markdown of the page in an HTML file; undefined for other files. */
  markdownOf(html: string): string | undefined {
    return this.#markdowns.get(html);
  }

  add(path: string, file: string): void {
    this.#byPath.set(path.replace(/^\//, ''), file);
  }

  /** Reserves a name for the page of a redirect; undefined if a page has it. */
  redirect(from: string): string | undefined {
    const name = [safePath(from), 'index.html'].filter(Boolean).join('/');
    if (this.#byPath.has(from) || this.#taken.has(name.toLowerCase())) return undefined;
    this.#taken.add(name.toLowerCase());
    return name;
  }

  #free(base: string, isHome: boolean): PageNames {
    for (let number = 1; ; number += 1) {
      const name = number === 1 ? base : `${base}-${number}`;
      const html = `${name}.html`;
      const lower = html.toLowerCase();
      // Only first pages are named "index", and that of the site comes first.
      if (this.#taken.has(lower) && !isHome) continue;
      this.#taken.add(lower);
      return { html, markdown: `${name}.md`, feed: `${name}.rss.xml` };
    }
  }
}

/** Converts an address to a path that is valid on every system and stays inside the folder. */
export const safePath = (address: string): string =>
  address
    .normalize('NFC')
    .split('/')
    .filter(Boolean)
    .map((segment, index, all) => safeName(segment, index < all.length - 1))
    .join('/');

/** Systems limit names to 255 bytes, and an extension and a number are added. */
const maxBytes = 200;

function safeName(segment: string, isFolder: boolean): string {
  const plain = segment
    .replaceAll(/[\u0000-\u001f\u007f<>:"|?*\\]/g, '-')
    .replace(/^\.+/, '-')
    .replace(/[. ]$/, '-')
    .replace(/^(con|prn|aux|nul|com\d|lpt\d)$/i, '$1-');
  // A folder must not have the name of the file of a page.
  const distinct = isFolder ? plain.replace(/\.(html|md|rss\.xml)$/i, '-$1') : plain;
  return shortened(distinct);
}

function shortened(name: string): string {
  let short = name;
  while (Buffer.byteLength(short) > maxBytes) short = [...short].slice(0, -1).join('');
  return short;
}

/** The relative address of a file from another one. */
export function relativeAddress(from: string, to: string): string {
  const above = from.split('/').slice(0, -1);
  const target = to.split('/');
  let shared = 0;
  while (shared < above.length && shared < target.length - 1 && above[shared] === target[shared]) shared += 1;
  const segments = [...above.slice(shared).map(() => '..'), ...target.slice(shared).map(encodeURIComponent)];
  return segments.join('/');
}
