import type CliTable from 'cli-table3';
import { fieldsFor, type Field } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';
import { addressOfCell, linked } from './hyperlink.ts';
import { loadPaint, type Paint } from './paint.ts';
import type { Row } from './rows.ts';
import { loadTextWidth, type TextWidth } from './text-width.ts';
import { plainText, shortText } from './value.ts';
import { visible } from '../../shared/visible.ts';

const gap = 2;
/** In a file a table has no width to fit: its cells are cut here. Every other format has the whole text. */
const maxCellWidth = 500;
/** An emoji may consist of many characters, but the average is below this. */
const maxCharactersPerColumn = 20;

/** The columns of the table and their widths. */
interface Layout {
  fields: Field[];
  /** The width that each column needs to show its longest text. */
  natural: number[];
  /** Undefined if the terminal is too narrow for a table: then each item is a small card. */
  widths: number[] | undefined;
  /** How many columns were skipped because the terminal is too narrow. */
  hidden: number;
}

interface Tools extends TextWidth {
  paint: Paint;
  Table: typeof CliTable;
}

export function createTableWriter(
  options: OutputOptions,
  columns: readonly Column[],
  rowsOf: (items: unknown[]) => Row[],
): Writer {
  let tools: Tools | undefined;
  let layout: Layout | undefined;

  return {
    async page(items) {
      if (items.length === 0) return '';
      const rows = rowsOf(items);
      const isFirst = layout === undefined;
      tools ??= await loadTools(options);
      layout ??= firstLayout(options, columns, rows, tools);
      if (layout.widths && !isFirst) layout = widenedFor(layout, rows, options, tools);
      if (layout.widths === undefined) return stackedText(layout.fields, rows, options, tools, isFirst);
      const hasHeader = isFirst && options.header !== false;
      return tableText(layout.fields, layout.widths, rows, options, tools, hasHeader);
    },
    async end() {
      if (layout && layout.hidden > 0 && options.terminal) await options.note?.(hiddenText(layout.hidden));
      return '';
    },
  };
}

const hiddenText = (count: number) => `${count} ${count === 1 ? 'column' : 'columns'} hidden; --columns or -o json`;

async function loadTools(options: OutputOptions): Promise<Tools> {
  const [{ default: Table }, width, paint] = await Promise.all([
    import('cli-table3'),
    loadTextWidth(),
    loadPaint(options.color),
  ]);
  return { ...width, paint, Table };
}

/** The whole text of a cell, for people. */
export const cellText = (field: Field, item: unknown, options: OutputOptions): string =>
  visible(rawText(field, item, options));

function rawText(field: Field, item: unknown, options: OutputOptions): string {
  const value = field.read(item);
  // A table in a file may be read later, when "3 days ago" is no longer true.
  const isExactDate = field.kind === 'date' && !options.terminal;
  return isExactDate ? plainText(value) : shortText(value, field.kind, options.now);
}

const maxWidthOf = ({ kind }: Field, { width }: OutputOptions) =>
  kind === 'id' ? Number.POSITIVE_INFINITY : width === Number.POSITIVE_INFINITY ? maxCellWidth : width;

/** The beginning of a cell's text: no more than can be shown is measured and made visible. */
function startOf(field: Field, item: unknown, options: OutputOptions): string {
  const text = rawText(field, item, options);
  const maxLength = maxWidthOf(field, options) * maxCharactersPerColumn;
  return visible(text.length > maxLength ? `${text.slice(0, maxLength)}…` : text);
}

export function toneOf(field: Field, item: unknown) {
  const value = field.style && field.read(item);
  const key = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : '';
  return field.style && Object.hasOwn(field.style, key) ? field.style[key] : undefined;
}

function firstLayout(options: OutputOptions, columns: readonly Column[], rows: Row[], tools: Tools): Layout {
  const items = rows.map(({ item }) => item);
  const fields = fieldsFor(options, columns, items);
  const columnsLeft = fields.map((field, index) => ({
    field,
    natural: naturalWidth(field, index, rows, options, tools),
  }));
  // Columns that the user chose are not left out.
  while (!options.columns && columnsLeft.length > 1 && !fits(columnsLeft, comfortable, options.width)) {
    const last = columnsLeft.findLastIndex(({ field }) => field.optional);
    if (last === -1) break;
    columnsLeft.splice(last, 1);
  }
  return layoutOf(columnsLeft, options, fields.length - columnsLeft.length);
}

/** The same layout, unless on a later page it would cut an id, or a text for which there is still room. */
function widenedFor(layout: Layout, rows: Row[], options: OutputOptions, tools: Tools): Layout {
  const { fields, widths = [] } = layout;
  const hasRoom = totalOf(widths) < options.width;
  const columns = fields.map((field, index) => ({
    field,
    width: widths[index] ?? 0,
    natural: layout.natural[index] ?? 0,
    needed: hasRoom || field.kind === 'id' ? naturalWidth(field, index, rows, options, tools) : 0,
  }));
  if (columns.every(({ needed, width }) => needed <= width)) return layout;
  return layoutOf(
    columns.map(({ field, natural, needed }) => ({ field, natural: Math.max(natural, needed) })),
    options,
    layout.hidden,
  );
}

function totalOf(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
}

