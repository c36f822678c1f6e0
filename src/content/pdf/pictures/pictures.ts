import { setTimeout } from 'node:timers/promises';
import { imageSize } from 'image-size';
import { isSound } from './sound-png.ts';
import type { ReadyImage } from './ready-image.ts';
import type { Findings } from '../findings.ts';
import type { Fonts } from '../text/fonts.ts';

/** Pixels are unpacked in memory. An image with more of them is an attack or a poster. */
const maxPixels = 40_000_000;

type ReadPicture = (name: string) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** A CSS pixel in points. */
const pixel = 0.75;

/** The images of a document. Bitmaps are written once. */
export class Pictures {
  readonly #document: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #read: ReadPicture;
  readonly #findings: Findings;
  readonly #ready = new Map<string, ReadyImage | undefined>();

  constructor(document: PDFKit.PDFDocument, fonts: Fonts, read: ReadPicture, findings: Findings) {
    this.#document = document;
    this.#fonts = fonts;
    this.#read = read;
    this.#findings = findings;
  }

  /** @returns undefined if the image cannot be drawn */
  async get(name: string): Promise<ReadyImage | undefined> {
    if (this.#ready.has(name)) return this.#ready.get(name);
    const bytes = await this.#read(name);
    const image = bytes && (await this.#open(bytes));
    this.#ready.set(name, image);
    return image;
  }

  async #open(bytes: Uint8Array): Promise<ReadyImage | undefined> {
    let type: string | undefined;
    try {
      const size = imageSize(bytes);
      type = size.type ?? 'unknown';
      const draw = size.width * size.height > maxPixels ? undefined : await this.#decode(bytes, { ...size, type });
      if (!draw) this.#findings.picture(type);
      return draw && { draw, width: size.width * pixel, height: size.height * pixel };
    } catch {
      this.#findings.picture(type === undefined || type === 'png' || type === 'jpg' ? 'damaged' : `damaged ${type}`);
      return undefined;
    }
  }

  async #decode(
    bytes: Uint8Array,
    { type, width, height }: { type: string; width: number; height: number },
  ): Promise<ReadyImage['draw'] | undefined> {
    switch (type) {
      case 'png':
        if (!isSound(bytes)) throw new Error('damaged');
        return this.#pixels(bytes);
      case 'jpg':
        return this.#pixels(bytes);
      case 'gif':
      case 'webp': {
        const { pngOf } = await import('./pixels.ts');
        return this.#pixels(await pngOf(bytes, type));
      }
      case 'svg': {
        const { drawingOf } = await import('./svg.ts');
        return drawingOf(Buffer.from(bytes).toString(), { width, height }, this.#document, this.#fonts);
      }
      default:
        return undefined;
    }
  }

  /** The library unpacks transparent images in the background. Waiting for each limits the memory. */
  async #pixels(bytes: Uint8Array): Promise<ReadyImage['draw']> {
    const image = this.#document.openImage(Buffer.from(bytes));
    image.embed(this.#document);
    while (image.image) await setTimeout(1);
    return (x, y, width, height) => this.#document.image(image, x, y, { width, height });
  }
}
