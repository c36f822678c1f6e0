import { type Endpoint, pathWith } from '../contract/endpoint.ts';
import { encodeQuery } from '../contract/fields.ts';
import type { WireRequest } from './transport.ts';

/** Input of an endpoint without its types, which callers of the client see. */
export interface EndpointInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  timeoutMs?: number;
  headers?: Record<string, string>;
}

interface PathInput {
  query?: Record<string, unknown>;
  body?: unknown;
  /** Names in lower case. */
  headers?: Record<string, string>;
}

/** Builds the requests of one client. */
export function createRequests({ prefix, token, userAgent }: { prefix: string; token: string; userAgent: string }) {
  const headersOf = (body: unknown): Record<string, string> => ({
    accept: 'application/json',
    'user-agent': userAgent,
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  });

  return {
    toEndpoint(endpoint: Endpoint, input: EndpointInput, signal?: AbortSignal): WireRequest {
      const { params = {}, query, body, timeoutMs, headers } = input;
      const { method } = endpoint;
      return {
        method,
        path: prefix + pathWith(endpoint.path, params) + (query ? encodeQuery(query) : ''),
        headers: { ...headersOf(body), ...headers },
        body: body === undefined ? undefined : JSON.stringify(body),
        signal,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
        repeatable: method === 'GET' || method === 'DELETE' || endpoint.repeatable === true,
      };
    },

    /** @param path below the base address */
    toPath(method: string, path: string, { query, body, headers }: PathInput, signal?: AbortSignal): WireRequest {
      return {
        method,
        path: withQuery(prefix + path, query),
        headers: { ...headersOf(body), ...headers },
        body:
          typeof body === 'string' || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body),
        signal,
        repeatable: ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method),
      };
    },
  };
}

function withQuery(path: string, query: Record<string, unknown> = {}): string {
  const added = encodeQuery(query);
  return path.includes('?') ? path + added.replace('?', '&') : path + added;
}
