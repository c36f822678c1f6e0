import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Instance } from '../engine/instance.ts';
import { newRequestId } from '../engine/request.ts';
import { createFaultInjector, type FaultRule } from './fault-injection.ts';
import { createMetrics } from './metrics.ts';
import { createBodyMemory, defaultBodyMemory } from './request-body.ts';
import { type RequestHandler, serveRequest, type ServeOptions } from './serve-request.ts';

export interface ListenOptions extends ServeOptions {
  /** 0 lets the system choose. */
  port: number;
  /** Bytes that the bodies of all current requests may take together. */
  bodyMemory?: number;
  /** Faults to inject, for testing clients. */
  faults?: FaultRule[];
}

export interface Listening {
  url: string;
  /** Refuses new connections, lets current requests finish, then resolves. */
  /** @param beforeCut called before the connections of requests are closed that take too long */
  stop(beforeCut?: () => void): Promise<void>;
}

const headersTimeoutMs = 10_000;
const requestTimeoutMs = 30_000;
const keepAliveTimeoutMs = 65_000;
const checkIntervalMs = 5_000;
const stopGraceMs = 4_000;
/** How long a connection without a request may still send one when the server stops. */
const firstRequestGraceMs = 500;

/** Serves an instance over HTTP. @throws the system's error when the port or host cannot be used */
export async function listen(instance: Instance, options: ListenOptions): Promise<Listening> {
  const handler: RequestHandler = {
    instance,
    options,
    metrics: createMetrics(),
    injectFault: options.faults ? createFaultInjector(options.faults) : undefined,
    bodies: createBodyMemory(options.bodyMemory ?? defaultBodyMemory),
  };
  // node:http regards a connection as idle only after its first response.
  const withoutRequest = new Set<Duplex>();
  const server = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: checkIntervalMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    noDelay: true,
    // A request without Host is refused by our own code, so that the error has the usual form.
    requireHostHeader: false,
  });
  // Without these listeners, node:http requests every announced body and rejects other expectations.
  const respond = (request: IncomingMessage, response: ServerResponse) => {
    withoutRequest.delete(request.socket);
    void serveRequest(handler, request, response);
  };
  server.on('request', respond).on('checkContinue', respond).on('checkExpectation', respond);
  server.on('connection', (socket) => {
    withoutRequest.add(socket);
    socket.once('close', () => withoutRequest.delete(socket));
  });
  server.on('clientError', refuseInvalidHttp);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { url: urlOf(server), stop: (beforeCut) => stop(server, withoutRequest, beforeCut) };
}

function urlOf(server: Server): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server does not listen on a port.');
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Answers what is not HTTP, or arrived too slowly, with an error of the usual form. */
function refuseInvalidHttp(error: NodeJS.ErrnoException, socket: Duplex) {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { code, phrase, message } = httpErrors[error.code ?? ''] ?? httpErrors.other;
  const body = JSON.stringify({ error: { code, message, requestId: newRequestId() } });
  socket.end(
    `HTTP/1.1 ${code} ${phrase}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

interface HttpError {
  code: number;
  phrase: string;
  message: string;
}

/** By the error code of node:http. */
const httpErrors: Record<string, HttpError> & { other: HttpError } = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 408, phrase: 'Request Timeout', message: 'The request arrived too slowly.' },
  HPE_HEADER_OVERFLOW: { code: 431, phrase: 'Request Header Fields Too Large', message: 'The headers are too large.' },
  other: { code: 400, phrase: 'Bad Request', message: 'This is not an HTTP request.' },
};

async function stop(server: Server, withoutRequest: ReadonlySet<Duplex>, beforeCut = () => {}): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const idleTimer = setInterval(() => server.closeIdleConnections(), 50);
  const withoutRequestTimer = setTimeout(() => {
    for (const socket of withoutRequest) socket.destroy();
  }, firstRequestGraceMs);
  const allTimer = setTimeout(() => {
    beforeCut();
    server.closeAllConnections();
  }, stopGraceMs);
  await closed;
  clearInterval(idleTimer);
  clearTimeout(withoutRequestTimer);
  clearTimeout(allTimer);
}
