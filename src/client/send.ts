import { type Address, addressOf } from './address.ts';
import { HttpError } from './errors/http-error.ts';
import { type Exchange, observed, redactedError } from './exchange.ts';
import { createBudget, paced } from './budget/budget.ts';
import type { BudgetOptions } from './budget/shared-budget.ts';
import { type Clock, type Wait, createRetry, systemClock } from './retry.ts';
import { createRedactor } from './secrets.ts';
import { answeredError } from './stream/answer.ts';
import { EngineError } from '../shared/engine-error.ts';
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
  /** Refuses every request that could change something. */
  readOnly?: boolean;
  /** Where the processes that share a limit of requests keep what they know about it. */
  budget?: BudgetOptions;
  clock?: Clock;
}

/** Sends requests with retries and redirects. */
export function createSender(options: ClientOptions) {
  const { url, token = '', userAgent, signal, timeoutMs = 30_000, connectTimeoutMs = 10_000, retries = 3 } = options;
  const { transport: ownTransport, onExchange, onWait, clock = systemClock } = options;
  const address = ownTransport ? { origin: url, prefix: '' } : addressOf(url);
  const redactor = createRedactor([token]);
  const retry = createRetry({ retries, timeoutMs, address: address.origin + address.prefix, onWait, clock });
  const budget = options.budget && createBudget(options.budget, clock);
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
    if (options.readOnly && !reads.has(request.method)) throw new ReadOnly(request);
    try {
      const transport = await (opened ??= open());
      const plain = paced((wire) => transport.send(wire), budget, clock);
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

const reads = new Set(['GET', 'HEAD']);

/** A change that a client for reading refuses to send. */
class ReadOnly extends EngineError {
  constructor({ method, path }: WireRequest) {
    super('refused', `Nothing may be changed here: ${method} ${path} was not sent.`);
  }
}

const redirects = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 5;

/** Follows redirects of GET and HEAD within the origin only, because the token is for that origin. */
async function follow(
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
