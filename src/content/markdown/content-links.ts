import { LinkIndex, spellingsOf } from './links.ts';

/** What links within a content can lead to: only names, so that a worker can get it. */
export interface LinkedContent {
  /** Those with a slug. */
  pages: { id: string; path: string }[];
  files: { id: string; name: string }[];
}

export type ContentTarget = ReturnType<LinkIndex['resolve']>;

/** Finds what addresses lead to within one content. */
export class ContentLinks {
  readonly #index: LinkIndex;
  /** Files by the last part of their name. */
  readonly #filesByName = new Map<string, string>();

  constructor({ pages, files }: LinkedContent) {
    this.#index = new LinkIndex(pages, files);
    for (const { id, name } of files) {
      const last = lastPart(name);
      if (!this.#filesByName.has(last)) this.#filesByName.set(last, id);
    }
  }

  /** @param url as it is written in the text of `page` */
  resolve(url: string, page: string): ContentTarget {
    const target = this.#index.resolve(url, page);
    if (target.kind !== 'missing') return target;
    // A path of twelve letters looks like an id.
    if (url.startsWith('/pages/')) return this.resolve(url.slice('/pages'.length), page);
    if (url.startsWith('/files/')) return target;
    // Files have names and no folders: a picture is found by its name, whatever folder the text gives.
    for (const address of spellingsOf(url)) {
      const file = this.#filesByName.get(lastPart(address));
      if (file !== undefined) return { kind: 'file', file };
    }
    return target;
  }
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);
