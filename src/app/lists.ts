import type { Client, ListInput } from '../client/client.ts';
import type { Endpoint, ItemOf } from '../contract/endpoint.ts';
import { html, type Html } from '../site/html.ts';
import type { Visit } from './visit.ts';

/** Items on one page of a list. */
export const pageSize = 50;

export interface ListPage<Item> {
  items: Item[];
  /** In the whole list. */
  count: number;
  /** The token of the next page. */
  next: string | undefined;
}

/** One page of a list of the API. The token of the page comes from the address. */
export async function readPage<E extends Endpoint>(
  client: Client,
  endpoint: E,
  input: ListInput<E>,
  page: string | null = null,
): Promise<ListPage<ItemOf<E>>> {
  const options = { pageSize, ...(page === null || page === '' ? {} : { page }) };
  for await (const { items, count = 0, next } of client.pages(endpoint, input, options)) {
    return { items: items as ItemOf<E>[], count, next };
  }
  return { items: [], count: 0, next: undefined };
}

/** The number of items of a list. */
export async function countOf<E extends Endpoint>(client: Client, endpoint: E, input: ListInput<E>): Promise<number> {
  const query = { ...input.query, limit: 0 };
  const { count } = (await client.call<Endpoint>(endpoint, { ...input, query } as never)) as { count: number };
  return count;
}

/** Links to the first and the next page of a list. */
export function pager({ query }: Visit, { next }: { next: string | undefined }): Html {
  const page = query.get('page');
  if (next === undefined && page === null) return html``;
  const search = (token: string | undefined) => {
    const changed = new URLSearchParams(query);
    changed.delete('page');
    if (token !== undefined) changed.set('page', token);
    return `?${changed}`;
  };
  return html`<nav class="app-pager" aria-label="Pages of this list">
    ${page !== null && html`<a class="button button-secondary" href="${search(undefined)}">First page</a>`}
    ${next !== undefined && html`<a class="button button-secondary" href="${search(next)}">Next page</a>`}
  </nav>`;
}
