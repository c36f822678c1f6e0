import { addressOf } from './address.ts';
import { type Exchange, observed, redactedError } from './exchange.ts';
import { follow } from './redirect.ts';
import { type Clock, createRetry, systemClock, type Wait } from './retry.ts';
import { createRedactor } from './secrets.ts';
import { answeredError } from './stream/answer.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

export interface ClientOptions {
  /** Base address: everything before `/v1`. With a `transport`, only a name for messages. */
  url: string;
  /** Sent to this address only. */
  token?: string;
  userAgent: string;
  /** Ends all requests that are in progress. */
  signal?: AbortSignal;
  /** How long the service may send nothing; default 30 s. */
  timeoutMs?: number;
  /** Default 10 s. */
  connectTimeoutMs?: number;
  /** Attempts after the first; default 3. */
  retries?: number;
  /** Called before each wait for another attempt. */
  onWait?(wait: Wait): void;
  /** Called after each attempt. */
  onExchange?(exchange: Exchange): void;
  /** Used instead of HTTP, for an instance in this process. Closed with the client. */
  transport?: Transport;
  clock?: Clock;
}

/** Sends requests with retries and redirects. */
export function createSender(options: ClientOptions) {
  const { url, token = '', userAgent, signal, timeoutMs = 30_000, connectTimeoutMs = 10_000, retries = 3 } = options;
  const { transport: ownTransport, onExchange, onWait, clock = systemClock } = options;
  const address = ownTransport ? { origin: url, prefix: '' } : addressOf(url);
  const redactor = createRedactor([token]);
  const retry = createRetry({ retries, timeoutMs, address: address.origin + address.prefix, onWait, clock });
  let opened: Promise<Transport> | undefined;

  async function open(): Promise<Transport> {
    if (ownTransport) return ownTransport;
    const { httpTransport } = await import('./http.ts');
    return httpTransport({ address, timeoutMs, connectTimeoutMs });
  }

  /** Adds the parts that all requests have. */
  const complete = (request: WireRequest): WireRequest => ({
    ...request,
    path: address.prefix + request.path,
    headers: {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...request.headers,
    },
    signal: request.signal ?? signal,
  });

  /** @throws ClientError for every answer that is not a success; its texts are redacted */
  async function send(request: WireRequest, hide = redactor): Promise<WireResponse> {
    try {
      const transport = await (opened ??= open());
      const plain = (wire: WireRequest) => transport.send(wire);
      const attempt = onExchange
        ? observed(plain, onExchange, { origin: address.origin, redactor: hide, clock })
        : plain;
      const response = await retry(complete(request), (wire) =>
        ownTransport ? attempt(wire) : follow(wire, attempt, address),
      );
      if (response.status < 200 || response.status > 299) throw answeredError(response, hide, clock.now());
      return response;
    } catch (error) {
      throw redactedError(error, hide);
    }
  }

  async function close() {
    // A transport that could not be opened needs no closing.
    const transport = opened ? await opened.catch(() => undefined) : ownTransport;
    await transport?.close();
  }

  return { send, close, redactor, address };
}
