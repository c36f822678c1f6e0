import { maxLimit } from '../contract/endpoint.ts';
import { isObject } from '../shared/is-object.ts';
import { missing, parseAnswer, type Json } from './stream/answer.ts';
import { scanEnvelope } from './stream/envelope.ts';
import { UnexpectedResponse } from './errors/unexpected-response.ts';
import type { WireResponse } from './transport.ts';

export interface PageOptions {
  /** Items asked for at a time; as many as the service gives (1000) by default. */
  pageSize?: number;
  /** Items in all; without it, all of them. */
  limit?: number;
  /** Token of the page to begin with. */
  page?: string;
  /** The items are only passed through: their bytes are cut out of the answer, and parsed if `items` is read. */
  raw?: boolean;
}

export interface Page<Item, Answer = unknown> {
  readonly items: Item[];
  /** Number of items, which costs nothing to read. */
  readonly size: number;
  /** How many items the whole list has, if the service tells. */
  readonly count?: number;
  /** Token of the next page, if there is one and no item of this page was cut off. */
  readonly next?: string;
  /**
   * With `raw`: the items as the service sent them, separated by commas, without the brackets around them. The bytes
   * are good until the next page is asked for, whose answer may come to lie in the same memory.
   */
  readonly raw?: Uint8Array;
  /** The answer as a whole, with whatever stands beside the items. */
  readonly answer: Answer;
}

export type FetchPage = (query: { page?: string; limit: number }, signal: AbortSignal) => Promise<WireResponse>;

/** A page, and what to do when the next one is asked for. */
interface Leaf {
  page: Page<unknown>;
  turn?: () => void;
}

/**
 * Follows a list from page to page, asking for the next page when it hands one out. All tokens are remembered, so that
 * a list which leads back into itself ends with an error. Leaving early cancels what was asked for.
 */
export async function* walk(
  endpoint: string,
  fetchPage: FetchPage,
  { pageSize = maxLimit, limit = Infinity, page: first, raw = false }: PageOptions = {},
): AsyncGenerator<Page<unknown>, void, undefined> {
  const stopped = new AbortController();
  // No token stands for the first page: an empty one would lead back there.
  const seen = new Set(['']);
  const read = raw ? rawLeaf : parsedLeaf;
  let left = limit;

  async function get(token: string | undefined): Promise<Leaf> {
    if (token !== undefined) {
      if (seen.has(token)) throw repeated(endpoint);
      seen.add(token);
    }
    const response = await fetchPage({ page: token, limit: Math.min(pageSize, left) }, stopped.signal);
    return read(response, endpoint, left);
  }

  try {
    let coming = left > 0 ? get(first) : undefined;
    while (coming) {
      const { page, turn }: Leaf = await coming;
      left -= page.size;
      coming = page.next !== undefined && left > 0 ? get(page.next) : undefined;
      // Its failure is told when its turn comes; until then, or if that never happens, it must not end the process.
      coming?.catch(() => {});
      yield page;
      turn?.();
    }
  } finally {
    stopped.abort();
  }
}

function parsedLeaf(response: WireResponse, endpoint: string, most: number): Leaf {
  const page = parsedPage(response.body, endpoint, most);
  response.release?.();
  return { page };
}

function parsedPage(bytes: Uint8Array, endpoint: string, most: number): Page<unknown> {
  const answer = parseAnswer(bytes, endpoint);
  if (!Array.isArray(answer.items)) throw missing('items', endpoint);
  const whole = answer.items.length <= most;
  const items: unknown[] = whole ? answer.items : answer.items.slice(0, most);
  return {
    items,
    size: items.length,
    count: typeof answer.count === 'number' ? answer.count : undefined,
    next: whole ? nextOf(answer, endpoint) : undefined,
    answer,
  };
}

function rawLeaf(response: WireResponse, endpoint: string, most: number): Leaf {
  const envelope = scanEnvelope(response.body, most);
  if (envelope === undefined) {
    const page = parsedPage(response.body, endpoint, most);
    return { page: { ...page, raw: Buffer.from(JSON.stringify(page.items).slice(1, -1)) } };
  }
  const { start, end, size, whole } = envelope.items;
  let bytes: Uint8Array | undefined = response.body;
  let parsed: Page<unknown> | undefined;
  function held(): Uint8Array {
    if (bytes === undefined) throw new Error('A raw page can be read until the next one is asked for.');
    return bytes;
  }
  const parse = () => (parsed ??= parsedPage(held(), endpoint, most));
  return {
    page: {
      size,
      count: envelope.count,
      next: whole ? envelope.next : undefined,
      get raw() {
        return held().subarray(start, end);
      },
      get items() {
        return parse().items;
      },
      get answer() {
        return parse().answer;
      },
    },
    turn() {
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
  return new UnexpectedResponse(`${endpoint} gave the same page token twice: the list would never end.`, {
    endpoint,
    field: 'next.page',
    hint: 'What came so far is not the whole list. Tell those who run the service.',
  });
}
