import type { OpenFont } from '../../fonts/open-font.ts';

/** The glyphs of a text, from left to right, as in a PDF. */
export interface Shaped {
  /** In thousandths of the size. */
  width: number;
  segments: Segment[];
  /** Images instead of glyphs, with their positions in thousandths of the size. */
  pictures: { at: number; glyph: number }[];
  /** Whether the text does not follow from the glyphs, as with ligatures in Indic scripts. */
  isOpaque: boolean;
}

/** Glyphs on one line, in thousandths of the size from the start of the text. */
interface Segment {
  x: number;
  y: number;
  /** The operand of the operator TJ, without brackets. */
  glyphs: string;
}

const maxCached = 20_000;
/** The height and width of an image, in thousandths of the size. */
export const pictureHeight = 1_180;
const pictureWidth = 1_250;

/** A font of the document. */
export class Face {
  readonly name: string;
  readonly #document: PDFKit.PDFDocument;
  readonly #open: OpenFont;
  readonly #shaped = new Map<string, Shaped>();
  readonly #pictures = new Map<number, PDFKit.PDFImage | undefined>();
  readonly #letters: Face | undefined;
  #embedded: PDFKit.EmbeddedFont | undefined;

  /** @param letters a face with letters, for fonts that can have images instead */
  constructor(document: PDFKit.PDFDocument, name: string, open: OpenFont, letters?: Face) {
    this.#document = document;
    this.name = name;
    this.#open = open;
    this.#letters = letters;
  }

  has(code: number): boolean {
    return this.#open.font.hasGlyphForCodePoint(code);
  }

  shape(text: string, isRtl: boolean): Shaped {
    const key = isRtl ? `\u200F${text}` : text;
    const cached = this.#shaped.get(key);
    if (cached) return cached;
    if (this.#shaped.size >= maxCached) this.#shaped.clear();
    const shaped = this.#open.picture ? this.#shapePictures(text) : this.#shapeGlyphs(text, isRtl);
    this.#shaped.set(key, shaped);
    return shaped;
  }

  #shapeGlyphs(text: string, isRtl: boolean): Shaped {
    const font = this.#embed();
    const { glyphs, positions } = font.font.layout(text, undefined, undefined, undefined, isRtl ? 'rtl' : 'ltr');
    const segments: Segment[] = [];
    let width = 0;
    let isOpaque = false;
    let current: Segment | undefined;
    for (const [index, glyph] of glyphs.entries()) {
      const id = font.subset.includeGlyph(glyph.id);
      font.widths[id] ??= glyph.advanceWidth * font.scale;
      const codes = (font.unicode[id] ??= glyph.codePoints);
      if (codes !== glyph.codePoints && String(codes) !== String(glyph.codePoints)) isOpaque = true;
      const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[index] ?? {};
      const advance = xAdvance * font.scale;
      const hex = `<${id.toString(16).padStart(4, '0')}>`;
      if (xOffset || yOffset) {
        segments.push({ x: width + xOffset * font.scale, y: yOffset * font.scale, glyphs: hex });
        current = undefined;
      } else {
        const kern = Math.round((glyph.advanceWidth * font.scale - advance) * 100) / 100;
        const glyphText = kern === 0 ? hex : `${hex}${kern}`;
        if (current) current.glyphs += glyphText;
        else segments.push((current = { x: width, y: 0, glyphs: glyphText }));
      }
      width += advance;
    }
    const read = (isRtl ? glyphs.toReversed() : glyphs).flatMap(({ codePoints }) => codePoints);
    isOpaque ||= read.map((code) => String.fromCodePoint(code)).join('') !== text;
    for (const segment of segments) segment.glyphs = segment.glyphs.replaceAll('><', '');
    return { width, segments, pictures: [], isOpaque };
  }

  #shapePictures(text: string): Shaped {
    const glyphs = this.#open.font.layout(text).glyphs.filter(({ id }) => this.picture(id));
    const pictures = glyphs.map(({ id }, index) => ({ at: index * pictureWidth, glyph: id }));
    // An invisible space, because PDF viewers look for the text of images where letters are.
    const { segments = [] } = this.#letters?.shape(' ', false) ?? {};
    return { width: pictures.length * pictureWidth, segments, pictures, isOpaque: true };
  }

  picture(glyph: number): PDFKit.PDFImage | undefined {
    if (this.#pictures.has(glyph)) return this.#pictures.get(glyph);
    const bytes = this.#open.picture?.(glyph);
    const image = bytes && this.#document.openImage(bytes);
    this.#pictures.set(glyph, image);
    return image;
  }

  /** The name of the font in the resources of the current sheet. */
  use(): string {
    if (this.#open.picture && this.#letters) return this.#letters.use();
    const font = this.#embed();
    this.#document.page.fonts[font.id] ??= font.ref();
    return font.id;
  }

  /** The name of the font in the document. */
  register(): string {
    if (this.#open.picture && this.#letters) return this.#letters.register();
    this.#embed();
    return this.name;
  }

  #embed(): PDFKit.EmbeddedFont {
    if (!this.#embedded) {
      this.#document.registerFont(this.name, this.#open.font);
      this.#document.font(this.name);
      this.#embedded = this.#document._font;
    }
    return this.#embedded;
  }
}
