import {
  type AnswerOf,
  type BodyInput,
  type Endpoint,
  type ItemOf,
  type ParamsOf,
  pathWith,
  type QueryInput,
} from '../contract/endpoint.ts';
import { encodeQuery } from '../contract/fields.ts';
import { pathOf } from './address.ts';
import { UnusableToken } from './errors/client-error.ts';
import { walk, type Page, type PageOptions } from './pages.ts';
import { createRedactor, secretsIn } from './secrets.ts';
import { type ClientOptions, createSender } from './send.ts';
import { jsonOf } from '../shared/json-of.ts';
import { parseAnswer, textOf } from './stream/answer.ts';
import type { WireRequest } from './transport.ts';

// An endpoint that is known only at run time has no types.
type Answer<E> = Endpoint extends E ? unknown : AnswerOf<E>;
type Item<E> = Endpoint extends E ? unknown : ItemOf<E>;

export type CallInput<E> = ([keyof ParamsOf<E>] extends [never]
  ? { params?: ParamsOf<E> }
  : { params: ParamsOf<E> }) & {
  query?: Endpoint extends E ? Record<string, unknown> : QueryInput<E>;
  body?: Endpoint extends E ? unknown : BodyInput<E>;
  /** How long the service may send nothing, if that differs from the client's limit. */
  timeoutMs?: number;
  headers?: Record<string, string>;
  /** Gets the headers of the response. */
  onHeaders?: (headers: Readonly<Record<string, string>>) => void;
  /** Ends the request instead of the signal of the client. */
  signal?: AbortSignal;
  /** The object that is changed, if the caller has just read it: the journal then need not. It is not sent. */
  current?: object;
  /** Keeps the call out of the journal: it changes something that no user should undo. It is not sent. */
  unrecorded?: boolean;
};
export type ListInput<E> = Omit<
  CallInput<E>,
  'body' | 'timeoutMs' | 'headers' | 'onHeaders' | 'current' | 'unrecorded'
>;

export interface RawInput {
  /** Text and bytes go out as they are, anything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
  query?: Record<string, unknown>;
  /** Hides the token and the secrets of `headers` in the answer, because the whole exchange is shown to a person. */
  forShow?: boolean;
  /** Keeps the request out of the journal, as for calls. */
  unrecorded?: boolean;
}

export interface RawAnswer {
  status: number;
  headers: Record<string, string>;
  /** The parsed JSON; undefined if the text is not JSON. */
  body: unknown;
  text: string;
  bytes: Uint8Array;
}

export interface Client {
  /** The answer of the service, unchanged; undefined if the endpoint has none. */
  call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<Answer<E>>;
  /** Any request, to a path below the base address, or to a full address there. */
  request(method: string, path: string, input?: RawInput): Promise<RawAnswer>;
  /** A list page by page, with one page of look-ahead. */
  pages<E extends Endpoint>(
    endpoint: E,
    input: ListInput<E>,
    options?: PageOptions,
  ): AsyncIterable<Page<Item<E>, Answer<E>>>;
  items<E extends Endpoint>(endpoint: E, input: ListInput<E>, options?: PageOptions): AsyncIterable<Item<E>>;
  /** Closes connections; requests in progress fail. */
  close(): Promise<void>;
}

/** The input of any endpoint. */
type EndpointInput = Pick<WireRequest, 'timeoutMs' | 'signal'> & {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  onHeaders?: (headers: Readonly<Record<string, string>>) => void;
};

/** Creates a client. It connects, and loads undici, when it sends the first request. */
export function createClient(options: ClientOptions): Client {
  const { token = '', signal } = options;
  checkToken(token);
  const { send, close, redactor, address } = createSender({ ...options, token });

  async function call(endpoint: Endpoint, input: EndpointInput): Promise<unknown> {
    const { body, headers, release } = await send(requestTo(endpoint, input));
    input.onHeaders?.(headers);
    const answer = endpoint.answer && parseAnswer(body, nameOf(endpoint));
    release?.();
    return answer;
  }

  async function request(method: string, path: string, input: RawInput = {}): Promise<RawAnswer> {
    const { forShow = false, query = {}, body } = input;
    const headers = lowerCased(input.headers ?? {});
    const secrets = secretsIn(headers);
    const requestRedactor = secrets.length === 0 ? redactor : createRedactor([token, ...secrets]);
    const sent = {
      method,
      path: withQuery(pathOf(path, address), encodeQuery(query)),
      headers,
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
      repeatable: ['GET', 'HEAD', 'OPTIONS', 'DELETE'].includes(method),
    };
    const response = await send(sent, requestRedactor);
    const bytes = forShow ? requestRedactor.bytes(response.body) : response.body;
    const text = textOf(bytes);
    return {
      status: response.status,
      headers: forShow ? requestRedactor.headers(response.headers) : response.headers,
      body: jsonOf(text),
      text,
      bytes,
    };
  }

  function pages(endpoint: Endpoint, input: EndpointInput, pageOptions?: PageOptions) {
    return walk(
      nameOf(endpoint),
      async (paging, stopped) => {
        const query = { ...input.query, ...paging };
        const own = input.signal ?? signal;
        const stop = own ? AbortSignal.any([own, stopped]) : stopped;
        return send({ ...requestTo(endpoint, { params: input.params, query }), signal: stop });
      },
      pageOptions,
    );
  }

  async function* items(endpoint: Endpoint, input: EndpointInput, pageOptions?: PageOptions) {
    for await (const page of pages(endpoint, input, pageOptions)) yield* page.items;
  }

  // The types of inputs and answers follow from the endpoint where the client is used.
  return { call, request, pages, items, close } as Client;
}

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;

function requestTo({ method, path, repeatable }: Endpoint, input: EndpointInput): WireRequest {
  const { params = {}, query = {}, body, headers = {}, timeoutMs, signal } = input;
  return {
    method,
    path: pathWith(path, params) + encodeQuery(query),
    headers,
    body: JSON.stringify(body),
    timeoutMs,
    ...(signal && { signal }),
    repeatable: method === 'GET' || method === 'DELETE' || repeatable === true,
  };
}

const withQuery = (path: string, query: string) => path + (path.includes('?') ? query.replace('?', '&') : query);

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

// A line break in a header would begin another header; the error of undici would contain the token.
function checkToken(token: string) {
  if (/[^\x21-\x7e]/.test(token)) {
    throw new UnusableToken(
      'The token contains an invalid character, such as a space or a line break.',
      'Copy the whole token again, without anything around it.',
    );
  }
}
