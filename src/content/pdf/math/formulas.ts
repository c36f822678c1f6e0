import type { Findings } from '../findings.ts';
import type { ReadyImage } from '../pictures/ready-image.ts';
import { drawingOf } from '../pictures/svg.ts';
import type { Fonts } from '../text/fonts.ts';
import type { FormulaDrawing } from '../text/run.ts';

/** @throws Error for a formula that cannot be drawn */
type DrawSvg = (tex: string, isBlock: boolean) => string;

export type DrawFormula = (tex: string, isBlock: boolean) => FormulaDrawing | undefined;

const maxKept = 1_000;
/** The units of the drawing for the size of the letters. */
const resolution = 1_000;

/** The formulas of a document. */
export class Formulas {
  readonly #document: PDFKit.PDFDocument;
  readonly #fonts: Fonts;
  readonly #svgOf: DrawSvg;
  readonly #findings: Findings;
  readonly #drawings = new Map<string, FormulaDrawing | undefined>();

  constructor(document: PDFKit.PDFDocument, fonts: Fonts, svgOf: DrawSvg, findings: Findings) {
    this.#document = document;
    this.#fonts = fonts;
    this.#svgOf = svgOf;
    this.#findings = findings;
  }

  /** Returns undefined for a formula that cannot be drawn, and reports it. */
  readonly get: DrawFormula = (tex, isBlock) => {
    const key = `${isBlock} ${tex}`;
    if (!this.#drawings.has(key)) {
      if (this.#drawings.size >= maxKept) this.#drawings.clear();
      this.#drawings.set(key, this.#draw(tex, isBlock));
    }
    const drawing = this.#drawings.get(key);
    if (!drawing) this.#findings.formula(tex);
    return drawing;
  };

  #draw(tex: string, isBlock: boolean): FormulaDrawing | undefined {
    let svg: string;
    try {
      svg = this.#svgOf(tex, isBlock);
    } catch {
      return undefined;
    }
    const box = /viewBox="([-\d.]+) ([-\d.]+) ([-\d.]+) ([-\d.]+)"/.exec(svg)?.slice(1).map(Number);
    const [, top = 0, width = 0, height = 0] = box ?? [];
    if (!box || width === 0 || height === 0) return undefined;
    const sized = svg.replace(/width="[^"]*" height="[^"]*"/, `width="${width}" height="${height}"`);
    const draw = (colour: string): ReadyImage['draw'] | undefined =>
      drawingOf(sized.replaceAll('currentColor', colour), { width, height }, this.#document, this.#fonts);
    return {
      tex,
      width: width / resolution,
      ascent: -top / resolution,
      descent: (height + top) / resolution,
      draw: (x, y, size, colour) => draw(colour)?.(x, y, (width / resolution) * size, (height / resolution) * size),
    };
  }
}
