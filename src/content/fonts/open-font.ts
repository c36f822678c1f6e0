import { create, type Font, type FontCollection, type Glyph } from 'fontkit';
import { bitmapOf } from './bitmaps.ts';

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
