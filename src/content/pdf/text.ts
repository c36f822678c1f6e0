import { type FaceName, faceData, type FontFile } from '../fonts/typefaces.ts';

export interface Run {
  text: string;
  bold?: boolean;
  italic?: boolean;
  code?: boolean;
  strike?: boolean;
  link?: { to: string } | { url: string };
  size?: number;
  colour?: string;
}

/** A part of one run in one font, with its width. */
export interface Piece {
  text: string;
  font: string;
  size: number;
  width: number;
  run: Run;
}

export interface Line {
  pieces: Piece[];
  width: number;
  /** Height of its largest text. */
  size: number;
}

export const emptyLine = (size: number): Line => ({ pieces: [], width: 0, size });

interface Face {
  name: string;
  has: (code: number) => boolean;
}

export class Fonts {
  readonly #document: PDFKit.PDFDocument;
  readonly #files: FontFile[];
  readonly #faces = new Map<string, Face>();
  readonly #choices = new Map<string, string>();
  readonly #widths = new Map<string, number>();

  constructor(document: PDFKit.PDFDocument, files: FontFile[]) {
    this.#document = document;
    this.#files = [...files];
  }

  /** The text divided where the font changes, and measured. */
  pieces(run: Run, size: number): Piece[] {
    const pieces: Piece[] = [];
    let text = '';
    let font = '';
    const flush = () => {
      if (text !== '') pieces.push({ text, font, size, width: this.width(text, font, size), run });
      text = '';
    };
    for (const character of run.text) {
      const code = character.codePointAt(0) ?? 0;
      if (isInvisible(code)) continue;
      const chosen = this.#fontFor(code, run);
      const actual = chosen === '' ? 'symbols' : chosen;
      if (actual !== font) flush();
      font = actual;
      text += chosen === '' ? '\u25A1' : character;
    }
    flush();
    return pieces;
  }

  width(text: string, font: string, size: number): number {
    const key = `${font} ${text}`;
    let width = this.#widths.get(key);
    if (width === undefined) {
      this.#document.font(font).fontSize(100);
      width = this.#document.widthOfString(text) / 100;
      if (this.#widths.size > 50_000) this.#widths.clear();
      this.#widths.set(key, width);
    }
    return width * size;
  }

  /** The first face that has the character, the styled one before the plain; "" when there is none. */
  #fontFor(code: number, run: Run): string {
    const style = run.code
      ? 'mono'
      : run.bold
        ? run.italic
          ? 'boldItalic'
          : 'bold'
        : run.italic
          ? 'italic'
          : 'regular';
    const key = `${style} ${code}`;
    const chosen = this.#choices.get(key);
    if (chosen !== undefined) return chosen;
    const names: FaceName[] = [style, 'regular', 'symbols', 'mono'];
    const font = names.find((name) => this.#builtIn(name).has(code)) ?? this.#installed(code) ?? '';
    this.#choices.set(key, font);
    return font;
  }

  #builtIn(name: FaceName): Face {
    return this.#faces.get(name) ?? this.#register(name, faceData(name));
  }

