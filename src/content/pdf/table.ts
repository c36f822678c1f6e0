import { type Align, type Indent, page, type Paper } from './paper.ts';
import type { ReadyImage } from './pictures/ready-image.ts';
import { linesOf } from './text/lines.ts';
import { type Line, type Run, widthOf } from './text/run.ts';

/** In points. */
const size = 9.5;
const lineHeight = size * 1.4;
const padding = 5;
const minColumnWidth = 24;
const maxPictureHeight = 160;
const pictureGap = 4;

/** The number of rows that determine the widths of the columns. */
const measuredRows = 200;

export interface CellPicture extends ReadyImage {
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
  /** The number of rows in the head, which is repeated on each sheet. */
  head: number;
  aligns?: readonly Align[];
  /** The share of the width for each column; by default, as much as the content needs. */
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

/** Draws a table. Its head is repeated on each sheet on which a row starts. */
export function drawTable(sheet: Paper, table: Table, indent: Indent): void {
  const rows = table.rows.map((row, index) => row.map((cell) => styled(cell, index < table.head)));
  const widths = table.shares?.map((share) => share * indent.width) ?? columnWidths(sheet, rows, indent.width);
  const laidOut = rows.map((row) =>
    row.map((cell, column) => layOut(sheet, cell, widths[column] ?? minColumnWidth, table.aligns?.[column])),
  );
  const place: Place = { ...table, sheet, indent };
  // A table without a head has an empty one.
  const head = laidOut
    .slice(0, table.head)
    .filter((row) => row.some(({ lines, pictures }) => lines.length > 0 || pictures.length > 0));
  const headHeight = sum(head.map(heightOf));
  const firstHeight = heightOf(laidOut[table.head] ?? []);
  sheet.tags.within('Table', {}, () => {
    sheet.need(Math.min(headHeight + Math.min(firstHeight, lineHeight * 4), page.height * 0.6));
    for (const row of head) drawRow(row, true, place);
    for (const row of laidOut.slice(table.head)) {
      const height = heightOf(row);
      if (height > sheet.room && height <= page.height * 0.6) {
        sheet.newPage();
        if (headHeight <= page.height * 0.3) repeatHead(head, place);
      }
      drawRow(row, false, place);
    }
  });
}

/** Where and how a table is drawn. */
type Place = Pick<Table, 'isPlain' | 'isBoxed'> & { sheet: Paper; indent: Indent };

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
    picturesHeight: sum(pictures.map(({ height }) => height + pictureGap)),
    width,
    align,
    isHeader: cell.isHeader === true,
  };
}

function repeatHead(head: readonly LaidOut[][], place: Place): void {
  place.sheet.tags.within('TR', {}, () => {
    for (const row of head) drawLines(row, { from: 0, count: lineCount(row), isFirst: true, isHead: true }, place);
  });
}

/** Draws a row, on as many sheets as it needs. */
function drawRow(row: readonly LaidOut[], isHead: boolean, place: Place): void {
  const { sheet } = place;
  const count = lineCount(row);
  const pictures = most(row.map((cell) => cell.picturesHeight));
  sheet.need(Math.min(pictures > 0 ? heightOf(row) : lineHeight + padding * 2, page.height));
  sheet.tags.within('TR', {}, () => {
    for (let from = 0; from < count || from === 0;) {
      const fits = from === 0 && heightOf(row) <= sheet.room;
      const room = fits ? Infinity : sheet.room - padding * 2 - (from === 0 ? pictures : 0);
      const part = Math.min(Math.max(1, Math.floor(room / lineHeight)), Math.max(count - from, 1));
      drawLines(row, { from, count: Math.min(part, count - from), isFirst: from === 0, isHead }, place);
      from += part;
      if (from < count) sheet.newPage();
    }
  });
}

function drawLines(
  row: readonly LaidOut[],
  { from, count, isFirst, isHead }: { from: number; count: number; isFirst: boolean; isHead: boolean },
  { sheet, indent, isPlain, isBoxed }: Place,
): void {
  const drawn = row.map(({ lines, picturesHeight }) => {
    const part = Math.min(count, Math.max(lines.length - from, 0));
    return part * lineHeight + (isFirst ? picturesHeight : 0);
  });
  const height = Math.max(lineHeight, most(drawn)) + padding * 2;
  const top = sheet.y;
  if (isHead) sheet.panel(indent.left, top, indent.width, height);
  let left = indent.left + padding;
  for (const cell of row) {
    const tag = cell.isHeader ? 'TH' : 'TD';
    sheet.tags.within(tag, cell.isHeader ? { scope: isHead ? 'Column' : 'Row' } : {}, () => {
      sheet.y = top + padding;
      for (const { draw, width, height: pictureHeight, alt } of isFirst ? cell.pictures : []) {
        sheet.picture(draw, left, width, pictureHeight, alt);
        sheet.y += pictureHeight + pictureGap;
      }
      for (const [index, line] of cell.lines.slice(from, from + count).entries()) {
        sheet.drawLine(line, left, sheet.y + index * lineHeight, lineHeight, cell.align, cell.width);
      }
    });
    if (isBoxed) sheet.box(left - padding + 2, top + 2, cell.width + padding * 2 - 4, height - 4);
    left += cell.width + padding * 2;
  }
  sheet.y = top + height;
  if (!isPlain) sheet.rule(indent, sheet.y, 0.5);
}

const lineCount = (row: readonly LaidOut[]) => most(row.map((cell) => cell.lines.length));
const heightOf = (row: readonly LaidOut[]) =>
  Math.max(lineHeight, most(row.map(({ lines, picturesHeight }) => picturesHeight + lines.length * lineHeight))) +
  padding * 2;

/** As wide as the content needs. If that is too much, wide columns shrink. */
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

/** Longer words are always divided. */
const maxWord = 100;

function widestWord(sheet: Paper, runs: readonly Run[]): number {
  const formulas = runs.map(({ formula, size: own = size }) => (formula?.width ?? 0) * own);
  const texts = runs.filter(({ formula }) => !formula);
  const words = texts.flatMap((run) => run.text.split(/\s+/).map((text) => ({ ...run, text: text.slice(0, maxWord) })));
  return most([...formulas, ...words.map((word) => widthOf(sheet.fonts.pieces(word, word.size ?? size)))]);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const most = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), 0);
