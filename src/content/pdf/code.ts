import { colours, type Indent, type Paper } from './paper.ts';
import { drawPieces } from './text/operators.ts';
import { emptyLine, type Line, type Piece, widthOf } from './text/run.ts';
import { pieceOf } from './text/fonts.ts';
import { partsOf } from './text/words.ts';

const size = 8.5;
const lineHeight = 12.5;
const padding = 7;
/** At the start of a line that continues the previous one. */
const wrapMark = '↪ ';

interface CodeOptions {
  /** Displayed above the code, such as a file name. */
  title?: string | undefined;
  hasLineNumbers?: boolean;
  /** Numbers of lines that stand out. */
  highlighted?: ReadonlySet<number>;
}

/** Draws code on a panel. Long lines continue on the next line, after a mark. */
export function drawCode(sheet: Paper, value: string, indent: Indent, options: CodeOptions = {}): void {
  const { title, hasLineNumbers, highlighted } = options;
  const source = value.replaceAll('\t', '    ').split('\n');
  const lines = new CodeLines(sheet, indent, hasLineNumbers ? String(source.length).length : 0);
  const drawn = source.flatMap((text, index) =>
    lines.lines(text, index + 1).map((part) => ({ ...part, isHighlighted: highlighted?.has(index + 1) === true })),
  );
  sheet.need(Math.min(drawn.length, 3) * lineHeight + padding * 2 + (title ? 18 : 0));
  sheet.behind(indent, colours.panel, () => {
    if (title) drawTitle(sheet, title, indent);
    sheet.y += padding;
    sheet.tags.within('Code', {}, () => {
      for (const { line, number, isHighlighted } of drawn) {
        if (sheet.room < lineHeight + padding) {
          sheet.y += Math.min(padding, sheet.room);
          sheet.newPage();
          sheet.y += padding;
        }
        const draw = () => {
          lines.draw(line, number);
          sheet.y += lineHeight;
        };
        if (isHighlighted) sheet.behind(indent, colours.highlight, draw);
        else draw();
      }
    });
    sheet.y += padding;
  });
}

function drawTitle(sheet: Paper, title: string, indent: Indent): void {
  sheet.y += 5;
  const run = { text: title, bold: true, colour: colours.quiet };
  sheet.paragraph([run], { indent: { left: indent.left + 10, width: indent.width - 20 }, size: 8.5, tag: 'Caption' });
  sheet.rule(indent, sheet.y + 3, 0.5);
  sheet.y += 3;
}

class CodeLines {
  readonly #sheet: Paper;
  readonly #left: number;
  readonly #numbersWidth: number;
  readonly #width: number;

  constructor(sheet: Paper, indent: Indent, digits: number) {
    this.#sheet = sheet;
    this.#left = indent.left + 10;
    this.#numbersWidth = digits === 0 ? 0 : widthOf(this.#pieces('0'.repeat(digits))) + 10;
    this.#width = indent.width - 20 - this.#numbersWidth;
  }

  #pieces(text: string, colour = colours.text): Piece[] {
    const pieces = this.#sheet.fonts.pieces({ text, code: true }, size);
    // Not marked as code, which has a background in paragraphs.
    return pieces.map((piece) => ({ ...piece, run: { text, colour } }));
  }

  // Code keeps its spaces, so lines are broken anywhere, not between words.
  lines(text: string, number: number): { line: Line; number: string }[] {
    let line = emptyLine(size);
    const lines = [{ line, number: String(number) }];
    const mark = this.#pieces(wrapMark, colours.quiet);
    for (const piece of [...partsOf(text)].flatMap((part) => this.#pieces(part))) {
      for (let rest = piece; rest.text !== '';) {
        const taken = this.#fitting(rest, this.#width - line.width);
        if (taken > 0) {
          const first = taken === rest.text.length ? rest : cut(rest, 0, taken);
          line.pieces.push(first);
          line.width += first.width;
          rest = cut(rest, taken);
        }
        if (rest.text === '') break;
        line = { ...emptyLine(size), pieces: [...mark], width: widthOf(mark) };
        lines.push({ line, number: '' });
      }
    }
    return lines;
  }

  /** The number of characters that fit; at least one on an empty line. */
  #fitting(piece: Piece, room: number): number {
    if (piece.width <= room) return piece.text.length;
    let width = 0;
    let taken = 0;
    for (const character of piece.text) {
      width += (piece.face.shape(character, false).width * size) / 1_000;
      if (width > room && !(taken === 0 && room >= this.#width / 2)) break;
      taken += character.length;
    }
    return taken;
  }

  draw(line: Line, number: string): void {
    const { document, y, tags } = this.#sheet;
    if (this.#numbersWidth > 0 && number !== '') {
      tags.artifact();
      const pieces = this.#pieces(number, colours.quiet);
      const x = this.#left + this.#numbersWidth - 10 - widthOf(pieces);
      drawPieces(document, pieces, x, y + lineHeight / 2 + size * 0.36, () => colours.quiet);
    }
    this.#sheet.drawLine(line, this.#left + this.#numbersWidth, y, lineHeight, 'left');
  }
}

const cut = (piece: Piece, from: number, to = piece.text.length): Piece =>
  pieceOf(piece.text.slice(from, to), piece.face, piece.run, piece.size, piece.level);
