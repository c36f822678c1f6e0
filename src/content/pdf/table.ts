import { type Align, type Indent, page, type Paper } from './paper.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { linesOf } from './text/lines.ts';
import type { Line, Run } from './text/run.ts';

/** In points. */
const size = 9.5;
const lineHeight = size * 1.4;
const padding = 5;
const minColumnWidth = 24;
const maxPictureHeight = 160;

/** Number of rows whose content decides the widths of the columns. */
const measuredRows = 200;

export interface CellPicture {
  draw: ReadyImage['draw'];
  width: number;
  height: number;
  alt: string;
}

export interface Cell {
  runs: readonly Run[];
  /** Drawn above the text. */
  pictures?: readonly CellPicture[];
  isHeader?: boolean;
}

export interface Table {
  rows: readonly (readonly Cell[])[];
  /** How many rows are its head, which is repeated on each sheet. */
  head: number;
  aligns?: readonly Align[];
  /** Shares of the width by column; by default columns are as wide as their content needs. */
  shares?: readonly number[];
  /** Without lines between rows. */
  isPlain?: boolean;
  /** With a line around each cell. */
  isBoxed?: boolean;
}

interface LaidOut {
  lines: Line[];
  pictures: readonly CellPicture[];
  picturesHeight: number;
  width: number;
  align: Align;
  isHeader: boolean;
}

/** Draws a table; its head is repeated on each sheet on which a row begins. */
export function drawTable(sheet: Paper, table: Table, indent: Indent): void {
  const rows = table.rows.map((row, index) => row.map((cell) => styled(cell, index < table.head)));
  const widths = table.shares?.map((share) => share * indent.width) ?? columnWidths(sheet, rows, indent.width);
  const laidOut = rows.map((row) =>
    row.map((cell, column) => layOut(sheet, cell, widths[column] ?? minColumnWidth, table.aligns?.[column])),
  );
  const drawer = new TableDrawer(sheet, indent, laidOut.slice(0, table.head), table);
  sheet.tags.within('Table', {}, () => drawer.draw(laidOut.slice(table.head)));
}

function styled(cell: Cell, isHead: boolean): Cell {
  const isHeader = isHead || cell.isHeader === true;
  const runs = cell.runs.map((run) => ({
    ...run,
    bold: run.bold === true || isHeader,
    size: run.code ? size * 0.92 : Math.min(run.size ?? size, size * 1.1),
  }));
  return { ...cell, runs, isHeader };
}

function layOut(sheet: Paper, cell: Cell, columnWidth: number, align: Align): LaidOut {
  const width = Math.max(columnWidth - padding * 2, 8);
  const pictures = (cell.pictures ?? []).map((picture) => {
    const scale = Math.min(1, width / picture.width, maxPictureHeight / picture.height);
    return { ...picture, width: picture.width * scale, height: picture.height * scale };
  });
  const isEmpty = cell.runs.every((run) => run.text.trim() === '');
  return {
    lines: isEmpty ? [] : linesOf(sheet.fonts, cell.runs, width, size),
    pictures,
    picturesHeight: sum(pictures.map(({ height }) => height + 4)),
    width,
    align,
    isHeader: cell.isHeader === true,
  };
}

class TableDrawer {
  readonly #sheet: Paper;
  readonly #indent: Indent;
  readonly #head: readonly LaidOut[][];
  readonly #style: Pick<Table, 'isPlain' | 'isBoxed'>;

  constructor(sheet: Paper, indent: Indent, head: readonly LaidOut[][], style: Pick<Table, 'isPlain' | 'isBoxed'>) {
    this.#sheet = sheet;
    this.#indent = indent;
    // An empty head is that of a table that has none.
    this.#head = head.filter((row) => row.some(({ lines, pictures }) => lines.length > 0 || pictures.length > 0));
    this.#style = style;
  }

  draw(body: readonly LaidOut[][]): void {
    const headHeight = sum(this.#head.map(heightOf));
    this.#sheet.need(Math.min(headHeight + Math.min(heightOf(body[0] ?? []), lineHeight * 4), page.height * 0.6));
    for (const row of this.#head) this.#row(row, true);
    for (const row of body) {
      const height = heightOf(row);
      if (height > this.#sheet.room && height <= page.height * 0.6) {
        this.#sheet.newPage();
        this.#repeatHead(headHeight);
      }
      this.#row(row, false);
    }
  }

  /** Only for the eye: in the structure the table has its head once. */
  #repeatHead(height: number): void {
    if (height > page.height * 0.3) return;
    this.#sheet.tags.within('TR', {}, () => {
      for (const row of this.#head) this.#lines(row, { from: 0, count: lineCount(row), isFirst: true, isHead: true });
    });
  }

