import type { Dispatcher } from 'undici';
import Client from 'undici/lib/dispatcher/client.js';
import type { Address } from './address.ts';
import { decompress, maxAnswerBytes } from './decompress.ts';
import { TimedOut, type Awaited } from './errors/timed-out.ts';
import { closedClient, damaged, failureOf, tooLarge, type Place } from './failures.ts';
import { createMemory } from './memory.ts';
import { proxyFor } from './proxy.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

export interface HttpOptions {
  address: Address;
  /** How long silence may last. */
  timeoutMs: number;
  connectTimeoutMs: number;
}

/** Bodies above this go out in pieces, so that a slow upload is not taken for silence. */
const pieceBytes = 64 * 1024;

/** Speaks HTTP/1.1 with the one origin of `address`. Module and undici are loaded at the first request only. */
export async function httpTransport({ address, timeoutMs, connectTimeoutMs }: HttpOptions): Promise<Transport> {
  const proxy = proxyFor(address.origin);
  const open = await dispatcherMaker(address.origin, proxy, connectTimeoutMs);
  const place = { address: address.origin + address.prefix, proxy };
  // One request at a time on each. undici's Pool opens a second connection for requests that merely follow each other.
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
      received = await exchange(dispatcher, options, { signal: request.signal, limits, place, gather });
    } catch (error) {
      // Whatever is left of it must not disturb another request.
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
  } catch {
    throw damaged(place);
  }
}

async function dispatcherMaker(
  origin: string,
  proxy: URL | undefined,
  connectTimeout: number,
): Promise<() => Dispatcher> {
  // Silence is timed in `exchange`, which knows when an upload moves on.
  const options = { allowH2: false, connectTimeout, headersTimeout: 0, bodyTimeout: 0 };
  if (proxy === undefined) return () => new Client(origin, options);
  const [{ default: ProxyAgent }, { default: base }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/proxy-agent.js'),
    import('undici/lib/dispatcher/dispatcher.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // undici's entry adds this method, which the agent needs for its tunnel, to the class; the parts alone lack it.
  base.prototype.connect ??= connect;
  return () => new ProxyAgent({ ...options, uri: proxy.href, connections: 1 });
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
    body: inPieces ? (piecesOf(bytes) as unknown as Uint8Array) : bytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

function* piecesOf(bytes: Uint8Array) {
  for (let start = 0; start < bytes.length; start += pieceBytes) yield bytes.subarray(start, start + pieceBytes);
}

interface Terms {
  signal: AbortSignal | undefined;
  limits: Record<Awaited, number>;
  place: Place;
  gather: ReturnType<typeof createMemory>;
}

function exchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, terms: Terms): Promise<WireResponse> {
  const { signal, limits, place, gather } = terms;
  return new Promise((resolve, reject) => {
    let awaited: Awaited = 'connection';
    let timer = setTimeout(timeOut, limits.connection);
    let controller: Dispatcher.DispatchController | undefined;
    let settled = false;
    let status = 0;
    let headers: WireResponse['headers'] = {};
    let gathered = gather(0);

    function settle() {
      settled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    }
    function fail(reason: unknown) {
      if (settled) return;
      settle();
      reject(reason);
      controller?.abort(reason as Error);
    }
    function abort() {
      fail(signal!.reason);
    }
    function timeOut() {
      fail(new TimedOut(awaited, limits[awaited], place.address));
    }
    function expect(next: Awaited) {
      awaited = next;
      clearTimeout(timer);
      timer = setTimeout(timeOut, limits[next]);
    }

    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort);

    dispatcher.dispatch(options, {
      onRequestStart(given) {
        controller = given;
        expect('answer');
      },
      onBodySent() {
        if (!settled) timer.refresh();
      },
      onResponseStart(_, statusCode, received) {
        if (settled || statusCode < 200) return;
        status = statusCode;
        headers = flattened(received);
        gathered = gather(Number(headers['content-length'] ?? 0) || 0);
        expect('rest');
      },
      onResponseData(_, chunk) {
        if (settled) return;
        timer.refresh();
        gathered.add(chunk);
        if (gathered.size > maxAnswerBytes) fail(tooLarge(place));
      },
      onResponseEnd() {
        if (settled) return;
        settle();
        resolve({ status, headers, ...gathered.end() });
      },
      onResponseError(_, error) {
        fail(failureOf(error, awaited, limits, place));
      },
    });
  });
}

function flattened(headers: Record<string, string | string[] | undefined>): WireResponse['headers'] {
  const flat: WireResponse['headers'] = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
