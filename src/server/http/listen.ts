import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type FaultInjector, createFaultInjector, type InjectedFault, type FaultRule } from './fault-injection.ts';
import { type Account, type BodyMemory, createBodyMemory, defaultBodyMemory, hasArrived, readBody } from '../bodies.ts';
import { DomainError } from '../engine/errors.ts';
import type { Instance } from '../engine/instance.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { type InstanceRequest, type InstanceResponse, newRequestId } from '../engine/request.ts';

export interface ListenOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  /** Names besides loopback's that `Host` may be. */
  hosts?: string[];
  /** Origins of pages that may call from a browser. */
  cors?: string[];
  /** Told of every request; its status is 0 where a fault that was asked for cut the connection. */
  log?(line: { method: string; path: string; status: number; ms: number; requestId: string }): void;
  /** Bytes that the bodies of all requests under way may hold together. */
  bodyMemory?: number;
  /** What is to go wrong, so that callers can be tried. */
  faults?: FaultRule[];
  /** Told of every request that was answered. */
  record?(request: InstanceRequest, response: InstanceResponse): void;
  /** Answers in the instance's place. */
  replay?(request: InstanceRequest): InstanceResponse;
}

export interface Listening {
  url: string;
  /** Takes no new connections, lets requests in flight finish, then settles. */
  stop(): Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const checkIntervalMs = 5_000;
const stopGraceMs = 4_000;
/** How long a connection that has not asked anything yet may still begin to when the service stops. */
const silenceMs = 500;
/** How long, and how far, a body that was refused is read all the same. */
const drainMs = 1_000;
const drainBytes = 1024 * 1024;

/** Puts an instance behind node:http. @throws the system's error when the port or host cannot be used */
export async function listen(instance: Instance, options: ListenOptions): Promise<Listening> {
  const metrics = createMetrics();
  const badDay = options.faults ? createFaultInjector(options.faults) : undefined;
  const bodies = createBodyMemory(options.bodyMemory ?? defaultBodyMemory);
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    silent.delete(request.socket);
    void serve({ instance, options, metrics, badDay, bodies }, request, response);
  };
  const server = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
      keepAliveTimeout: 65_000,
      noDelay: true,
      // A request without Host is refused here, in the form of all errors.
      requireHostHeader: false,
    },
    respond,
  );
  // The platform would ask for every body that is announced, and refuse other expectations without a word.
  server.on('checkContinue', respond);
  server.on('checkExpectation', respond);
  // To node:http a connection is idle only once it has been answered.
  const silent = new Set<Duplex>();
  server.on('connection', (socket) => {
    silent.add(socket);
    socket.once('close', () => silent.delete(socket));
  });
  server.on('clientError', answerBroken);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port, address, family } = server.address() as AddressInfo;
  const shown = family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${shown}:${port}`, stop: () => stop(server, silent) };
}

/** What is no HTTP, or came too slowly, gets an error in the form of all errors. */
function answerBroken(error: NodeJS.ErrnoException, socket: Duplex) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const [status, told] =
    error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? (['408 Request Timeout', 'The request came too slowly.'] as const)
      : error.code === 'HPE_HEADER_OVERFLOW'
        ? (['431 Request Header Fields Too Large', 'The headers are too large.'] as const)
        : (['400 Bad Request', 'This is not an HTTP request.'] as const);
  const body = JSON.stringify({
    error: { code: Number.parseInt(status, 10), message: told, requestId: newRequestId() },
  });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

async function stop(server: Server, silent: ReadonlySet<Duplex>): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const hush = setTimeout(() => silent.forEach((socket) => socket.destroy()), silenceMs);
  const end = setTimeout(() => server.closeAllConnections(), stopGraceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(hush);
  clearTimeout(end);
}

interface Serving {
  instance: Instance;
  options: ListenOptions;
  metrics: Metrics;
  badDay: FaultInjector | undefined;
  bodies: BodyMemory;
}

async function serve(serving: Serving, request: IncomingMessage, response: ServerResponse) {
  const { options, metrics, badDay } = serving;
  const start = performance.now();
  const method = request.method ?? 'GET';
  const [path, search] = split(request.url ?? '/');
  const fate = badDay?.(method === 'GET' && new URLSearchParams(search).has('limit'));
  if (fate?.latencyMs) await new Promise((resolve) => setTimeout(resolve, fate.latencyMs));
  if (fate?.reset) {
    request.socket.resetAndDestroy();
    options.log?.({ method, path, status: 0, ms: performance.now() - start, requestId: newRequestId() });
    return;
  }
  let answer: InstanceResponse;
  try {
    answer =
      refuse(options, request, response) ??
      fated(fate) ??
      (await dispatch(serving, { request, response, method, path, search }));
  } catch (error) {
    // Whoever asked has gone: there is nobody to answer.
    if (request.destroyed && !request.complete && !(error instanceof DomainError)) return;
    answer =
      error instanceof DomainError
        ? errorAnswer(error)
        : errorAnswer(new DomainError('internal', 'The service met a fault of its own.'));
  }
  const requestId = (answer.headers['x-request-id'] ??= newRequestId());
  if (fate?.truncate) truncate(response, answer);
  else send(request, response, answer);
  const ms = performance.now() - start;
  metrics.observe({ method, route: answer.route ?? 'other', status: answer.status, ms });
  options.log?.({ method, path, status: answer.status, ms, requestId });
}

function fated(fate: InjectedFault | undefined): InstanceResponse | undefined {
  if (fate?.status === undefined) return undefined;
  const told = errorAnswer(
    new DomainError(fate.status === 429 ? 'rate-limited' : 'unavailable', 'This fault was asked for with --fault.'),
  );
  if (fate.retryAfterSeconds !== undefined) told.headers['retry-after'] = String(fate.retryAfterSeconds);
  return { ...told, status: fate.status, body: String(told.body).replace(/"code":\d+/, `"code":${fate.status}`) };
}

/** Announces the whole body, sends half of it and ends the connection. */
function truncate(response: ServerResponse, { status, headers, body }: InstanceResponse) {
  const bytes = Buffer.from(body as string);
  response.writeHead(status, { ...headers, 'content-length': bytes.length });
  response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
}

const noQuery = new URLSearchParams();

function split(url: string): [string, string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

/** A page in a browser on the same machine is not a friend: names and origins are judged before anything else. */
function refuse(
  options: ListenOptions,
  request: IncomingMessage,
  response: ServerResponse,
): InstanceResponse | undefined {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '').toLowerCase();
  if (!isServed(host, options)) {
    return errorAnswer(
      new DomainError(
        'misdirected',
        'This instance does not answer under that host name. Start it with --allow-host to add one.',
      ),
    );
  }
  const { origin, expect } = request.headers;
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
    return errorAnswer(new DomainError('expectation-failed', 'No expectation is met here but "Expect: 100-continue".'));
  }
  if (origin === undefined) return undefined;
  const allowed = options.cors?.includes(origin) ?? false;
  if (allowed) {
    response.setHeader('access-control-allow-origin', origin);
    response.setHeader('vary', 'origin');
    if (request.method === 'OPTIONS') {
      return {
        status: 204,
        headers: {
          'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
          'access-control-allow-headers': 'authorization, content-type',
          'access-control-max-age': '600',
        },
        body: '',
      };
    }
    return undefined;
  }
  if (request.method === 'GET' || request.method === 'HEAD') return undefined;
  return errorAnswer(
    new DomainError(
      'forbidden',
      'Pages of another origin may not write here. Start the instance with --cors to allow one.',
    ),
  );
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

function isServed(host: string, options: ListenOptions): boolean {
  if (loopback.has(host) || host === options.host.toLowerCase()) return true;
  if (options.hosts?.includes(host)) return true;
  // Listening everywhere means that the names are not known; addresses are.
  return (options.host === '0.0.0.0' || options.host === '::') && /^(\d+\.){3}\d+$|^\[[\da-f:]+\]$/.test(host);
}

interface Asked {
  request: IncomingMessage;
  response: ServerResponse;
  method: string;
  path: string;
  search: string;
}

async function dispatch(serving: Serving, asked: Asked): Promise<InstanceResponse> {
  const { instance, metrics, bodies } = serving;
  const { request, method, path, search } = asked;
  if (path === '/metrics' && method === 'GET') {
    return {
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: metrics.text(instance),
      route: '/metrics',
    };
  }
  const inner: InstanceRequest = {
    // A HEAD is a GET whose body stays here.
    method: method === 'HEAD' ? 'GET' : method,
    path,
    query: search === '' ? noQuery : new URLSearchParams(search),
    headers: request.headers as Record<string, string>,
  };
  if (inner.method === 'GET') return answerWith(serving, inner);
  const account = bodies.open();
  try {
    const refusal = await receive(serving, asked, inner, account);
    return refusal ?? (await answerWith(serving, inner));
  } finally {
    account.close();
  }
}

async function answerWith({ instance, options }: Serving, inner: InstanceRequest): Promise<InstanceResponse> {
  const response = options.replay?.(inner) ?? (await instance.handle(inner));
  options.record?.(inner, response);
  return response;
}

/**
 * Reads the body, of those only who may send one: a body that is still to come is not read before the address and the
 * token are found good.
 *
 * @returns the answer that refuses the request
 * @throws DomainError where the body is refused
 */
async function receive(
  { instance, options, bodies }: Serving,
  { request, response }: Asked,
  inner: InstanceRequest,
  account: Account,
): Promise<InstanceResponse | undefined> {
  const limit = Math.min(await instance.bodyLimit(inner.method, inner.path), bodies.total);
  if (!options.replay && !hasArrived(request)) {
    const refusal = await instance.refuseEarly(inner);
    if (refusal) return refusal;
  }
  inner.body = await readBody(request, account, {
    limit,
    begin: () => {
      if (request.headers.expect !== undefined) response.writeContinue();
    },
  });
  return undefined;
}

function send(request: IncomingMessage, response: ServerResponse, { status, headers, body }: InstanceResponse) {
  const content = status !== 204 && status !== 205;
  const isComing = !hasArrived(request);
  response.writeHead(status, {
    ...headers,
    // What is left of a body that was refused is not worth reading.
    ...(isComing ? { connection: 'close' } : {}),
    ...(content ? { 'content-length': typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength } : {}),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  const shown = request.method === 'HEAD' || !content ? '' : body;
  if (!isComing) return void response.end(shown);
  // Closing at once would reset the connection before the answer is read.
  response.write(shown);
  const end = () => {
    clearTimeout(timer);
    response.end();
    request.destroy();
  };
  const timer = setTimeout(end, drainMs);
  let drained = 0;
  request.on('data', (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > drainBytes) request.pause();
  });
  request.once('end', end).once('close', end);
}

function errorAnswer(error: DomainError): InstanceResponse {
  const requestId = newRequestId();
  return {
    status: error.status,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': requestId, ...error.headers },
    body: JSON.stringify({ error: { code: error.status, message: error.message, reason: error.reason, requestId } }),
  };
}
