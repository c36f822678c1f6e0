import { decodeAddress } from '../../shared/decode.ts';

/** The imported part of a host: the pages below a path. */
export interface Scope {
  origin: string;
  path: string;
}

export function isInside({ origin, pathname }: URL, scope: Scope): boolean {
  if (origin !== scope.origin) return false;
  return pathname.startsWith(scope.path) || `${pathname}/` === scope.path;
}

export function mayBeHtml({ pathname }: URL): boolean {
  const extension = /\.([a-z0-9]+)$/i.exec(pathname)?.[1]?.toLowerCase();
  if (extension === undefined || /^(?:x?html?|php|aspx?|jsp|cgi|shtml)$/.test(extension)) return true;
  // The ".2" of a version such as /docs/v1.2 is not a file type.
  return /^\d+$/.test(extension);
}

/** Equal for addresses of the same page, because index files, trailing slashes and most queries are ignored. */
export function keyOf(url: URL): string {
  const path = url.pathname.replace(/\/(?:index|default)\.(?:x?html?|php|aspx?)$/i, '/');
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end) + (hasMeaningfulQuery(url) ? url.search : '');
}

// The query selects a page only in addresses of scripts. Elsewhere, it is for tracking.
export function hasMeaningfulQuery({ pathname, search }: URL): boolean {
  return search !== '' && /\.(?:php|aspx?|jsp|cgi)$/i.test(pathname);
}

/** The path of all imported pages: the folder of a file, or else the address itself. */
export function scopeOf({ pathname }: URL): string {
  const last = pathname.slice(pathname.lastIndexOf('/') + 1);
  if (last === '') return pathname;
  return last.includes('.') && !/\.\d+$/.test(last) ? pathname.slice(0, pathname.lastIndexOf('/') + 1) : `${pathname}/`;
}

/** Derives a title from an address: the last segment, or the host if the path is empty. */
export function titleFromKey(key: string, url: string): string {
  const words = decodeAddress(key.slice(key.lastIndexOf('/') + 1))
    .replace(/\.[a-z]+$/i, '')
    .replaceAll(/[-_+]+/g, ' ')
    .trim();
  return words === '' ? new URL(url).hostname : words.charAt(0).toUpperCase() + words.slice(1);
}
