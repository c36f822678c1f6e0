import { type Indent, page, type Paper } from './paper.ts';
import type { Line, Run } from './text.ts';

/** In points. */
const size = 9.5;
const lineHeight = size * 1.4;
const padding = 5;
const minColumnWidth = 24;

/** Number of rows whose content decides the widths of the columns. */
const measuredRows = 200;

type Align = 'left' | 'center' | 'right' | null | undefined;

/** The runs of each cell, by row; the first row is the header. */
export type TableRows = readonly Run[][][];

interface Cell {
  lines: Line[];
  width: number;
  align: Align;
}

/** Draws a table; its header is repeated on each sheet on which a row begins. */
export function drawTable(sheet: Paper, content: TableRows, aligns: readonly Align[], indent: Indent): void {
  const rows = content.map((row) =>
    row.map((cell) =>
      cell.map((run) => ({ ...run, bold: run.bold || row === content[0], size: run.code ? size * 0.92 : size })),
    ),
  );
  const widths = columnWidths(sheet, rows, indent.width);
  // Rows may be shorter than the longest: no cells are added to them.
  const [header = [], ...body] = rows.map((row) =>
    row.map((runs, column): Cell => {
      const width = (widths[column] ?? minColumnWidth) - padding * 2;
      return { lines: sheet.fonts.lines(runs, width, size), width, align: aligns[column] };
    }),
  );
  sheet.need((lineCount(header) + 1) * lineHeight + padding * 4);
  const isHeaderEmpty = rows[0]?.every((cell) => cell.every((run) => run.text.trim() === ''));
  if (!isHeaderEmpty) drawRow(sheet, header, indent, true);
  for (const row of body) {
    const height = lineCount(row) * lineHeight + padding * 2;
    if (height > sheet.room && height <= page.height * 0.6) {
      sheet.newPage();
      drawLines(sheet, header, indent, { from: 0, count: lineCount(header) }, true);
    }
    drawRow(sheet, row, indent, false);
  }
}

const lineCount = (row: readonly Cell[]) => Math.max(1, most(row.map((cell) => cell.lines.length)));

/** Draws a row, on as many sheets as it needs. */
function drawRow(sheet: Paper, row: readonly Cell[], indent: Indent, isHeader: boolean): void {
  const count = lineCount(row);
  for (let from = 0; from < count;) {
    const fitting = Math.max(1, Math.floor((sheet.room - padding * 2) / lineHeight));
    const part = Math.min(fitting, count - from);
    drawLines(sheet, row, indent, { from, count: part }, isHeader);
    from += part;
    if (from < count) sheet.newPage();
  }
}

function drawLines(
  sheet: Paper,
  row: readonly Cell[],
  indent: Indent,
  { from, count }: { from: number; count: number },
  isHeader: boolean,
): void {
  const height = count * lineHeight + padding * 2;
  if (isHeader) sheet.panel(indent.left, sheet.y, indent.width, height);
  let left = indent.left + padding;
  for (const { lines, width, align } of row) {
    for (const [index, line] of lines.slice(from, from + count).entries()) {
      sheet.drawLine(line, left, sheet.y + padding + index * lineHeight, lineHeight, align ?? 'left', width);
    }
    left += width + padding * 2;
  }
  sheet.y += height;
  sheet.rule(indent, sheet.y, 0.5);
}

/** As wide as the content needs; what exceeds the whole width is taken from the wide columns. */
function columnWidths(sheet: Paper, rows: TableRows, width: number): number[] {
  const count = Math.max(1, most(rows.map((row) => row.length)));
  const columns = Array.from({ length: count }, () => ({ wished: minColumnWidth, least: minColumnWidth }));
  for (const row of rows.slice(0, measuredRows)) {
    for (const [index, column] of columns.entries()) {
      const runs = row[index];
      if (!runs) continue;
      const whole = sheet.fonts.lines(runs, 10_000, size);
      column.wished = Math.max(column.wished, most(whole.map((line) => line.width + padding * 2 + 1)));
      for (const word of runs.flatMap((run) => run.text.split(/\s+/).map((text) => ({ ...run, text })))) {
        const pieces = sheet.fonts.pieces(word, word.size ?? size);
        const wordWidth = sum(pieces.map((piece) => piece.width));
        column.least = Math.max(column.least, Math.min(wordWidth + padding * 2 + 1, width / 2));
      }
    }
  }
  const total = sum(columns.map(({ wished }) => wished));
  if (total <= width) return columns.map(({ wished }) => (wished / total) * width);
  const minimum = sum(columns.map(({ least }) => least));
  if (minimum >= width) return columns.map(({ least }) => (least / minimum) * width);
  return columns.map(({ wished, least }) => least + ((wished - least) / (total - minimum)) * (width - minimum));
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

const most = (numbers: readonly number[]) => numbers.reduce((one, other) => Math.max(one, other), 0);
