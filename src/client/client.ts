import {
  pathWith,
  type AnswerOf,
  type BodyInput,
  type Endpoint,
  type ItemOf,
  type ParamsOf,
  type QueryInput,
} from '../contract/endpoint.ts';
import { encodeQuery } from '../contract/fields.ts';
import { addressOf, pathOf } from './address.ts';
import { answeredError, jsonOf, parseAnswer, textOf } from './answer.ts';
import { systemClock, type Clock } from './clock.ts';
import { UnusableToken } from './errors/unusable-token.ts';
import { redacted, watched, type Exchange } from './exchange.ts';
import { walk, type Page, type PageOptions } from './pages.ts';
import { follow } from './redirect.ts';
import { createRetry, type Wait } from './retry.ts';
import { createRedactor } from './secrets.ts';
import type { Transport, WireRequest, WireResponse } from './transport.ts';

export interface ClientOptions {
  /** Base address, everything before `/v1`; with a transport of its own, only a name for messages. */
  url: string;
  /** Sent to that address and nowhere else. */
  token?: string;
  userAgent: string;
  /** How long silence may last; 30 s. */
  timeoutMs?: number;
  /** 10 s. */
  connectTimeoutMs?: number;
  /** Attempts beyond the first; 3. */
  retries?: number;
  /** Told before each wait for another attempt. */
  onWait?(wait: Wait): void;
  onExchange?(exchange: Exchange): void;
  /** Stands in for HTTP, as for the instance in the same process. Closed with the client. */
  transport?: Transport;
  /** Ends everything that is under way. */
  signal?: AbortSignal;
  clock?: Clock;
}

// An endpoint known only at run time tells nothing about its types.
type Answer<E> = Endpoint extends E ? unknown : AnswerOf<E>;
type Item<E> = Endpoint extends E ? unknown : ItemOf<E>;

export type CallInput<E> = ([keyof ParamsOf<E>] extends [never]
  ? { params?: ParamsOf<E> }
  : { params: ParamsOf<E> }) & {
  query?: QueryInput<E>;
  body?: BodyInput<E>;
};
export type ListInput<E> = Omit<CallInput<E>, 'body'>;

export interface RawInput {
  /** Text and bytes go out as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, unknown>;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** The parsed JSON; undefined if it is none. */
  body: unknown;
  text: string;
  bytes: Uint8Array;
}

export interface Client {
  /** The answer as the service gave it; undefined where the endpoint has none. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<E>>;
  /** Any request, to a path below the base address or a whole address there. */
  request(method: string, path: string, input?: RawInput): Promise<RawAnswer>;
  /** A list page by page, with one page of look-ahead. */
  pages<E extends Endpoint>(
    endpoint: E,
    input: ListInput<E>,
    options?: PageOptions,
  ): AsyncIterable<Page<Item<E>, Answer<E>>>;
  items<E extends Endpoint>(endpoint: E, input: ListInput<E>, options?: PageOptions): AsyncIterable<Item<E>>;
  /** Closes connections; what is under way fails. */
  close(): Promise<void>;
}

/** A client of the service at an address. Nothing is loaded or connected before the first request. */
export function createClient(options: ClientOptions): Client {
  const { token = '', userAgent, timeoutMs = 30_000, connectTimeoutMs = 10_000, retries = 3 } = options;
  const { signal, onExchange, clock = systemClock } = options;
  checkToken(token);
  const address = options.transport ? undefined : addressOf(options.url);
  const { origin, prefix } = address ?? { origin: options.url, prefix: '' };
  const redactor = createRedactor([token]);
  const retry = createRetry({ retries, timeoutMs, address: origin + prefix, onWait: options.onWait, clock });
  let opened: Promise<Transport> | undefined;

  async function open(): Promise<Transport> {
    if (address === undefined) return options.transport!;
    const { httpTransport } = await import('./http.ts');
    return httpTransport({ address, timeoutMs, connectTimeoutMs });
  }

  async function send(request: WireRequest, hide = redactor): Promise<WireResponse> {
    try {
      const transport = await (opened ??= open());
      const plain = (wire: WireRequest) => transport.send(wire);
      const attempt = onExchange ? watched(plain, onExchange, { origin, redactor: hide, clock }) : plain;
      const response = await retry(request, (wire) => (address ? follow(wire, attempt, address) : attempt(wire)));
      if (response.status < 200 || response.status > 299) throw answeredError(response, hide, clock.now());
      return response;
    } catch (error) {
      throw redacted(error, hide);
    }
  }

  function headersOf(body: unknown, given?: Record<string, string>): Record<string, string> {
    return {
      accept: 'application/json',
      'user-agent': userAgent,
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...given,
    };
  }

  function wireOf(endpoint: Endpoint, { params, query, body }: LooseInput, stop = signal): WireRequest {
    const { method } = endpoint;
    return {
      method,
      path: prefix + pathWith(endpoint.path, params ?? {}) + (query ? encodeQuery(query) : ''),
      headers: headersOf(body),
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: stop,
      repeatable: method === 'GET' || method === 'DELETE' || endpoint.repeatable === true,
    };
  }

  async function call(endpoint: Endpoint, input: LooseInput): Promise<unknown> {
    const { body, release } = await send(wireOf(endpoint, input));
    const answer = endpoint.answer && parseAnswer(body, nameOf(endpoint));
    release?.();
    return answer;
  }

  async function request(method: string, path: string, { body, headers, query }: RawInput = {}): Promise<RawAnswer> {
    const own = lowerCased(headers ?? {});
    const response = await send(
      {
        method,
        path: withQuery(prefix + pathOf(path, { origin, prefix }), query),
        headers: headersOf(body, own),
        body:
          typeof body === 'string' || body instanceof Uint8Array || body === undefined ? body : JSON.stringify(body),
        signal,
        repeatable: ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method),
      },
      own.authorization === undefined ? redactor : createRedactor([token, own.authorization.split(' ').at(-1)!]),
    );
    const text = textOf(response.body);
    return { status: response.status, headers: response.headers, body: jsonOf(text), text, bytes: response.body };
  }

  function pages(endpoint: Endpoint, input: LooseInput, pageOptions?: PageOptions) {
    return walk(
      nameOf(endpoint),
      async (paging, stopped) => {
        const stop = signal ? AbortSignal.any([signal, stopped]) : stopped;
        const query = { ...input.query, ...paging };
        return send(wireOf(endpoint, { params: input.params, query }, stop));
      },
      pageOptions,
    );
  }

  async function* items(endpoint: Endpoint, input: LooseInput, pageOptions?: PageOptions) {
    for await (const page of pages(endpoint, input, pageOptions)) yield* page.items;
  }

  async function close() {
    // What could not be opened needs no closing.
    const transport = opened ? await opened.catch(() => undefined) : options.transport;
    await transport?.close();
  }

  return { call, request, pages, items, close } as Client;
}

/** Input without its types, which are settled where the client is used. */
interface LooseInput {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function withQuery(path: string, query: Record<string, unknown> = {}): string {
  const added = encodeQuery(query);
  return path.includes('?') ? path + added.replace('?', '&') : path + added;
}

// A line break in a header would begin another header; undici refuses it with the value in its message.
function checkToken(token: string) {
  if (/[^\x21-\x7e]/.test(token)) {
    throw new UnusableToken(
      'The token holds characters that no token has, such as a space or a line break.',
      'Copy it again, whole and without anything around it.',
    );
  }
}

export { expectField } from './answer.ts';
