import { needsBidi, type Directions, directionsOf } from './directions.ts';
import { type Fonts, pieceOf } from './fonts.ts';
import { emptyLine, formulaText, type Line, type Piece, type Run, widthOf } from './run.ts';
import { partsOf, type PlacedRun, wordsOf } from './words.ts';

/** Breaks text into lines of this width. Words are only broken if they do not fit on a line. */
export function linesOf(fonts: Fonts, runs: readonly Run[], width: number, usualSize: number): Line[] {
  const text = runs.map((run) => run.text).join('');
  const directions = needsBidi(text) ? directionsOf(text) : undefined;
  const filler = new Filler(width, usualSize, directions?.isRtl ?? false);
  for (const word of wordsOf(runs, text)) {
    if (word === '\n') {
      filler.end();
      continue;
    }
    const pieces = word.runs.flatMap((part) => shape(fonts, part, usualSize, directions));
    filler.add(pieces, word.isBlank);
  }
  return filler.finish();
}

/** One line of any width. */
export function lineOf(fonts: Fonts, run: Run, size: number): Line {
  const [line = emptyLine(size)] = linesOf(fonts, [run], Infinity, size);
  return line;
}

function shape(fonts: Fonts, { run, at }: PlacedRun, usualSize: number, directions: Directions | undefined): Piece[] {
  const size = (run.size ?? usualSize) * (run.shift ? 0.7 : 1);
  if (run.formula) return fonts.pieces({ ...run, text: 'x' }, size).map((piece) => formulaPiece(piece, run));
  const pieces: Piece[] = [];
  let from = at;
  for (const text of partsOf(run.text, maxShaped)) {
    const parts = directions ? directions.parts(from, text) : [{ text, level: 0 }];
    for (const part of parts) pieces.push(...fonts.pieces({ ...run, text: part.text }, size, part.level));
    from += text.length;
  }
  return pieces;
}

const nothing = { width: 0, segments: [], pictures: [], isOpaque: false };

const formulaPiece = (piece: Piece, run: Run): Piece => ({
  ...piece,
  run,
  text: formulaText,
  shaped: nothing,
  width: (run.formula?.width ?? 0) * piece.size,
});

/** The shares of a line above and below its baseline, for its size. */
const lineAscent = 1.05;
const lineDescent = 0.36;

/** The size of letters that take as much room in a line. */
const lineSizeOf = ({ size, run: { formula } }: Piece): number =>
  formula ? Math.max(size, (formula.ascent * size) / lineAscent, (formula.descent * size) / lineDescent) : size;

/** The number of letters that are shaped together. No word is longer. */
const maxShaped = 256;

/** Fills lines in text order. Finished lines are in visual order. */
class Filler {
  readonly #lines: Line[] = [];
  readonly #width: number;
  readonly #size: number;
  readonly #isRtl: boolean;
  #line: Line;

  constructor(width: number, size: number, isRtl: boolean) {
    this.#width = width;
    this.#size = size;
    this.#isRtl = isRtl;
    this.#line = emptyLine(size, isRtl);
  }

  add(pieces: readonly Piece[], isBlank: boolean): void {
    const total = widthOf(pieces);
    if (this.#line.width + total > this.#width + 0.01 && this.#line.pieces.length > 0 && !isBlank) this.end();
    if (isBlank && this.#line.pieces.length === 0 && this.#lines.length > 0) return;
    for (const piece of pieces) {
      if (total <= this.#width) this.#append(piece);
      // Part by part, because a word of a million letters would be measured again for each line.
      else for (const text of partsOf(piece.text)) this.#divide(part(piece, text));
    }
  }

  end(): void {
    trimEnd(this.#line);
    this.#lines.push({ ...this.#line, pieces: inVisualOrder(this.#line.pieces) });
    this.#line = emptyLine(this.#size, this.#isRtl);
  }

  finish(): Line[] {
    if (this.#line.pieces.length > 0 || this.#lines.length === 0) this.end();
    return this.#lines;
  }

  #append(piece: Piece): void {
    const line = this.#line;
    line.pieces.push(piece);
    line.width += piece.width;
    line.size = line.pieces.length === 1 ? lineSizeOf(piece) : Math.max(line.size, lineSizeOf(piece));
  }

  /** Breaks a word that is longer than a line. */
  #divide(piece: Piece): void {
    let rest = piece;
    while (rest.text !== '') {
      const taken = fitting(rest, this.#width - this.#line.width);
      if (taken === 0 && this.#line.pieces.length > 0) {
        this.end();
        continue;
      }
      const [first = ''] = rest.text;
      const length = Math.max(taken, first.length);
      this.#append(part(rest, rest.text.slice(0, length)));
      rest = part(rest, rest.text.slice(length));
    }
  }
}

const part = (piece: Piece, text: string): Piece =>
  text === piece.text ? piece : pieceOf(text, piece.face, piece.run, piece.size, piece.level);

/** The number of characters of a piece that fit, found by bisection. Measuring one by one would take quadratic time. */
function fitting(piece: Piece, room: number): number {
  if (piece.width <= room) return piece.text.length;
  let low = 0;
  let high = Math.min(piece.text.length, Math.ceil((room / piece.size) * 8) + 1);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (part(piece, piece.text.slice(0, middle)).width <= room) low = middle;
    else high = middle - 1;
  }
  // Do not split a surrogate pair.
  return /[\uD800-\uDBFF]/.test(piece.text[low - 1] ?? '') ? low - 1 : low;
}

function trimEnd(line: Line): void {
  for (let last = line.pieces.at(-1); last; last = line.pieces.at(-1)) {
    const text = last.text.trimEnd();
    if (text === last.text) return;
    line.pieces.pop();
    line.width -= last.width;
    if (text === '') continue;
    const trimmed = part(last, text);
    line.pieces.push(trimmed);
    line.width += trimmed.width;
    return;
  }
}

/** Rule L2 of the bidirectional algorithm. */
function inVisualOrder(pieces: readonly Piece[]): Piece[] {
  const ordered = [...pieces];
  const highest = ordered.reduce((level, piece) => Math.max(level, piece.level), 0);
  for (let level = highest; level > 0; level -= 1) {
    for (let from = 0; from < ordered.length; from += 1) {
      let to = from;
      while ((ordered[to]?.level ?? -1) >= level) to += 1;
      if (to === from) continue;
      ordered.splice(from, to - from, ...ordered.slice(from, to).toReversed());
      from = to;
    }
  }
  return ordered;
}
