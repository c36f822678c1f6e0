import type { SocialPictures, SocialSite } from '../social/social-picture.ts';
import { hashOf } from './content-hash.ts';
import type { KeptPage } from './page-memory.ts';

type WrittenFile = KeptPage['files'][number];

/** Writes the pictures that other services show with links to pages, one for each title. */
export class SocialFiles {
  readonly #site: SocialSite | undefined;
  readonly #write: (path: string, bytes: Uint8Array) => WrittenFile;
  readonly #files = new Map<string, WrittenFile | undefined>();
  #pictures: SocialPictures | undefined;

  /** @param site if undefined, pages have no pictures */
  constructor(site: SocialSite | undefined, write: (path: string, bytes: Uint8Array) => WrittenFile) {
    this.#site = site;
    this.#write = write;
  }

  /** The picture of a title, or else that of the site, if the font lacks letters of the title. */
  async fileOf(title: string): Promise<WrittenFile | undefined> {
    if (!this.#site) return undefined;
    const { SocialPictures: Pictures } = await import('../social/social-picture.ts');
    this.#pictures ??= new Pictures(this.#site);
    return this.#fileOf(title) ?? this.#fileOf(this.#site.title);
  }

  #fileOf(title: string): WrittenFile | undefined {
    if (this.#files.has(title)) return this.#files.get(title);
    const bytes = this.#pictures?.draw(title);
    const file = bytes && this.#write(`assets/social/${hashOf(bytes)}.png`, bytes);
    this.#files.set(title, file);
    return file;
  }
}
