import type { Face, Shaped } from './face.ts';

/** Where a link leads: a place in the document, or an address. */
export type LinkTarget = { to: string } | { url: string };

/** Text in one style. */
export interface Run {
  text: string;
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

/** How text is drawn; hidden text is left out. */
export type Style = Omit<Run, 'text'> & { isHidden?: boolean };

/** A part of one run in one font and direction, with its width. */
export interface Piece {
  text: string;
  face: Face;
  shaped: Shaped;
  size: number;
  width: number;
  run: Run;
  /** Of the bidirectional algorithm: odd for text from right to left. */
  level: number;
}

export interface Line {
  /** From left to right. */
  pieces: Piece[];
  width: number;
  /** Height of its largest text. */
  size: number;
  /** Whether its paragraph begins at the right. */
  isRtl: boolean;
}

export const emptyLine = (size: number, isRtl = false): Line => ({ pieces: [], width: 0, size, isRtl });