  /** Draws a row, on as many sheets as it needs. */
  #row(row: readonly LaidOut[], isHead: boolean): void {
    const count = lineCount(row);
    const pictures = most(row.map((cell) => cell.picturesHeight));
    this.#sheet.need(Math.min(pictures > 0 ? heightOf(row) : lineHeight + padding * 2, page.height));
    this.#sheet.tags.within('TR', {}, () => {
      for (let from = 0; from < count || from === 0;) {
        const fits = from === 0 && heightOf(row) <= this.#sheet.room;
        const room = fits ? Infinity : this.#sheet.room - padding * 2 - (from === 0 ? pictures : 0);
        const part = Math.min(Math.max(1, Math.floor(room / lineHeight)), Math.max(count - from, 1));
        this.#lines(row, { from, count: Math.min(part, count - from), isFirst: from === 0, isHead });
        from += part;
        if (from < count) this.#sheet.newPage();
      }
    });
  }

  #lines(
    row: readonly LaidOut[],
    { from, count, isFirst, isHead }: { from: number; count: number; isFirst: boolean; isHead: boolean },
  ): void {
    const sheet = this.#sheet;
    const drawn = row.map(({ lines, picturesHeight }) => {
      const part = Math.min(count, Math.max(lines.length - from, 0));
      return part * lineHeight + (isFirst ? picturesHeight : 0);
    });
    const height = Math.max(lineHeight, most(drawn)) + padding * 2;
    const top = sheet.y;
    if (isHead) sheet.panel(this.#indent.left, top, this.#indent.width, height);
    let left = this.#indent.left + padding;
    for (const cell of row) {
      const tag = cell.isHeader ? 'TH' : 'TD';
      sheet.tags.within(tag, cell.isHeader ? { scope: isHead ? 'Column' : 'Row' } : {}, () => {
        if (isFirst) this.#pictures(cell, left, top + padding);
        for (const [index, line] of cell.lines.slice(from, from + count).entries()) {
          const y = top + padding + index * lineHeight + (isFirst ? cell.picturesHeight : 0);
          sheet.drawLine(line, left, y, lineHeight, cell.align, cell.width);
        }
      });
      if (this.#style.isBoxed) sheet.box(left - padding + 2, top + 2, cell.width + padding * 2 - 4, height - 4);
      left += cell.width + padding * 2;
    }
    sheet.y = top + height;
    if (!this.#style.isPlain) sheet.rule(this.#indent, sheet.y, 0.5);
  }

  #pictures({ pictures }: LaidOut, left: number, top: number): void {
    this.#sheet.y = top;
    for (const { draw, width, height, alt } of pictures) {
      this.#sheet.picture(draw, left, width, height, alt);
      this.#sheet.y += height + 4;
    }
  }
}

const lineCount = (row: readonly LaidOut[]) => most(row.map((cell) => cell.lines.length));
const heightOf = (row: readonly LaidOut[]) =>
  Math.max(lineHeight, most(row.map(({ lines, picturesHeight }) => picturesHeight + lines.length * lineHeight))) +
  padding * 2;

/** As wide as the content needs; what exceeds the whole width is taken from the wide columns. */
function columnWidths(sheet: Paper, rows: readonly (readonly Cell[])[], width: number): number[] {
  const count = Math.max(1, most(rows.map((row) => row.length)));
  const columns = Array.from({ length: count }, () => ({ wished: minColumnWidth, least: minColumnWidth }));
  for (const row of rows.slice(0, measuredRows)) {
    for (const [index, column] of columns.entries()) {
      const cell = row[index];
      if (!cell) continue;
      const whole = linesOf(sheet.fonts, cell.runs, 10_000, size);
      const pictures = most((cell.pictures ?? []).map((picture) => Math.min(picture.width, 120)));
      const widest = Math.max(pictures, most(whole.map((line) => line.width)));
      column.wished = Math.max(column.wished, widest + padding * 2 + 1);
      const least = Math.max(pictures, widestWord(sheet, cell.runs));
      column.least = Math.max(column.least, Math.min(least + padding * 2 + 1, width / 2));
    }
  }
  const total = sum(columns.map(({ wished }) => wished));
  if (total <= width) return columns.map(({ wished }) => (wished / total) * width);
  const minimum = sum(columns.map(({ least }) => least));
  if (minimum >= width) return columns.map(({ least }) => (least / minimum) * width);
  return columns.map(({ wished, least }) => least + ((wished - least) / (total - minimum)) * (width - minimum));
}

/** A longer word is divided, whatever the width of its column. */
const maxWord = 100;

function widestWord(sheet: Paper, runs: readonly Run[]): number {
  const words = runs.flatMap((run) => run.text.split(/\s+/).map((text) => ({ ...run, text: text.slice(0, maxWord) })));
  return most(words.map((word) => sum(sheet.fonts.pieces(word, word.size ?? size).map((piece) => piece.width))));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const most = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), 0);