  #installed(code: number): string | undefined {
    for (const [index, { path, face }] of this.#files.entries()) {
      const name = `installed ${index}`;
      const installed = this.#faces.get(name) ?? this.#register(name, path, face);
      if (installed.has(code)) return name;
    }
    return undefined;
  }

  #register(name: string, source: Buffer | string, family?: string): Face {
    try {
      this.#document.registerFont(name, source, family);
      this.#document.font(name);
    } catch {
      // A font file that cannot be read is ignored.
      const none = { name, has: () => false };
      this.#faces.set(name, none);
      return none;
    }
    const { font } = this.#document._font;
    const face = { name, has: (code: number) => font.hasGlyphForCodePoint(code) };
    this.#faces.set(name, face);
    return face;
  }

  /** One line of any width. */
  line(run: Run, size: number): Line {
    const [line = emptyLine(size)] = this.lines([run], Infinity, size);
    return line;
  }

  /** Lines not wider than this; words are kept whole where they fit. */
  lines(runs: readonly Run[], width: number, usualSize: number): Line[] {
    const lines: Line[] = [];
    let line = emptyLine(usualSize);
    const end = () => {
      trimEnd(line, this);
      lines.push(line);
      line = emptyLine(usualSize);
    };
    const add = (piece: Piece) => {
      line.pieces.push(piece);
      line.width += piece.width;
      line.size = line.pieces.length === 1 ? piece.size : Math.max(line.size, piece.size);
    };
    for (const word of wordsOf(runs)) {
      if (word === '\n') {
        end();
        continue;
      }
      const pieces = word.flatMap((run) => this.pieces(run, run.size ?? usualSize));
      const total = pieces.reduce((sum, piece) => sum + piece.width, 0);
      const isBlank = pieces.every((piece) => piece.text.trim() === '');
      if (line.width + total > width + 0.01 && line.pieces.length > 0 && !isBlank) end();
      if (isBlank && line.pieces.length === 0 && lines.length > 0) continue;
      if (total <= width) {
        for (const piece of pieces) add(piece);
        continue;
      }
      // A word longer than a line is broken where the line is full.
      for (const piece of pieces) {
        let rest = piece.text;
        while (rest !== '') {
          const taken = this.#fitting(rest, piece, width - line.width);
          if (taken === '' && line.pieces.length > 0) {
            end();
            continue;
          }
          const [first = ''] = rest;
          const text = taken === '' ? first : taken;
          add({ ...piece, text, width: this.width(text, piece.font, piece.size) });
          rest = rest.slice(text.length);
        }
      }
    }
    if (line.pieces.length > 0 || lines.length === 0) end();
    return lines;
  }

  #fitting(text: string, { font, size }: Piece, room: number): string {
    let taken = '';
    let used = 0;
    for (const character of text) {
      used += this.width(character, font, size);
      if (used > room) break;
      taken += character;
    }
    return taken;
  }

  draw(piece: Piece, x: number, baseline: number, colour: string): void {
    this.#document.font(piece.font).fontSize(piece.size).fillColor(colour);
    this.#document.text(piece.text, x, baseline, { lineBreak: false, baseline: 'alphabetic' });
  }
}

function isInvisible(code: number): boolean {
  // Controls, joiners and variation selectors: they combine emoji and letters in ways that are not supported here.
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    code === 0x200b ||
    code === 0x200d ||
    code === 0xfeff ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xad
  );
}

function trimEnd(line: Line, fonts: Fonts): void {
  for (let last = line.pieces.at(-1); last; last = line.pieces.at(-1)) {
    const text = last.text.trimEnd();
    if (text === last.text) return;
    const width = fonts.width(text, last.font, last.size);
    line.width -= last.width - width;
    if (text !== '') {
      line.pieces[line.pieces.length - 1] = { ...last, text, width };
      return;
    }
    line.pieces.pop();
  }
}

const wide = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;

/**
 * What stays together on a line: a word with adjacent punctuation, a blank, or a single letter of scripts without
 * blanks.
 */
function* wordsOf(runs: readonly Run[]): Generator<Run[] | '\n'> {
  let word: Run[] = [];
  for (const run of runs) {
    for (const part of run.text.split(
      /(\n|[ \t]+|(?<=[/\-–—])(?=[\p{L}\p{N}])|[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF])/u,
    )) {
      if (part === '' || part === undefined) {
        if (part === '' && /[/\-–—]$/.test(word.at(-1)?.text ?? '') && !run.code) {
          yield word;
          word = [];
        }
        continue;
      }
      const isBreak = part === '\n';
      if (!isBreak && !/^[ \t]/.test(part) && !wide.test(part)) {
        word.push({ ...run, text: part });
        continue;
      }
      if (word.length > 0) yield word;
      word = [];
      yield isBreak ? '\n' : [{ ...run, text: part }];
    }
  }
  if (word.length > 0) yield word;
}
