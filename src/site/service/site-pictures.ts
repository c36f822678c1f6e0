import { ownPath } from '../own-files.ts';

/** Where their bytes come from. */
interface PictureSource {
  /** The hosts that files of the content come from. */
  readonly origins: ReadonlySet<string>;
  bytesAt(url: string): Promise<Uint8Array>;
}

/** Pictures of the customization: logos and icons. */
export class Pictures {
  readonly #files: PictureSource;
  readonly #service: string;
  readonly #urls: string[] = [];
  readonly #refused = new Set<string>();

  constructor(files: PictureSource, service: string) {
    this.#files = files;
    this.#service = service;
  }

  /** Only what the service has is fetched: who may edit a site must not choose what this machine asks for. */
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
    const which = size === 1 ? '1 picture of the customization is' : `${size} pictures of the customization are`;
    return [`${which} on another host and left out: ${[...this.#refused].join(', ')}`];
  }
}
