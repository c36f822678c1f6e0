import type { Client, Dispatcher } from 'undici';
import type { Address } from './address.ts';
import { openConnection } from './connection.ts';
import { closedClient, damaged, tooLarge, type Place } from './failures.ts';
import { proxyFor } from './proxy.ts';
import { decompress } from './stream/decompress.ts';
import { createMemory } from './stream/memory.ts';
import { receive } from './stream/receive.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

export interface HttpOptions {
  address: Address;
  /** How long the service may send nothing. */
  timeoutMs: number;
  connectTimeoutMs: number;
}

/** Larger bodies are sent in pieces: each piece that is sent restarts the timeout. */
const pieceBytes = 64 * 1024;

/** Sends requests to the origin of `address` over HTTP/1.1. This module and undici are loaded with the first request. */
export async function httpTransport({ address, timeoutMs, connectTimeoutMs }: HttpOptions): Promise<Transport> {
  const proxy = proxyFor(address.origin);
  const open = await dispatcherMaker(address.origin, proxy, connectTimeoutMs);
  const place = { address: address.origin + address.prefix, proxy };
  // Each connection carries one request at a time. undici's Pool would open a second one even for consecutive requests.
  const gather = createMemory();
  const all = new Set<Dispatcher>();
  const idle: Dispatcher[] = [];
  let closed = false;

  async function send(request: WireRequest): Promise<WireResponse> {
    if (closed) throw closedClient();
    const limit = request.timeoutMs ?? timeoutMs;
    const limits = { connection: Math.min(connectTimeoutMs, limit), answer: limit, rest: limit };
    const dispatcher = idle.pop() ?? open();
    all.add(dispatcher);
    const options = optionsOf(request, address.origin);
    let received: WireResponse;
    try {
      received = await receive(dispatcher, options, { signal: request.signal, limits, place, gather });
    } catch (error) {
      // The rest of this answer may still arrive on the connection, so no other request may use it.
      all.delete(dispatcher);
      void dispatcher.destroy();
      throw error;
    }
    idle.push(dispatcher);
    return decoded(received, place);
  }

  async function close() {
    closed = true;
    await Promise.all([...all].map((dispatcher) => dispatcher.destroy()));
  }

  return { send, close };
}

async function decoded(response: WireResponse, place: Place): Promise<WireResponse> {
  const codings = response.headers['content-encoding'];
  if (codings === undefined || response.body.length === 0) return response;
  try {
    const body = await decompress(response.body, codings);
    response.release?.();
    return { ...response, body, release: undefined };
  } catch (error) {
    // The decompressed answer is longer than the limit.
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLong ? tooLarge(place) : damaged(place);
  }
}

async function dispatcherMaker(
  origin: string,
  proxy: URL | undefined,
  connectTimeout: number,
): Promise<() => Dispatcher> {
  // `receive` sets the timeouts, because it sees the progress of an upload.
  const options = { allowH2: false, connectTimeout, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return () => openConnection(origin, options);
  // Not from the main module of undici: that would bring all of it, 300 KB, and take a third longer.
  const [{ default: ProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // The agent makes its tunnel with this method, which only the main module of undici adds to clients.
  const clientFactory = (url: URL, clientOptions: Client.Options) =>
    Object.assign(openConnection(url, clientOptions), { connect });
  return () => new ProxyAgent({ ...options, uri: proxy.href, factory: openConnection, clientFactory });
}

function optionsOf(request: WireRequest, origin: string): Dispatcher.DispatchOptions {
  const { method, path, headers, body } = request;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const inPieces = bytes !== undefined && bytes.length > pieceBytes;
  return {
    origin,
    method,
    path,
    headers: {
      'accept-encoding': 'gzip, br',
      ...headers,
      ...(inPieces ? { 'content-length': String(bytes.length) } : {}),
    },
    body: inPieces ? iterable(piecesOf(bytes)) : bytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

// undici accepts iterables too, but its types do not say so.
const iterable = (pieces: unknown) => pieces as Uint8Array;

function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}
