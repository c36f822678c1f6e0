import { crc32, deflateSync } from 'node:zlib';
import { faceData } from '../../content/fonts/typefaces.ts';
import { openFont } from '../../content/fonts/open-font.ts';
import { mix, parseColor, readable, type Rgb, white } from '../colors.ts';
import { type Bitmap, Letters } from './letters.ts';

/* The picture that other services show with a link to a page. They expect this size. */
const width = 1200;
const height = 630;
const margin = 90;
const barWidth = 24;
const titleSizes = [84, 68, 54];
const maxLines = 4;
const ink: Rgb = [0.07, 0.08, 0.1];
/** The shades of each of two colors on white. Pixels are numbers of a palette, which is small and fast to compress. */
const shades = 8;

export interface SocialSite {
  title: string;
  /** `#346ddb`. */
  color: string;
}

/** Draws the titles of pages in the colors of a site. */
export class SocialPictures {
  readonly #site: SocialSite;
  readonly #head: Buffer;
  readonly #sizes: Letters[];
  readonly #small: Letters;

  constructor(site: SocialSite) {
    this.#site = site;
    this.#head = headOf(parseColor(site.color));
    const { font } = openFont(faceData('bold'));
    this.#sizes = titleSizes.map((size) => new Letters(font, size));
    this.#small = new Letters(font, 40);
  }

  /** A PNG; undefined if the built-in font lacks a letter of the title. */
  draw(title: string): Buffer | undefined {
    const pixels = new Uint8Array(width * height);
    for (let y = 0; y < height; y += 1) pixels.fill(shades * 2 - 1, y * width, y * width + barWidth);
    const set = this.#linesOf(title);
    if (!set) return undefined;
    const { letters, lines } = set;
    const step = Math.round(letters.size * 1.2);
    const top = Math.round((height - lines.length * step) / 2);
    for (const [index, line] of lines.entries()) {
      letters.place(line, margin, top + index * step + Math.round(letters.size * 0.95), paint(pixels, 0));
    }
    const site = this.#site.title;
    const siteWidth = this.#small.widthOf(site);
    if (title !== site && siteWidth !== undefined && siteWidth < width - margin * 2) {
      this.#small.place(site, margin, 110, paint(pixels, shades));
    }
    return Buffer.concat([this.#head, chunk('IDAT', deflateSync(packed(pixels), { level: 2 })), chunk('IEND')]);
  }

  /** The title in lines, in the largest size in which it fits. The smallest size has no room for all titles. */
  #linesOf(title: string): { letters: Letters; lines: string[] } | undefined {
    // Lines of other directions would need more than a font.
    if (/[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(title)) return undefined;
    for (const letters of this.#sizes) {
      const lines = wrapped(title.trim().split(/\s+/), letters);
      if (!lines || lines.length === 0) continue;
      if (lines.length <= maxLines) return { letters, lines };
      if (letters === this.#sizes.at(-1)) {
        return { letters, lines: [...lines.slice(0, maxLines - 1), `${lines[maxLines - 1]} …`] };
      }
    }
    return undefined;
  }
}

/** Undefined if a letter is missing or a word does not fit. */
function wrapped(words: readonly string[], letters: Letters): string[] | undefined {
  const room = width - margin * 2;
  const space = letters.widthOf(' ') ?? 0;
  const lines: { text: string; width: number }[] = [];
  for (const word of words) {
    const wordWidth = letters.widthOf(word);
    if (wordWidth === undefined || wordWidth > room) return undefined;
    const line = lines.at(-1);
    if (line && line.width + space + wordWidth <= room) {
      line.text += ` ${word}`;
      line.width += space + wordWidth;
    } else lines.push({ text: word, width: wordWidth });
  }
  return lines.map(({ text }) => text);
}

/** @param first the number of white in the palette */
const paint = (pixels: Uint8Array, first: number) => (bitmap: Bitmap, left: number, top: number) => {
  for (let row = 0; row < bitmap.height; row += 1) {
    for (let column = 0; column < bitmap.width; column += 1) {
      const [x, y] = [left + column, top + row];
      const shade = Math.round((bitmap.coverage[row * bitmap.width + column] ?? 0) * (shades - 1));
      if (shade <= 0 || x < 0 || x >= width || y < 0 || y >= height) continue;
      pixels[y * width + x] = Math.max(pixels[y * width + x] ?? 0, first + Math.min(shade, shades - 1));
    }
  }
};

/** Rows of a PNG with 4 bits for each pixel, without a filter. */
function packed(pixels: Uint8Array): Uint8Array {
  const rowLength = 1 + width / 2;
  const rows = new Uint8Array(rowLength * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 2) {
      const at = y * width + x;
      rows[y * rowLength + 1 + x / 2] = (pixels[at]! << 4) | pixels[at + 1]!;
    }
  }
  return rows;
}

function headOf(color: Rgb): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([4, 3], 8);
  const shadesOf = (dark: Rgb) =>
    Array.from({ length: shades }, (_, index) =>
      mix(dark, white, index / (shades - 1)).map((part) => Math.round(part * 255)),
    );
  const palette = [...shadesOf(ink), ...shadesOf(readable(color, [white], 3))].flat();
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('PLTE', Uint8Array.from(palette)),
  ]);
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const content = Buffer.concat([Buffer.from(type), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
}
