import type { Address } from './address.ts';
import { HttpError } from './errors/http-error.ts';
import type { WireRequest, WireResponse } from './transport.ts';

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/** Follows redirects of GET and HEAD within the origin only, because the token is for that origin. */
export async function follow(
  request: WireRequest,
  send: (request: WireRequest) => Promise<WireResponse>,
  { origin }: Address,
): Promise<WireResponse> {
  let { path } = request;
  for (let count = 0; ; count++) {
    const response = await send({ ...request, path });
    const { location } = response.headers;
    if (!redirects.has(response.status) || location === undefined) return response;
    const target = URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined;
    const { status } = response;
    if (target?.origin !== origin) throw leaving(status, target);
    if (request.method !== 'GET' && request.method !== 'HEAD') throw writing(status, request.method, target);
    if (count === maxRedirects) throw tooMany(status);
    path = target.pathname + target.search;
  }
}

function leaving(status: number, target: URL | undefined): HttpError {
  const origin = target && `${target.protocol}//${target.host}`;
  return new HttpError({
    status,
    // Without the query, which may contain secrets.
    message: `The service redirects (${status}) to ${target ? origin + target.pathname : 'an address that cannot be read'}, which is not the configured address: nothing was sent there.`,
    hint: target && `If the service has moved, set its new address: ${origin}`,
  });
}

function writing(status: number, method: string, target: URL): HttpError {
  return new HttpError({
    status,
    message: `The service redirects (${status}) this ${method} to ${target.pathname}: only GET and HEAD requests follow redirects.`,
  });
}

function tooMany(status: number): HttpError {
  return new HttpError({ status, message: `The service redirects more than ${maxRedirects} times in a row.` });
}
