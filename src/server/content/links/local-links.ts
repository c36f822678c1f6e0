import { LinkIndex } from '../../../content/markdown/links.ts';
import { decodeAddress } from '../../../shared/decode.ts';

/** What links within a content can lead to: names only, so that it can be handed to a worker. */
export interface LinkedContent {
  /** Those with a slug. */
  pages: { id: string; path: string }[];
  files: { id: string; name: string }[];
}

/** Finds what addresses lead to within one content. */
export class LocalLinks {
  readonly #index: LinkIndex;
  /** Files by the last part of their name. */
  readonly #names = new Map<string, string>();

  constructor({ pages, files }: LinkedContent) {
    this.#index = new LinkIndex(pages, files);
    for (const { id, name } of files) {
      const last = lastPart(name);
      if (!this.#names.has(last)) this.#names.set(last, id);
    }
  }

  /** @param url as it stands in the text of `page` */
  resolve(url: string, page: string): LocalTarget {
    const found = this.#index.resolve(url, page);
    if (found.kind !== 'missing') return found;
    // An id and a path of twelve letters look alike.
    if (url.startsWith('/pages/')) return this.resolve(url.slice('/pages'.length), page);
    if (url.startsWith('/files/')) return found;
    // Files have names and no folders: a picture is found by its name wherever the text thinks it lies.
    const file = this.#names.get(lastPart(decodeAddress(/^[^?#]*/.exec(url)![0])));
    return file === undefined ? found : { kind: 'file', file };
  }
}

export type LocalTarget = ReturnType<LinkIndex['resolve']>;

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);
