import { type Face, pictureHeight } from './face.ts';
import type { Piece } from './run.ts';

/** Draws the pieces of a line from `x`. Sheets are measured from the top, so letters are flipped. */
export function drawPieces(
  document: PDFKit.PDFDocument,
  pieces: readonly Piece[],
  x: number,
  baseline: number,
  colourOf: (piece: Piece) => string,
): void {
  const group = new TextGroup(document);
  for (const piece of pieces) {
    const y = baseline - shiftOf(piece);
    if (piece.shaped.isOpaque) {
      group.end();
      document.markContent('Span', { actual: piece.text });
    }
    drawPictures(document, piece, x, y);
    group.add(piece, x, y, colourOf(piece));
    if (piece.shaped.isOpaque) {
      group.end();
      document.endMarkedContent();
    }
    x += piece.width;
  }
  group.end();
}

function shiftOf({ run, size }: Piece): number {
  return run.shift === 'up' ? size * 0.5 : run.shift === 'down' ? -size * 0.2 : 0;
}

function drawPictures(document: PDFKit.PDFDocument, { face, shaped, size }: Piece, x: number, y: number): void {
  const side = (size * pictureHeight) / 1_000;
  for (const { at, glyph } of shaped.pictures) {
    const image = face.picture(glyph);
    if (image) document.image(image, x + (at * size) / 1_000 + size * 0.03, y - side * 0.8, { height: side });
  }
}

/** Text operators. Adjacent glyphs in the same style become one operator. */
class TextGroup {
  readonly #document: PDFKit.PDFDocument;
  #operators: string[] = [];
  #glyphs = '';
  #style = '';
  #face: Face | undefined;
  #end = { x: 0, y: 0 };

  constructor(document: PDFKit.PDFDocument) {
    this.#document = document;
  }

  add({ face, shaped, size, width }: Piece, x: number, y: number, colour: string): void {
    const style = `${size} ${colour}`;
    for (const segment of shaped.segments) {
      const [left, top] = [x + (segment.x * size) / 1_000, y - (segment.y * size) / 1_000];
      const isNext = face === this.#face && style === this.#style && segment === shaped.segments[0];
      if (isNext && Math.abs(left - this.#end.x) < 0.01 && top === this.#end.y) {
        this.#glyphs += segment.glyphs;
        continue;
      }
      this.#flush();
      if (face !== this.#face || style !== this.#style) {
        this.#operators.push(`/${face.use()} ${number(size)} Tf`, fillOf(colour));
        this.#face = face;
        this.#style = style;
      }
      this.#operators.push(`1 0 0 -1 ${number(left)} ${number(top)} Tm`);
      this.#glyphs = segment.glyphs;
    }
    // The next piece continues the operator only if this one ends on the baseline.
    this.#end = { x: shaped.segments.length === 1 ? x + width : Number.NaN, y };
  }

  #flush(): void {
    if (this.#glyphs !== '') this.#operators.push(`[${this.#glyphs.replaceAll('><', '')}] TJ`);
    this.#glyphs = '';
  }

  end(): void {
    this.#flush();
    if (this.#operators.length > 0) this.#document.addContent(['BT', ...this.#operators, 'ET'].join('\n'));
    this.#operators = [];
    this.#face = undefined;
    this.#style = '';
  }
}

const number = (value: number) => String(Math.round(value * 1_000) / 1_000);

/** The operator that sets the fill colour. @param colour `#rrggbb` */
export function fillOf(colour: string): string {
  const code = Number.parseInt(colour.slice(1), 16);
  const parts = [code >> 16, (code >> 8) & 0xff, code & 0xff];
  return `${parts.map((part) => number(part / 255)).join(' ')} rg`;
}
