import { type Font, type FontCollection, type Glyph, create } from 'fontkit';

/** A font whose glyphs are outlines or images. */
export interface OpenFont {
  font: Font;
  /** Returns the PNG of a glyph. Undefined for a font with outlines. */
  picture?: (glyph: number) => Uint8Array | undefined;
}

/**
 * @param face the font in a collection; by default, the first one
 * @throws Error if the font cannot be drawn
 */
export function openFont(bytes: Buffer, face?: string): OpenFont {
  const opened = create(bytes, face) ?? create(bytes);
  const font = isCollection(opened) ? opened.fonts[0] : opened;
  if (!font) throw new Error('The collection contains no font.');
  const { tables } = font.directory;
  if (tables['CBDT'] && tables['CBLC']) return withBitmaps(font, bytes, tables['CBLC'].offset, tables['CBDT'].offset);
  if (tables['sbix']) return { font, picture: (glyph) => applePicture(font.getGlyph(glyph)) };
  if (!tables['glyf'] && !tables['CFF ']) throw new Error('The font has no supported outlines or images.');
  return { font };
}

const isCollection = (opened: Font | FontCollection): opened is FontCollection => 'fonts' in opened;

/** The size in pixels of images from a font with several sizes. */
const pictureSize = 128;

function applePicture(glyph: Glyph): Uint8Array | undefined {
  const image = glyph.getImageForSize?.(pictureSize);
  return image?.type === 'png ' ? image.data : undefined;
}

function withBitmaps(font: Font, bytes: Buffer, locations: number, data: number): OpenFont {
  const advance = font.hhea.advanceWidthMax;
  // The library creates glyphs only from outlines, which this font lacks.
  font.getGlyph = (id, codePoints = []) => bitmapGlyph(id, codePoints, advance);
  return { font, picture: (glyph) => bitmapOf(bytes, locations, data, glyph) };
}

const empty = { minX: 0, minY: 0, maxX: 0, maxY: 0, width: 0, height: 0 };

function bitmapGlyph(id: number, codePoints: number[], advanceWidth: number): Glyph {
  return {
    id,
    codePoints,
    advanceWidth,
    isMark: false,
    isLigature: codePoints.length > 1,
    name: '',
    bbox: empty,
    cbox: empty,
    get path(): never {
      throw new Error('An image has no outline.');
    },
    render() {},
  };
}

/** Record sizes of the tables CBLC and CBDT (OpenType 1.9). */
const sizeRecord = 48;
const indexRecord = 8;
const indexHead = 8;

/** Lengths of the metrics before an image, by its format. */
const headLengths: Record<number, number> = { 17: 5, 18: 8, 19: 0 };

/**
 * Finds the largest PNG of a glyph in a font with images, such as Noto Color Emoji. The font library reads only the first
 * part of this table.
 *
 * @param bytes the font file
 * @param locations the offset of its table CBLC
 * @param data the offset of its table CBDT
 */
function bitmapOf(bytes: Buffer, locations: number, data: number, glyph: number): Uint8Array | undefined {
  const size = largestSize(bytes, locations);
  if (size === undefined) return undefined;
  const list = locations + bytes.readUInt32BE(size);
  const count = bytes.readUInt32BE(size + 8);
  for (let index = 0; index < count; index += 1) {
    const record = list + index * indexRecord;
    const first = bytes.readUInt16BE(record);
    if (glyph < first || glyph > bytes.readUInt16BE(record + 2)) continue;
    const table = list + bytes.readUInt32BE(record + 4);
    const head = headLengths[bytes.readUInt16BE(table + 2)];
    const offset = offsetIn(bytes, table, glyph - first);
    if (head === undefined || offset === undefined) return undefined;
    const at = data + bytes.readUInt32BE(table + 4) + offset + head;
    return bytes.subarray(at + 4, at + 4 + bytes.readUInt32BE(at));
  }
  return undefined;
}

function largestSize(bytes: Buffer, locations: number): number | undefined {
  const count = bytes.readUInt32BE(locations + 4);
  let largest: number | undefined;
  for (let index = 0; index < count; index += 1) {
    const record = locations + 8 + index * sizeRecord;
    if (largest === undefined || bytes.readUInt8(record + 44) > bytes.readUInt8(largest + 44)) largest = record;
  }
  return largest;
}

/** Formats 1 and 3 have an offset for each glyph. Emoji fonts use no others. */
function offsetIn(bytes: Buffer, table: number, index: number): number | undefined {
  const format = bytes.readUInt16BE(table);
  if (format === 1) return bytes.readUInt32BE(table + indexHead + index * 4);
  return format === 3 ? bytes.readUInt16BE(table + indexHead + index * 2) : undefined;
}
