import { ownPath } from '../own-files.ts';

/** Where the bytes of pictures come from. */
interface PictureSource {
  /** The origins of the files of the content. */
  readonly origins: ReadonlySet<string>;
  bytesAt(url: string): Promise<Uint8Array>;
}

/** The logos and icons of the customization. */
export class Pictures {
  readonly #files: PictureSource;
  readonly #service: string;
  readonly #urls: string[] = [];
  readonly #refused = new Set<string>();

  constructor(files: PictureSource, service: string) {
    this.#files = files;
    this.#service = service;
  }

  /** Only pictures of the service are fetched, so that editors of a site cannot choose what this machine requests. */
  addressOf(url: string): string | undefined {
    const origin = URL.canParse(url) ? new URL(url).origin : '';
    if (origin !== this.#service && !this.#files.origins.has(origin)) {
      this.#refused.add(url);
      return undefined;
    }
    if (!this.#urls.includes(url)) this.#urls.push(url);
    const name = new URL(url).pathname.split('/').at(-1) || 'picture';
    return `${ownPath}pictures/${this.#urls.indexOf(url)}/${name}`;
  }

  async bytes(index: number): Promise<Uint8Array | undefined> {
    const url = this.#urls[index];
    return url === undefined ? undefined : this.#files.bytesAt(url);
  }

  get warnings(): string[] {
    const { size } = this.#refused;
    if (size === 0) return [];
    const [pictures, were] = size === 1 ? ['picture', 'was'] : ['pictures', 'were'];
    return [
      `${size} ${pictures} of the customization on other hosts ${were} skipped: ${[...this.#refused].join(', ')}`,
    ];
  }
}
