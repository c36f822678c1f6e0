import { decodeAddress } from '../shared/decode.ts';
import { trimSlashes } from '../shared/trim-slashes.ts';

/** A link to a space or page in the app. */
export interface AppLink {
  /** ID of the space. */
  space: string;
  /** The path or ID of a page, decoded; "" for the space. */
  path: string;
  anchor: string;
}

// Change requests and settings of a space begin with `~`.
const shape =
  /^https?:\/\/[^/?#\s]+\/o\/[\w-]+\/s\/(?<space>[\w-]+)(?<path>(?:\/[^?#\s]*)?)(?:\?[^#\s]*)?(?:#(?<anchor>\S*))?$/i;

/** Reads `https://app.example.com/o/ORG/s/SPACE/path#heading`. Undefined for other addresses, also of change requests. */
export function parseAppLink(url: string): AppLink | undefined {
  const { space = '', path = '', anchor = '' } = shape.exec(url)?.groups ?? {};
  const page = trimSlashes(path).replace(/^pages\//, '');
  if (space === '' || /^(?:~|cr\/)/.test(page)) return undefined;
  return { space, path: decodeAddress(page), anchor: decodeAddress(anchor) };
}

/** The link with another path. */
export function withPath(url: string, path: string): string {
  const [, start = '', rest = ''] = /^([^?#]*?\/s\/[\w-]+)[^?#]*(.*)$/s.exec(url) ?? [];
  return `${start}/${path.split('/').map(encodeURIComponent).join('/')}${rest}`;
}
