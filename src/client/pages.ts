import { maxLimit } from '../contract/endpoint.ts';
import { isObject } from '../shared/is-object.ts';
import { missing, parseAnswer, type Json } from './stream/answer.ts';
import { scanEnvelope } from './stream/envelope.ts';
import { UnexpectedResponse } from './errors/unexpected-response.ts';
import type { WireResponse } from './transport.ts';

export interface PageOptions {
  /** Items per request; default and maximum 1000. */
  pageSize?: number;
  /** Items in all; without it, all of them. */
  limit?: number;
  /** Token of the first page. */
  page?: string;
  /** The items are passed through as bytes, and parsed only if `items` is read. */
  raw?: boolean;
}

export interface Page<Item, Answer = unknown> {
  readonly items: Item[];
  /** Number of items; known without parsing them. */
  readonly size: number;
  /** Number of items in the whole list, if the service gives it. */
  readonly count?: number;
  /** Token of the next page, if there is one and no item of this page was cut off. */
  readonly next?: string;
  /**
   * With `raw`: the items as the service sent them, separated by commas, without the brackets around them. The bytes are
   * valid until the next page is requested, whose answer may use the same memory.
   */
  readonly raw?: Uint8Array;
  /** The whole answer, with its other members. */
  readonly answer: Answer;
}

export type FetchPage = (query: { page?: string; limit: number }, signal: AbortSignal) => Promise<WireResponse>;

/** A page, and what to do when the next one is requested. */
interface LoadedPage {
  page: Page<unknown>;
  release?: () => void;
}

/**
 * Follows a list from page to page. The next page is requested when a page is yielded. All tokens are remembered, so that
 * a list whose pages repeat ends with an error. Leaving the loop early cancels the request.
 */
export async function* walk(
  endpoint: string,
  fetchPage: FetchPage,
  { pageSize = maxLimit, limit = Infinity, page: first, raw = false }: PageOptions = {},
): AsyncGenerator<Page<unknown>, void, undefined> {
  const stopped = new AbortController();
  // An empty token would lead back to the first page, which has no token.
  const seen = new Set(['']);
  const read = raw ? rawPage : parsedPage;
  let left = limit;

  async function get(token: string | undefined): Promise<LoadedPage> {
    if (token !== undefined) {
      if (seen.has(token)) throw repeated(endpoint);
      seen.add(token);
    }
    const response = await fetchPage({ page: token, limit: Math.min(pageSize, left) }, stopped.signal);
    return read(response, endpoint, left);
  }

  let coming: Promise<LoadedPage> | undefined;
  try {
    coming = left > 0 ? get(first) : undefined;
    while (coming) {
      const { page, release }: LoadedPage = await coming;
      left -= page.size;
      coming = page.next !== undefined && left > 0 ? get(page.next) : undefined;
      // Its failure is thrown when it is awaited. Until then, an unhandled rejection would end the process.
      coming?.catch(() => {});
      yield page;
      release?.();
    }
  } finally {
    if (coming) stopped.abort();
  }
}

function parsedPage(response: WireResponse, endpoint: string, limit: number): LoadedPage {
  const page = parsePage(response.body, endpoint, limit);
  response.release?.();
  return { page };
}

function parsePage(bytes: Uint8Array, endpoint: string, limit: number): Page<unknown> {
  const answer = parseAnswer(bytes, endpoint);
  if (!Array.isArray(answer.items)) throw missing('items', endpoint);
  const isWhole = answer.items.length <= limit;
  const items: unknown[] = isWhole ? answer.items : answer.items.slice(0, limit);
  return {
    items,
    size: items.length,
    count: typeof answer.count === 'number' ? answer.count : undefined,
    next: isWhole ? nextOf(answer, endpoint) : undefined,
    answer,
  };
}

function rawPage(response: WireResponse, endpoint: string, limit: number): LoadedPage {
  const envelope = scanEnvelope(response.body, limit);
  if (envelope === undefined) {
    const page = parsePage(response.body, endpoint, limit);
    return { page: { ...page, raw: Buffer.from(JSON.stringify(page.items).slice(1, -1)) } };
  }
  const { start, end, size, whole } = envelope.items;
  let bytes: Uint8Array | undefined = response.body;
  let parsed: Page<unknown> | undefined;
  function validBytes(): Uint8Array {
    if (bytes === undefined) throw new Error('A raw page can be read only until the next one is requested.');
    return bytes;
  }
  const parse = () => (parsed ??= parsePage(validBytes(), endpoint, limit));
  return {
    page: {
      size,
      count: envelope.count,
      next: whole ? envelope.next : undefined,
      get raw() {
        return validBytes().subarray(start, end);
      },
      get items() {
        return parse().items;
      },
      get answer() {
        return parse().answer;
      },
    },
    release() {
      bytes = undefined;
      response.release?.();
    },
  };
}

function nextOf({ next }: Json, endpoint: string): string | undefined {
  if (next === undefined || next === null) return undefined;
  const page = isObject(next) ? next.page : undefined;
  if (typeof page !== 'string') throw missing('next.page', endpoint);
  return page;
}

function repeated(endpoint: string): UnexpectedResponse {
  return new UnexpectedResponse(`${endpoint} gave the same page token twice, so the list would never end.`, {
    endpoint,
    field: 'next.page',
    hint: 'The list is incomplete. Report this to the operator of the service.',
  });
}
