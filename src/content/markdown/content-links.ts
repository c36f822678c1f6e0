import { LinkIndex, spellingsOf } from './links.ts';

/** The possible targets of links: plain data that can be sent to a worker. */
export interface LinkedContent {
  /** Pages with a slug. */
  pages: { id: string; path: string }[];
  files: { id: string; name: string }[];
}

export type ContentTarget = ReturnType<LinkIndex['resolve']>;

/** Resolves addresses to pages and files. */
export class ContentLinks {
  readonly #index: LinkIndex;
  /** Files by the last part of their path. */
  readonly #filesByName = new Map<string, string>();

  constructor({ pages, files }: LinkedContent) {
    this.#index = new LinkIndex(pages, files);
    for (const { id, name } of files) {
      const last = lastPart(name);
      if (!this.#filesByName.has(last)) this.#filesByName.set(last, id);
    }
  }

  /** @param url as written in the text of `page` */
  resolve(url: string, page: string): ContentTarget {
    const target = this.#index.resolve(url, page);
    if (target.kind !== 'missing') return target;
    // A path of twelve letters looks like an ID.
    if (url.startsWith('/pages/')) return this.resolve(url.slice('/pages'.length), page);
    if (url.startsWith('/files/')) return target;
    // Files have no folders, so an image is found by its name, regardless of the folder in the text.
    for (const address of spellingsOf(url)) {
      const file = this.#filesByName.get(lastPart(address));
      if (file !== undefined) return { kind: 'file', file };
    }
    return target;
  }
}

const lastPart = (path: string) => path.slice(path.lastIndexOf('/') + 1);
