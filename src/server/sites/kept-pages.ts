import { DomainError } from '../engine/errors.ts';
import type { InstanceResponse } from '../engine/request.ts';

const maxBytes = 64 * 1024 * 1024;

interface KeptPage {
  answer: Promise<InstanceResponse>;
  /** 0 while it is made. */
  bytes: number;
}

/**
 * Published pages as they were rendered, the latest requested. A key says all that a page is made of, so that nothing
 * has to be taken back; a page that takes too much to render is kept too, or every reader would pay for it.
 */
export class KeptPages {
  readonly #pages = new Map<string, KeptPage>();
  #bytes = 0;

  find(key: string): Promise<InstanceResponse> | undefined {
    const page = this.#pages.get(key);
    if (!page) return undefined;
    // Goes to the end: the first is the one requested longest ago.
    this.#pages.delete(key);
    this.#pages.set(key, page);
    return page.answer;
  }

  /** The kept page, or the one that `make` makes; those who ask meanwhile wait for the same. */
  get(key: string, make: () => Promise<InstanceResponse>): Promise<InstanceResponse> {
    const answer = this.find(key);
    if (answer) return answer;
    const page: KeptPage = { answer: make(), bytes: 0 };
    this.#pages.set(key, page);
    page.answer.then(
      ({ body }) => this.#weigh(page, key.length + body.length),
      (error: unknown) => {
        if (error instanceof DomainError && error.reason === 'too-complex') this.#weigh(page, key.length);
        else this.#pages.delete(key);
      },
    );
    return page.answer;
  }

  #weigh(page: KeptPage, characters: number): void {
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
