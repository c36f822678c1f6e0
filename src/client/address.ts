import { dotSegmentRefusal, hasDotSegment } from '../contract/path.ts';
import { ClientError } from './errors/client-error.ts';

/** Where the service is: everything before `/v1`. */
export interface Address {
  origin: string;
  /** Path before `/v1`, without a slash at its end; usually empty. */
  prefix: string;
}

export function addressOf(url: string): Address {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol)) {
    throw new ClientError(
      `The address ${withoutCredentials(url)} is not an http or https address.`,
      'Use an address such as https://docs.example or http://127.0.0.1:4000.',
    );
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ClientError(
      `The address ${parsed.origin} must not hold a user name or password.`,
      'Pass the token separately from the address.',
    );
  }
  if (parsed.search !== '' || parsed.hash !== '') {
    throw new ClientError(`The address ${parsed.origin}${parsed.pathname} must not have a query or a fragment.`);
  }
  return { origin: parsed.origin, prefix: withoutEndSlashes(parsed.pathname) };
}

export function withoutEndSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** The path below the base address. A full address must be one of the service. */
export function pathOf(pathOrUrl: string, { origin, prefix }: Address): string {
  // Checked first: parsing a full address resolves dot segments.
  if (hasDotSegment(pathOrUrl.replace(/[?#].*$/s, ''))) {
    throw new ClientError(dotSegmentRefusal(withoutCredentials(pathOrUrl)), 'Write the path without them.');
  }
  if (!/^https?:\/\//i.test(pathOrUrl)) return sendable(pathOrUrl.startsWith('/') ? pathOrUrl : `/${pathOrUrl}`);
  const url = URL.canParse(pathOrUrl) ? new URL(pathOrUrl) : undefined;
  if (url?.origin !== origin || !url.pathname.startsWith(`${prefix}/`)) {
    throw new ClientError(
      `${withoutCredentials(pathOrUrl)} is not below ${origin}${prefix}, the only address the token is sent to.`,
      'Use a path such as /v1/user.',
    );
  }
  return sendable(`${url.pathname.slice(prefix.length)}${url.search}`);
}

export const withoutCredentials = (url: string) => url.replace(/\/\/[^/?#]*@/, '//');

// Percent signs stay: text that is already encoded must not be encoded twice.
function sendable(path: string): string {
  return path
    .toWellFormed()
    .replace(/#.*$/s, '')
    .replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
