import { imageSize } from 'image-size';
import type { ReadyImage } from './blocks.ts';
import type { Findings } from './findings.ts';

/** Pixels are unpacked in memory; a picture with more is an attack or a poster. */
const maxPixels = 40_000_000;

/** The pictures of a document, each written once. */
export class Pictures {
  readonly #document: PDFKit.PDFDocument;
  readonly #read: (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;
  readonly #findings: Findings;
  readonly #ready = new Map<string, ReadyImage | undefined>();

  constructor(
    document: PDFKit.PDFDocument,
    read: (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>,
    findings: Findings,
  ) {
    this.#document = document;
    this.#read = read;
    this.#findings = findings;
  }

  /** @returns undefined for a picture that cannot be drawn */
  async get(name: string): Promise<ReadyImage | undefined> {
    if (this.#ready.has(name)) return this.#ready.get(name);
    const bytes = await this.#read(name);
    const image = bytes && this.#open(bytes);
    this.#ready.set(name, image);
    return image;
  }

  #open(bytes: Uint8Array): ReadyImage | undefined {
    try {
      const { width, height, type } = imageSize(bytes);
      if ((type !== 'png' && type !== 'jpg') || width * height > maxPixels) {
        this.#findings.picture(type === undefined ? 'unknown' : type);
        return undefined;
      }
      return { image: this.#document.openImage(Buffer.from(bytes)), width, height };
    } catch {
      this.#findings.picture('damaged');
      return undefined;
    }
  }
}
