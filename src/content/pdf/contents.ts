import { colours, page as paper, type Paper } from './paper.ts';
import { lineOf, linesOf } from './text/lines.ts';
import type { Line } from './text/run.ts';

/** A page in the table of contents. */
export interface ContentsEntry {
  id: string;
  title: string;
  depth: number;
  /** The index of its first sheet, from 0. */
  sheetIndex: number;
}

const size = 10.5;
const lineHeight = 19;
const linesPerSheet = Math.floor(paper.height / lineHeight);

function titleLines(sheet: Paper, title: string): Line[] {
  return linesOf(sheet.fonts, [{ text: title, bold: true, size: 26, colour: colours.heading }], paper.width, 26);
}

const titleLineHeight = 31;
const aboveTitle = 36;
const belowTitle = 24;

function linesOnFirst(sheet: Paper, title: string): number {
  const used = aboveTitle + titleLines(sheet, title).length * titleLineHeight + belowTitle;
  return Math.max(1, Math.floor((paper.height - used) / lineHeight));
}

/** The number of sheets that a table of contents with this many lines needs. */
export function contentsSheets(sheet: Paper, lines: number, title: string): number {
  return 1 + Math.max(0, Math.ceil((lines - linesOnFirst(sheet, title)) / linesPerSheet));
}

/** Draws the title and table of contents on separate sheets at the start of the document. */
export function drawContents(sheet: Paper, title: string, entries: readonly ContentsEntry[], sheets: number): void {
  const outermost = entries.reduce((least, { depth }) => Math.min(least, depth), Infinity);
  sheet.index = -1;
  sheet.newPage();
  sheet.y += aboveTitle;
  sheet.tags.within('H1', {}, () => {
    for (const line of titleLines(sheet, title)) {
      sheet.drawLine(line, paper.left, sheet.y, titleLineHeight, undefined, paper.width);
      sheet.y += titleLineHeight;
    }
  });
  sheet.y += belowTitle;
  const onFirst = linesOnFirst(sheet, title);
  sheet.tags.within('TOC', {}, () => {
    for (const [index, entry] of entries.entries()) {
      if (index >= onFirst && (index - onFirst) % linesPerSheet === 0) sheet.newPage();
      drawEntry(sheet, entry, Math.min(entry.depth - outermost, 6) * 16, entry.depth === outermost);
    }
  });
  sheet.moveLastToFront(sheets);
}

function drawEntry(sheet: Paper, { id, title, sheetIndex }: ContentsEntry, indent: number, bold: boolean): void {
  const { y } = sheet;
  const number = lineOf(sheet.fonts, { text: String(sheetIndex + 1), colour: colours.quiet }, size);
  const room = paper.width - indent - number.width - 24;
  const line = sheet.shortened({ text: title, bold, colour: colours.text }, room, size);
  const left = paper.left + indent;
  sheet.tags.within('TOCI', {}, () =>
    sheet.tags.within('Link', {}, (element) => {
      sheet.drawLine(line, left, y, lineHeight, 'left');
      sheet.drawLine(number, paper.left, y, lineHeight, 'right', paper.width);
      sheet.linkArea({ to: id }, { x: left, y, width: paper.width - indent, height: lineHeight }, element);
    }),
  );
  drawDots(sheet, left + line.width + 8, paper.left + paper.width - number.width - 8, y + lineHeight / 2 + 3.5);
  sheet.y += lineHeight;
}

function drawDots({ document, tags }: Paper, from: number, to: number, y: number): void {
  if (to <= from) return;
  tags.artifact();
  document.moveTo(from, y).lineTo(to, y).lineWidth(0.5).dash(1, { space: 3 }).stroke(colours.rule).undash();
}
