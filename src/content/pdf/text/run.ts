import type { Face, Shaped } from './face.ts';

/** The target of a link: a destination in the document, or an address. */
export type LinkTarget = { to: string } | { url: string };

/** A formula in a line. Sizes are for letters of the size 1. */
export interface FormulaDrawing {
  tex: string;
  width: number;
  /** Above and below the baseline. */
  ascent: number;
  descent: number;
  /** @param y the top */
  draw(x: number, y: number, size: number, colour: string): void;
}

/** Text in one style. */
export interface Run {
  text: string;
  /** Drawn instead of the text, which is {@link formulaText}. */
  formula?: FormulaDrawing;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  strike?: boolean;
  /** Raised above the line, or lowered below it. */
  shift?: 'up' | 'down';
  link?: LinkTarget | undefined;
  size?: number;
  colour?: string;
}

/** How text is drawn. Hidden text is skipped. */
export type Style = Omit<Run, 'text'> & { isHidden?: boolean };

/** A part of a run in one font and direction, with its width. */
export interface Piece {
  text: string;
  face: Face;
  shaped: Shaped;
  size: number;
  width: number;
  run: Run;
  /** In the bidirectional algorithm; odd for text from right to left. */
  level: number;
}

export interface Line {
  /** From left to right. */
  pieces: Piece[];
  width: number;
  /** The size of its largest text. */
  size: number;
  /** Whether its paragraph starts on the right. */
  isRtl: boolean;
}

/** An object in a text, in Unicode. */
export const formulaText = '\uFFFC';

export const emptyLine = (size: number, isRtl = false): Line => ({ pieces: [], width: 0, size, isRtl });

export const widthOf = (pieces: readonly Piece[]): number => pieces.reduce((sum, { width }) => sum + width, 0);
