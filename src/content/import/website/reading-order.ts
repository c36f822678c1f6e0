import type { Crawl, Crawled } from './crawl.ts';

/**
 * The place of each page in the order in which the pages follow each other by their "Next" links, from the first page on.
 * Pages that the chain does not reach have none.
 */
export function readingOrder(crawl: Crawl, first: Crawled): Map<Crawled, number> {
  const order = new Map<Crawled, number>();
  for (let page: Crawled | undefined = first; page && !order.has(page); page = crawl.pageAt(page.relations.next)) {
    order.set(page, order.size);
  }
  return order;
}