/** The width that the longest text of a column needs, its heading included. */
function naturalWidth(field: Field, index: number, rows: Row[], options: OutputOptions, tools: Tools): number {
  const limit = maxWidthOf(field, options);
  let width = options.header === false ? 1 : tools.widthOf(headOf(field));
  for (const row of rows) {
    const guide = index === 0 ? row.guide.length : 0;
    width = Math.max(width, guide + Math.min(limit, tools.widthOf(startOf(field, row.item, options), limit)));
  }
  return width;
}

type SizedColumn = { field: Field; natural: number };
type MinWidth = (column: SizedColumn) => number;

const minWidthOf =
  (text: number, word: number): MinWidth =>
  ({ field: { kind = 'text' }, natural }) =>
    kind === 'id' ? natural : Math.min(natural, kind === 'text' || kind === 'list' ? text : word);

// Texts cut to the first widths can still be understood, texts cut to the second can still be distinguished.
const comfortable = minWidthOf(20, 14);
const smallest = minWidthOf(10, 10);

function fits(columns: SizedColumn[], minWidth: MinWidth, width: number): boolean {
  return totalOf(columns.map(minWidth)) <= width;
}

/** Gives each column its minimum, and shares the rest of the width among those that need more. */
function layoutOf(columns: SizedColumn[], options: OutputOptions, hidden: number): Layout {
  const layout = { fields: columns.map(({ field }) => field), natural: columns.map(({ natural }) => natural), hidden };
  const minWidth = [comfortable, smallest].find((each) => fits(columns, each, options.width));
  if (!minWidth) return { ...layout, widths: undefined };
  const widths = columns.map(minWidth);
  let left = options.width - totalOf(widths);
  const needs = columns
    .map((column, index) => ({ index, need: column.natural - minWidth(column) }))
    .toSorted((a, b) => a.need - b.need);
  // The smallest need first: what a column does not take of its share is left to the others.
  for (const [done, { index, need }] of needs.entries()) {
    const share = Math.min(need, Math.floor(left / (needs.length - done)));
    widths[index] = (widths[index] ?? 0) + share;
    left -= share;
  }
  return { ...layout, widths };
}

const headOf = (field: Field): string => field.title.toUpperCase();

function tableText(
  fields: Field[],
  widths: number[],
  rows: Row[],
  options: OutputOptions,
  tools: Tools,
  hasHeader: boolean,
): string {
  const { cut, paint } = tools;
  const frame = frameOf(widths, tools);
  const lineOf = (cells: Cell[]) => filled(frame, fields, cells, tools);
  const lines = rows.map((row) =>
    lineOf(
      fields.map((field, index) => {
        const text = (index === 0 ? row.guide : '') + startOf(field, row.item, options);
        const cell = field.kind === 'id' ? text : cut(text, widths[index] ?? 0);
        const tone = toneOf(field, row.item);
        const painted = tone ? paint(cell, tone) : cell;
        const address = options.links ? addressOfCell(field.read(row.item), row.item, index === 0) : undefined;
        return { text: cell, painted: address === undefined || cell === '' ? painted : linked(painted, address) };
      }),
    ),
  );
  const heads = fields.map((field, index) => cut(headOf(field), widths[index] ?? 0));
  const header = hasHeader ? lineOf(heads.map((text) => ({ text, painted: paint(text, 'head') }))) : '';
  return header + lines.join('');
}

interface Cell {
  text: string;
  painted: string;
}

const placeholder = '\ue000';

/**
 * A line of the table with placeholders for the texts. cli-table3 counts widths by old Unicode tables, which would misalign
 * newer emoji, and a command that prints 50 rows would take 1.3 times as long (`bench/README.md`).
 */
function frameOf(widths: number[], { Table }: Tools): string {
  const borders = Object.keys(new Table().options.chars).map((name) => [name, '']);
  const chars = { ...Object.fromEntries(borders), middle: ' '.repeat(gap) };
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars, style, colWidths: widths });
  table.push(widths.map((width) => placeholder.repeat(width)));
  return table.toString();
}

function filled(frame: string, fields: Field[], cells: Cell[], { widthOf }: Tools): string {
  let index = 0;
  const line = frame.replace(/\ue000+/g, (room) => {
    const { text = '', painted = '' } = cells[index] ?? {};
    const space = ' '.repeat(Math.max(0, room.length - widthOf(text)));
    return fields[index++]?.kind === 'number' ? space + painted : painted + space;
  });
  return `${line.trimEnd()}\n`;
}

/** One small card per item, for terminals too narrow for a table. */
function stackedText(fields: Field[], rows: Row[], options: OutputOptions, tools: Tools, isFirst: boolean): string {
  const { widthOf, cut, paint } = tools;
  const labels = fields.map(({ title }) => cut(`${title}:`, Math.floor(options.width / 2)));
  const labelWidth = Math.max(...labels.map((label) => widthOf(label)));
  const cards = rows.map((row) => {
    const indent = ' '.repeat(Math.min(2 * row.depth, Math.floor(options.width / 4)));
    const room = Math.max(1, options.width - indent.length - labelWidth - 1);
    const lines = fields.flatMap((field, index) => {
      const text = startOf(field, row.item, options);
      if (text === '') return [];
      const value = field.kind === 'id' ? text : cut(text, room);
      const tone = toneOf(field, row.item);
      const label = labels[index] ?? '';
      const space = ' '.repeat(labelWidth - widthOf(label) + 1);
      return [`${indent}${label}${space}${tone ? paint(value, tone) : value}\n`];
    });
    return lines.join('');
  });
  return (isFirst ? '' : '\n') + cards.join('\n');
}
