import type { Fonts } from './text/fonts.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { lineOf, linesOf } from './text/lines.ts';
import { drawPieces, fillOf } from './text/operators.ts';
import {
  emptyLine,
  type FormulaDrawing,
  type Line,
  type LinkTarget,
  type Piece,
  type Run,
  widthOf,
} from './text/run.ts';
import { type Tag, Tags } from './tags.ts';

// A4 in points.
const margins = { top: 64, bottom: 72, left: 64, right: 64 };
export const page = {
  margins,
  left: margins.left,
  width: 595.28 - margins.left - margins.right,
  top: margins.top,
  bottom: 841.89 - margins.bottom,
  height: 841.89 - margins.top - margins.bottom,
};

export const colours = {
  text: '#1f2328',
  heading: '#0f1419',
  quiet: '#5c6670',
  link: '#1f5fbf',
  rule: '#d5dae0',
  panel: '#f4f6f8',
  chip: '#eceff2',
  highlight: '#fdf3d8',
};

export interface Indent {
  left: number;
  width: number;
}

const usual: Indent = { left: page.left, width: page.width };
export const textSize = 10.5;
export const textLine = 1.5;

/** An area behind text, whose height is only known when all of the text is drawn. */
interface Backdrop {
  x: number;
  width: number;
  colour: string;
  from: number;
  /** Its index among the operators of the sheet. */
  slot: number;
}

/** The sheets, and the position at which drawing continues. */
export class Paper {
  readonly document: PDFKit.PDFDocument;
  readonly fonts: Fonts;
  readonly tags: Tags;
  y = 0;
  /** The index of the current sheet, from 0. */
  index = -1;
  /** Printed at the foot of each sheet. */
  footer = '';
  readonly #backdrops: Backdrop[] = [];
  /** The destinations of links, and the existing destinations. */
  readonly #linked = new Set<string>();
  readonly #destinations = new Set<string>();

  constructor(document: PDFKit.PDFDocument, fonts: Fonts) {
    this.document = document;
    this.fonts = fonts;
    this.tags = new Tags(document);
  }

  get room(): number {
    return page.bottom - this.y;
  }

  newPage(): void {
    for (const backdrop of this.#backdrops.toReversed()) this.#drawBackdrop(backdrop);
    this.#endSheet();
    this.document.addPage();
    this.index += 1;
    this.y = page.top;
    this.#drawFooter();
    for (const backdrop of this.#backdrops) Object.assign(backdrop, { from: this.y, slot: this.#reserve() });
  }

  /** Frees the memory of a finished sheet. Only its name is needed again. */
  #endSheet(): void {
    this.tags.pause();
    const { page: sheet } = this.document;
    if (!sheet) return;
    this.document.flushPages();
    this.tags.settle();
    for (const member of ['Annots', 'Resources', 'Contents']) Reflect.deleteProperty(sheet.dictionary.data, member);
  }

  #drawFooter(): void {
    this.tags.artifact('Pagination');
    const number = lineOf(this.fonts, { text: String(this.index + 1), colour: colours.quiet }, 9);
    const title = this.shortened({ text: this.footer, colour: colours.quiet }, page.width - 60, 8.5);
    this.#drawPieces(number.pieces, page.left + page.width - number.width, page.bottom + 36);
    this.#drawPieces(title.pieces, page.left, page.bottom + 36);
    this.tags.pause();
  }

  /** Adds space, but not at the top of a sheet. */
  space(height: number): void {
    if (this.y > page.top) this.y += height;
  }

  /** Starts a new sheet unless this height fits on the current one. */
  need(height: number): void {
    if (height > this.room && this.y > page.top) this.newPage();
  }

  /** Draws a paragraph. Runs without visible text draw nothing. */
  paragraph(
    runs: readonly Run[],
    options: { indent?: Indent; size?: number; lineHeight?: number; tag?: Tag; align?: Align } = {},
  ): void {
    const { indent = usual, size = textSize, lineHeight = textLine, tag = 'P', align } = options;
    const lines = linesOf(this.fonts, runs, indent.width, size);
    this.tags.within(tag, {}, () => {
      for (const [index, line] of lines.entries()) {
        const height = line.size * lineHeight;
        // The first line of a paragraph is never alone at the bottom of a sheet.
        this.need(index === 0 && lines.length > 1 ? height * 2 : height);
        this.drawLine(line, indent.left, this.y, height, align, indent.width);
        this.y += height;
      }
    });
  }

  /** @param align by default the side on which the paragraph starts */
  drawLine(line: Line, left: number, top: number, height: number, align?: Align, width = line.width): void {
    const baseline = top + height / 2 + line.size * 0.36;
    const spare = width - line.width;
    const side = align ?? (line.isRtl ? 'right' : 'left');
    let x = left + (side === 'left' ? 0 : side === 'center' ? spare / 2 : spare);
    for (const pieces of byLink(line.pieces)) {
      const link = pieces[0]?.run.link;
      const total = widthOf(pieces);
      const { formula } = pieces[0]?.run ?? {};
      if (formula) this.#drawFormula(formula, pieces[0], x, baseline);
      else if (link) this.#drawLink(link, pieces, x, baseline, total);
      else {
        this.tags.content();
        this.#drawPieces(pieces, x, baseline);
      }
      x += total;
    }
  }

