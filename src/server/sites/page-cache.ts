import { DomainError } from '../engine/errors.ts';
import type { InstanceResponse } from '../engine/request.ts';

const maxBytes = 64 * 1024 * 1024;

interface CachedPage {
  answer: Promise<InstanceResponse>;
  /** 0 while it is rendered. */
  bytes: number;
}

/**
 * A cache of rendered pages of published sites; the least recently used go first. A key contains all that a page is made
 * of, so nothing has to be invalidated. Pages that are too complex to render are cached too: not every reader should
 * wait for the same error.
 */
export class PageCache {
  readonly #pages = new Map<string, CachedPage>();
  #bytes = 0;

  find(key: string): Promise<InstanceResponse> | undefined {
    const page = this.#pages.get(key);
    if (!page) return undefined;
    // Moves to the end: the first one is the least recently used.
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page.answer;
  }

  /** The cached page, or the one that `make` makes. Requests at the same time wait for the same page. */
  get(key: string, make: () => Promise<InstanceResponse>): Promise<InstanceResponse> {
    const answer = this.find(key);
    if (answer) return answer;
    const page: CachedPage = { answer: make(), bytes: 0 };
    this.#pages.set(key, page);
    page.answer.then(
      ({ body }) => this.#setSize(page, key.length + body.length),
      (error: unknown) => {
        if (error instanceof DomainError && error.reason === 'too-complex') this.#setSize(page, key.length);
        else this.#pages.delete(key);
      },
    );
    return page.answer;
  }

  #setSize(page: CachedPage, characters: number): void {
    page.bytes = characters * 2 + 500;
    this.#bytes += page.bytes;
    for (const [key, { bytes }] of this.#pages) {
      if (this.#bytes <= maxBytes) return;
      if (bytes === 0) continue;
      this.#pages.delete(key);
      this.#bytes -= bytes;
    }
  }
}
