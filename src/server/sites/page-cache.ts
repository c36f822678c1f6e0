import { LruCache } from '../../shared/lru-cache.ts';
import { DomainError } from '../engine/errors.ts';
import type { InstanceResponse } from '../engine/request.ts';

const maxBytes = 64 * 1024 * 1024;

interface CachedPage {
  answer: Promise<InstanceResponse>;
  /** 0 while it is rendered. */
  bytes: number;
}

/**
 * A cache of rendered pages of published sites. A key contains everything that the page depends on, so entries never
 * become stale. Pages that are too complex to render are cached too, so that only the first reader waits for the error.
 */
export class PageCache {
  readonly #pages = new LruCache<CachedPage>(maxBytes, ({ bytes }) => bytes);

  /** Returns the cached page, or calls `make`. Concurrent requests wait for the same page. */
  get(key: string, make: () => Promise<InstanceResponse>): Promise<InstanceResponse> {
    const cached = this.#pages.get(key);
    if (cached) return cached.answer;
    const page: CachedPage = { answer: make(), bytes: 0 };
    this.#pages.set(key, page);
    const keep = (characters: number) => this.#pages.set(key, { ...page, bytes: characters * 2 + 500 });
    page.answer.then(
      ({ body }) => keep(key.length + body.length),
      (error: unknown) => {
        if (error instanceof DomainError && error.reason === 'too-complex') keep(key.length);
        else this.#pages.delete(key);
      },
    );
    return page.answer;
  }
}