  #drawPieces(pieces: readonly Piece[], x: number, baseline: number): void {
    let at = x;
    for (const { run, width, size } of pieces) {
      if (run.code) this.document.rect(at - 0.5, baseline - size * 0.92, width + 1, size * 1.24).fill(colours.chip);
      at += width;
    }
    drawPieces(this.document, pieces, x, baseline, colourOf);
    at = x;
    for (const piece of pieces) {
      if (piece.run.strike) this.#stroke(at, baseline - piece.size * 0.3, piece.width, colourOf(piece), 0.7);
      at += piece.width;
    }
  }

  #drawFormula(formula: FormulaDrawing, piece: Piece | undefined, x: number, baseline: number): void {
    if (!piece) return;
    this.tags.within('Formula', { alt: formula.tex }, () => {
      this.tags.content();
      formula.draw(x, baseline - formula.ascent * piece.size, piece.size, colourOf(piece));
    });
  }

  #drawLink(link: LinkTarget, pieces: readonly Piece[], x: number, baseline: number, width: number): void {
    const size = Math.max(...pieces.map((piece) => piece.size));
    this.tags.within('Link', {}, (structParent) => {
      this.tags.content();
      this.#drawPieces(pieces, x, baseline);
      this.#stroke(x, baseline + size * 0.14, width, colours.link, 0.4);
      this.linkArea(link, { x, y: baseline - size, width, height: size * 1.3 }, structParent);
    });
  }

  linkArea(
    link: LinkTarget,
    { x, y, width, height }: { x: number; y: number; width: number; height: number },
    structParent?: PDFKit.PDFStructureElement,
  ): void {
    const options = structParent ? { structParent } : {};
    if ('url' in link) this.document.link(x, y, width, height, link.url, options);
    else {
      this.#linked.add(link.to);
      this.document.goTo(x, y, width, height, link.to, options);
    }
  }

  #stroke(x: number, y: number, width: number, colour: string, thickness: number): void {
    this.document
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(thickness)
      .stroke(colour);
  }

  rule({ left, width }: Indent = usual, y = this.y, thickness = 0.75): void {
    this.tags.artifact();
    this.#stroke(left, y, width, colours.rule, thickness);
  }

  box(left: number, top: number, width: number, height: number): void {
    this.tags.artifact();
    this.document.roundedRect(left, top, width, height, 4).lineWidth(0.75).stroke(colours.rule);
  }

  panel(left: number, top: number, width: number, height: number, colour = colours.panel): void {
    this.tags.artifact();
    this.document.rect(left, top, width, height).fill(colour);
  }

  /** Fills the area behind everything that `draw` writes, on all its sheets. */
  behind({ left, width }: Indent, colour: string, draw: () => void): void {
    const backdrop = { x: left, width, colour, from: this.y, slot: this.#reserve() };
    this.#backdrops.push(backdrop);
    draw();
    this.#backdrops.splice(this.#backdrops.indexOf(backdrop), 1);
    this.#drawBackdrop(backdrop);
  }

  /** Reserves an index among the operators of the sheet for something that is only known later. */
  #reserve(): number {
    this.tags.pause();
    const { buffer } = this.document.page.content;
    buffer.push(new Uint8Array());
    return buffer.length - 1;
  }

  #drawBackdrop({ x, width, colour, from, slot }: Backdrop): void {
    if (this.y <= from) return;
    const area = [x, from, width, this.y - from].map((value) => value.toFixed(2)).join(' ');
    const operators = `/Artifact BMC\nq ${fillOf(colour)} ${area} re f Q\nEMC\n`;
    this.document.page.content.buffer[slot] = Buffer.from(operators, 'latin1');
  }

  /** @param alt the description; empty for decoration */
  picture(draw: ReadyImage['draw'], x: number, width: number, height: number, alt: string): void {
    if (alt === '') {
      this.tags.artifact();
      draw(x, this.y, width, height);
      return this.tags.pause();
    }
    this.tags.within('Figure', { alt }, () => {
      this.tags.content();
      draw(x, this.y, width, height);
    });
  }

  destination(name: string): void {
    this.#destinations.add(name);
    this.document.addNamedDestination(name, 'XYZ', page.left, Math.max(0, this.y - 8), null);
  }

  /** Redirects links to missing headings to their page. */
  settleDestinations(pages: ReadonlyMap<string, { sheet: PDFKit.PDFPage; y: number }>): void {
    const last = this.document.page;
    for (const name of this.#linked) {
      const place = this.#destinations.has(name) ? undefined : pages.get(name.replace(/#.*$/s, ''));
      if (!place) continue;
      // The sheet is already written to save memory, but a destination only needs its name.
      this.document.page = place.sheet;
      this.document.addNamedDestination(name, 'XYZ', page.left, Math.max(0, place.y - 8), null);
    }
    this.document.page = last;
  }

  moveLastToFront(count: number): void {
    const { Kids: sheets } = this.document._root.data.Pages.data;
    sheets.unshift(...sheets.splice(-count));
  }

  /** Shortens a text to one line. */
  shortened(run: Run, room: number, size: number): Line {
    let { text } = run;
    for (;;) {
      const shortened = { ...run, text: text === run.text ? text : `${text}…` };
      const [line = emptyLine(size), ...others] = linesOf(this.fonts, [shortened], room, size);
      if (others.length === 0 || text.length < 2) return line;
      text = text.slice(0, Math.min(text.length - 1, Math.ceil(text.length * 0.9))).trimEnd();
    }
  }
}

export type Align = 'left' | 'center' | 'right' | null | undefined;

const colourOf = ({ run }: Piece) => run.colour ?? (run.link ? colours.link : colours.text);

/** Groups adjacent pieces with the same link. Each formula is a group. */
function byLink(pieces: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of pieces) {
    const last = groups.at(-1);
    const run = last?.[0]?.run;
    if (last && run && run.link === piece.run.link && !run.formula && !piece.run.formula) last.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

export function inset({ left, width }: Indent, by: number, right = 0): Indent {
  // Keep a minimum width, even in deeply nested lists.
  const step = Math.max(0, Math.min(by, width - right - 120));
  return { left: left + step, width: width - step - right };
}
