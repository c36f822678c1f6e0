import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, Invalid } from '../engine/errors.ts';
import { type InstanceResponse, newRequestId } from '../engine/request.ts';
import { domainErrorResponse } from '../engine/response.ts';

export interface AllowedOrigins {
  /** The host that the server listens on. */
  host: string;
  /** Names that `Host` may be, besides that one and those of loopback. */
  hosts?: string[];
  /** Origins whose pages may call from a browser. */
  cors?: string[];
}

/**
 * Checks where a request comes from, before anything else: a page in a browser on the same machine can reach the service
 * too, and must not control it.
 *
 * @returns the response that refuses the request, or that answers a CORS preflight
 */
export function checkOrigin(
  allowed: AllowedOrigins,
  request: IncomingMessage,
  response: ServerResponse,
): InstanceResponse | undefined {
  const { origin, expect } = request.headers;
  // Of two, a proxy may have checked the other one (RFC 9112, section 3.2).
  if (request.headersDistinct['host']?.length !== 1) {
    const issue = { in: 'header', path: 'Host', rule: 'unique', message: 'must be there exactly once' } as const;
    return domainErrorResponse(new Invalid([issue]), newRequestId());
  }
  if (!isAllowedHost(hostOf(request), allowed)) {
    return refusal(
      'misdirected',
      'This host name is not allowed. Start the instance with --allow-host to allow another one.',
    );
  }
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return refusal('expectation-failed', 'Only the expectation "100-continue" is supported.');
  }
  if (origin === undefined) return undefined;
  if (allowed.cors?.includes(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    return request.method === 'OPTIONS' ? preflight() : undefined;
  }
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  return refusal(
    'forbidden',
    'Permission denied: pages of another origin cannot write. Start the instance with --cors to allow one.',
  );
}

const refusal = (reason: 'misdirected' | 'expectation-failed' | 'forbidden', message: string) =>
  domainErrorResponse(new DomainError(reason, message), newRequestId());

const preflight = (): InstanceResponse => ({
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'authorization, content-type',
    'access-control-max-age': '600',
  },
  body: '',
});

const hostOf = (request: IncomingMessage) => (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

function isAllowedHost(host: string, { host: ownHost, hosts }: AllowedOrigins): boolean {
  if (loopback.has(host) || host === ownHost.toLowerCase()) return true;
  if (hosts?.includes(host)) return true;
  // A server on all addresses does not know its names, but any IP address is one of its own.
  return (ownHost === '0.0.0.0' || ownHost === '::') && /^(\d+\.){3}\d+$|^\[[\da-f:]+\]$/.test(host);
}
