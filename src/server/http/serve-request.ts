import type { IncomingMessage, ServerResponse } from 'node:http';
import { DomainError, Invalid } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { type InstanceRequest, type InstanceResponse, newRequestId } from '../engine/request.ts';
import { domainErrorResponse, errorResponse } from '../engine/response.ts';
import type { FaultInjector, InjectedFault } from './fault-injection.ts';
import type { Metrics } from './metrics.ts';
import { type BodyMemory, type Reservation, hasArrived, readBody } from './request-body.ts';
import { send, sendTruncated } from './send.ts';

export interface ServeOptions extends AllowedOrigins {
  /** Called for every request; its status is 0 if an injected fault closed the connection. */
  log?(line: { method: string; path: string; status: number; ms: number; requestId: string }): void;
  /** Called for every answered request. */
  record?(request: InstanceRequest, response: InstanceResponse, base: string): void;
  /** Answers instead of the instance. */
  replay?(request: InstanceRequest, base: string): InstanceResponse;
}

/** Pages for browsers that are signed in. */
export interface WebApp {
  /** Whether a request is for it: the others are for the instance. */
  has(request: Pick<InstanceRequest, 'path' | 'headers'>): boolean;
  answer(request: InstanceRequest): Promise<InstanceResponse>;
}

export interface RequestHandler {
  instance: Instance;
  options: ServeOptions;
  metrics: Metrics;
  injectFault: FaultInjector | undefined;
  bodies: BodyMemory;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  path: string;
  search: string;
}

/** Answers one HTTP request. Never throws: a response that cannot be sent is logged, and its connection is closed. */
export async function serveRequest(
  handler: RequestHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const requestId = newRequestId();
  const fail = (error: unknown): void => {
    response.destroy();
    logError(handler.instance, requestId, error);
  };
  response.on('error', fail);
  try {
    await serve(handler, { request, response, requestId });
  } catch (error) {
    fail(error);
  }
}

function logError({ log }: Instance, requestId: string, error: unknown): void {
  try {
    log.error(requestId, error);
  } catch {
    // The log itself cannot be written.
  }
}

interface Serving {
  request: IncomingMessage;
  response: ServerResponse;
  /** For errors that no response names. */
  requestId: string;
}

async function serve(handler: RequestHandler, { request, response, requestId }: Serving): Promise<void> {
  const { options, metrics, injectFault } = handler;
  const start = performance.now();
  const method = request.method ?? 'GET';
  const [path, search] = splitUrl(request.url ?? '/');
  const fault = injectFault?.(method === 'GET' && new URLSearchParams(search).has('limit'));
  if (fault?.latencyMs) await new Promise((resolve) => setTimeout(resolve, fault.latencyMs));
  if (fault?.reset) {
    request.socket.resetAndDestroy();
    options.log?.({ method, path, status: 0, ms: performance.now() - start, requestId });
    return;
  }
  const answer = await answerTo(handler, { request, response, method, path, search }, { fault, requestId });
  if (!answer) return;
  const answerId = (answer.headers['x-request-id'] ??= requestId);
  if (fault?.truncate) sendTruncated(response, answer);
  else await send(request, response, answer);
  const ms = performance.now() - start;
  metrics.observe({ method, route: answer.route ?? 'other', status: answer.status, ms });
  options.log?.({ method, path, status: answer.status, ms, requestId: answerId });
}

function splitUrl(url: string): [path: string, search: string] {
  const mark = url.indexOf('?');
  return mark < 0 ? [url, ''] : [url.slice(0, mark), url.slice(mark + 1)];
}

/** @returns undefined if the client has closed the connection */
async function answerTo(
  handler: RequestHandler,
  exchange: Exchange,
  { fault, requestId }: { fault: InjectedFault | undefined; requestId: string },
): Promise<InstanceResponse | undefined> {
  const { request, response } = exchange;
  try {
    return (
      checkOrigin(handler.options, request, response) ?? injectedError(fault) ?? (await dispatch(handler, exchange))
    );
  } catch (error) {
    if (!(error instanceof DomainError) && request.destroyed && !request.complete) return undefined;
    return errorResponse(handler.instance, error, requestId);
  }
}

