import { emptyLine, type Fonts, type Line, type Run } from './text.ts';

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
};

export interface Indent {
  left: number;
  width: number;
}

const usual: Indent = { left: page.left, width: page.width };

/** The sheets, and the place where the next thing is drawn. */
export class Paper {
  readonly document: PDFKit.PDFDocument;
  readonly fonts: Fonts;
  y = 0;
  /** Number of the current sheet, from 0. */
  index = -1;
  /** Vertical bars beside the text, for quotes, with the height that is drawn so far. */
  readonly #bars: { x: number; from: number }[] = [];
  /** Destinations of links, and the destinations that exist. */
  readonly #linked = new Set<string>();
  readonly #destinations = new Set<string>();

  constructor(document: PDFKit.PDFDocument, fonts: Fonts) {
    this.document = document;
    this.fonts = fonts;
  }

  get room(): number {
    return page.bottom - this.y;
  }

  newPage(): void {
    for (const bar of this.#bars) this.#drawBar(bar);
    this.document.addPage();
    this.index += 1;
    this.y = page.top;
    for (const bar of this.#bars) bar.from = this.y;
    const number = this.fonts.pieces({ text: String(this.index + 1) }, 9);
    const width = number.reduce((sum, piece) => sum + piece.width, 0);
    let x = page.left + page.width - width;
    for (const piece of number) {
      this.#unbounded(() => this.fonts.draw(piece, x, page.bottom + 36, colours.quiet));
      x += piece.width;
    }
  }

  /** Adds space, but not at the top of a sheet. */
  space(height: number): void {
    if (this.y > page.top) this.y += height;
  }

  /** Starts a new sheet unless this height fits on the current one. */
  need(height: number): void {
    if (height > this.room && this.y > page.top) this.newPage();
  }

  paragraph(
    runs: readonly Run[],
    { indent = usual, size = 10.5, lineHeight = 1.5 }: { indent?: Indent; size?: number; lineHeight?: number } = {},
  ): void {
    const lines = this.fonts.lines(runs, indent.width, size);
    for (const [index, line] of lines.entries()) {
      const height = line.size * lineHeight;
      // The first line of a paragraph is not left alone at the foot of a sheet.
      this.need(index === 0 && lines.length > 1 ? height * 2 : height);
      this.drawLine(line, indent.left, this.y, height);
      this.y += height;
    }
  }

  drawLine(
    line: Line,
    left: number,
    top: number,
    height: number,
    align: 'left' | 'center' | 'right' = 'left',
    width = 0,
  ): void {
    const baseline = top + height / 2 + line.size * 0.36;
    const spare = align === 'left' ? 0 : width - line.width;
    let x = left + (align === 'center' ? spare / 2 : spare);
    for (const piece of line.pieces) {
      const { run } = piece;
      if (run.code) this.#chip(x, baseline, piece.width, piece.size);
      const colour = run.colour ?? (run.link ? colours.link : colours.text);
      this.#unbounded(() => this.fonts.draw(piece, x, baseline, colour));
      if (run.strike) this.#stroke(x, baseline - piece.size * 0.3, piece.width, colour, 0.7);
      if (run.link) this.#link(run.link, x, baseline, piece.width, piece.size);
      x += piece.width;
    }
  }

  #chip(x: number, baseline: number, width: number, size: number): void {
    this.document.rect(x - 0.5, baseline - size * 0.92, width + 1, size * 1.24).fill(colours.chip);
  }

  #link(link: { to: string } | { url: string }, x: number, baseline: number, width: number, size: number): void {
    this.#stroke(x, baseline + size * 0.14, width, colours.link, 0.4);
    const [top, height] = [baseline - size, size * 1.3];
    if ('url' in link) this.document.link(x, top, width, height, link.url);
    else {
      this.#linked.add(link.to);
      this.document.goTo(x, top, width, height, link.to);
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
    this.#stroke(left, y, width, colours.rule, thickness);
  }

  panel(left: number, top: number, width: number, height: number): void {
    this.document.rect(left, top, width, height).fill(colours.panel);
  }

  /** Draws a bar beside everything that `draw` writes. */
  beside(x: number, draw: () => void): void {
    const bar = { x, from: this.y };
    this.#bars.push(bar);
    draw();
    this.#bars.splice(this.#bars.indexOf(bar), 1);
    this.#drawBar(bar);
  }

  #drawBar({ x, from }: { x: number; from: number }): void {
    if (this.y > from) this.document.rect(x, from, 2.5, this.y - from).fill(colours.rule);
  }

  destination(name: string): void {
    this.#destinations.add(name);
    this.document.addNamedDestination(name, 'XYZ', page.left, Math.max(0, this.y - 8), null);
  }

  /** Links to headings that do not exist lead to their page. */
  settleDestinations(pages: ReadonlyMap<string, { sheet: PDFKit.PDFPage; y: number }>): void {
    const last = this.document.page;
    for (const name of this.#linked) {
      const place = this.#destinations.has(name) ? undefined : pages.get(name.replace(/#.*$/s, ''));
      if (!place) continue;
      // Sheets are written out when they are full, to save memory; a destination only has their name.
      this.document.page = place.sheet;
      this.document.addNamedDestination(name, 'XYZ', page.left, Math.max(0, place.y - 8), null);
    }
    this.document.page = last;
  }

  moveLastToFront(count: number): void {
    const { Kids: sheets } = this.document._root.data.Pages.data;
    sheets.unshift(...sheets.splice(-count));
  }

  contentsLine({
    title,
    indent,
    number,
    to,
    bold,
  }: {
    title: string;
    indent: number;
    number: string;
    to: string;
    bold: boolean;
  }): void {
    const { y } = this;
    const size = 10.5;
    const height = 19;
    const numbers = this.fonts.line({ text: number, colour: colours.quiet }, size);
    const room = page.width - indent - numbers.width - 24;
    const line = this.#shortened({ text: title, bold, colour: colours.text }, room, size);
    const left = page.left + indent;
    this.drawLine(line, left, y, height);
    this.drawLine(numbers, page.left, y, height, 'right', page.width);
    const dotsFrom = left + line.width + 8;
    const dotsTo = page.left + page.width - numbers.width - 8;
    if (dotsTo > dotsFrom) {
      const lineY = y + height / 2 + 3.5;
      this.document
        .moveTo(dotsFrom, lineY)
        .lineTo(dotsTo, lineY)
        .lineWidth(0.5)
        .dash(1, { space: 3 })
        .stroke(colours.rule)
        .undash();
    }
    this.document.goTo(left, y, page.width - indent, height, to);
    this.y += height;
  }

  #shortened(run: Run, room: number, size: number): Line {
    let { text } = run;
    for (;;) {
      const shortened = { ...run, text: text === run.text ? text : `${text}…` };
      const [line = emptyLine(size), ...others] = this.fonts.lines([shortened], room, size);
      if (others.length === 0 || text.length < 2) return line;
      text = text.slice(0, Math.min(text.length - 1, Math.ceil(text.length * 0.9))).trimEnd();
    }
  }

  // pdfkit would start a sheet of its own when text is near the lower margin; the sheets are managed here.
  #unbounded(draw: () => void): void {
    const { margins: pageMargins } = this.document.page;
    const { bottom } = pageMargins;
    pageMargins.bottom = 0;
    draw();
    pageMargins.bottom = bottom;
  }
}
