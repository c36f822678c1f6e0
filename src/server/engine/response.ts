import type { Endpoint } from '../../contract/endpoint.ts';
import type { ErrorBody } from '../../contract/errors.ts';
import { isObject } from '../../shared/is-object.ts';
import { isUnstorableText, unavailability } from '../../store/failures.ts';
import type { Context } from './context.ts';
import { DomainError, Unavailable } from './errors.ts';
import type { Instance } from './instance.ts';
import { writeJson } from './json-text.ts';
import { unstorableText } from './stored-text.ts';
import { encodeToken, isListed, type Listed } from './paging.ts';
import type { InstanceRequest, InstanceResponse } from './request.ts';

const json = 'application/json; charset=utf-8';

/** The response for what a handler returned. */
export function successResponse(
  endpoint: Endpoint,
  request: InstanceRequest,
  result: unknown,
  reply: Context['reply'],
  base: string,
): InstanceResponse {
  const status = reply.status ?? endpoint.status ?? 200;
  if (status === 204) return { status, headers: {}, body: '' };
  if (status === 205) return { status, headers: { 'content-length': '0' }, body: '' };
  const body = endpoint.paged && isListed(result) ? listBody(request, result) : result;
  const headers: Record<string, string> = { 'content-type': json };
  if (status === 201) headers.location = reply.location ?? locationOf(body, `${base}${request.path}`);
  if (reply.etag !== undefined) headers.etag = reply.etag;
  return { status, headers, body: writeJson(body ?? {}) };
}

function listBody(request: InstanceRequest, { items, count, next, envelope }: Listed<unknown>) {
  return { ...(next ? { next: { page: encodeToken(listScope(request), next) } } : {}), count, ...envelope, items };
}

/** The list that a page token is valid for: its address and its filters. */
export function listScope(request: InstanceRequest): string {
  const filters = [...request.query].filter(([name]) => name !== 'page' && name !== 'limit');
  return JSON.stringify([request.path, filters.toSorted(([a], [b]) => (a < b ? -1 : 1))]);
}

/** The address of a new object: its `urls.location`, else its id after the address of the request. */
function locationOf(body: unknown, address: string): string {
  if (!isObject(body)) return address;
  const { urls, id } = body;
  if (isObject(urls) && typeof urls.location === 'string') return urls.location;
  return typeof id === 'string' ? `${address}/${id}` : address;
}

/** The response for any error. One that is not a `DomainError` is logged, and its text is not shown. */
export function errorResponse(instance: Instance, error: unknown, requestId: string): InstanceResponse {
  const domainError = error instanceof DomainError ? error : unexpectedError(instance, error, requestId);
  return domainErrorResponse(domainError, requestId);
}

export function domainErrorResponse(
  error: DomainError,
  requestId: string,
  status: number = error.status,
): InstanceResponse {
  const { message, reason, details, headers } = error;
  const body: ErrorBody = {
    error: { code: status, message, reason, ...(details ? { details } : {}), requestId },
  };
  return {
    status,
    headers: { 'content-type': json, 'x-request-id': requestId, ...headers },
    body: JSON.stringify(body),
  };
}

function unexpectedError(instance: Instance, error: unknown, requestId: string): DomainError {
  const unavailable = unavailability(error);
  if (unavailable) return new Unavailable(unavailable.message, unavailable.retryAfterSeconds);
  if (isUnstorableText(error)) return unstorableText('', 'body');
  instance.log.error(requestId, error);
  return new DomainError(
    'internal',
    'Internal server error. Nothing was changed. The log of the service has the details under the request id.',
  );
}