function injectedError(fault: InjectedFault | undefined): InstanceResponse | undefined {
  if (fault?.status === undefined) return undefined;
  const headers = fault.retryAfterSeconds === undefined ? undefined : { 'retry-after': `${fault.retryAfterSeconds}` };
  const reason = fault.status === 429 ? 'rate-limited' : 'unavailable';
  const error = new DomainError(reason, 'This error was requested with --fault.', undefined, headers);
  return domainErrorResponse(error, newRequestId(), fault.status);
}

const emptyQuery = new URLSearchParams();

async function dispatch(handler: RequestHandler, exchange: Exchange): Promise<InstanceResponse> {
  const { instance, metrics, bodies } = handler;
  const { request, method, path, search } = exchange;
  if (path === '/metrics' && method === 'GET') {
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: metrics.text(instance),
      route: '/metrics',
    };
  }
  const instanceRequest: InstanceRequest = {
    // A HEAD is answered like a GET; `send` leaves the body out.
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query: search === '' ? emptyQuery : new URLSearchParams(search),
    headers: request.headers,
  };
  const app = handler.options.app?.has(instanceRequest) ? handler.options.app : undefined;
  if (instanceRequest.method === 'GET') return app?.answer(instanceRequest) ?? callInstance(handler, instanceRequest);
  const gone = new AbortController();
  exchange.response.once('close', () => {
    if (!exchange.response.writableFinished) gone.abort();
  });
  instanceRequest.signal = gone.signal;
  const reservation = bodies.open();
  try {
    if (app) {
      instanceRequest.body = await readForm(exchange, reservation);
      return await app.answer(instanceRequest);
    }
    const refusal = await receiveBody(handler, exchange, instanceRequest, reservation);
    return refusal ?? (await callInstance(handler, instanceRequest));
  } finally {
    reservation.release();
  }
}

const maxForm = 64 * 1024;

/** @throws DomainError if the body is refused */
const readForm = ({ request, response }: Exchange, reservation: Reservation): Promise<Buffer | undefined> =>
  readBody(request, reservation, {
    limit: maxForm,
    checkType(contentType) {
      if (contentType?.split(';')[0]?.trim().toLowerCase() === 'application/x-www-form-urlencoded') return;
      throw new DomainError('unsupported-media-type', 'Only forms are accepted here.');
    },
    onWait: () => {
      if (request.headers.expect !== undefined) response.writeContinue();
    },
  });

async function callInstance(
  { instance, options }: RequestHandler,
  request: InstanceRequest,
): Promise<InstanceResponse> {
  const response = options.replay?.(request, instance.base) ?? (await instance.handle(request));
  options.record?.(request, response, instance.base);
  return response;
}

/**
 * Reads the body. One that has not arrived yet is read only if the address and the token are valid.
 *
 * @returns the response that refuses the request
 * @throws DomainError if the body is refused
 */
async function receiveBody(
  { instance, options, bodies }: RequestHandler,
  { request, response }: Exchange,
  instanceRequest: InstanceRequest,
  reservation: Reservation,
): Promise<InstanceResponse | undefined> {
  const limit = Math.min(await instance.bodyLimit(instanceRequest.method, instanceRequest.path), bodies.total);
  if (!options.replay && !hasArrived(request)) {
    const refusal = await instance.refuseEarly(instanceRequest);
    if (refusal) return refusal;
  }
  instanceRequest.body = await readBody(request, reservation, {
    limit,
    onWait: () => {
      if (request.headers.expect !== undefined) response.writeContinue();
    },
  });
  return undefined;
}

interface AllowedOrigins {
  /** The application, if the service has it. Its own forms may be sent. */
  app?: WebApp | undefined;
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
function checkOrigin(
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
  if (expect !== undefined && expect.toLowerCase() !== '100-continue')
    return refusal('expectation-failed', 'Only the expectation "100-continue" is supported.');
  if (origin === undefined) return undefined;
  if (allowed.cors?.includes(origin)) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    return request.method === 'OPTIONS' ? preflight() : undefined;
  }
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  // It checks the origins and tokens of its forms.
  const [path] = splitUrl(request.url ?? '/');
  if (allowed.app?.has({ path, headers: request.headers })) return undefined;
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
  // A server that listens on all addresses does not know its names, but accepts any IP address.
  return (ownHost === '0.0.0.0' || ownHost === '::') && /^(\d+\.){3}\d+$|^\[[\da-f:]+\]$/.test(host);
}
