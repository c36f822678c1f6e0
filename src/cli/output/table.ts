import type CliTable from 'cli-table3';
import { fieldsFor, type Field } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';
import { loadPaint, type Paint } from './paint.ts';
import type { Row } from './rows.ts';
import { loadTextWidth, type TextWidth } from './text-width.ts';
import { plainText, shortText } from './value.ts';
import { visible } from './visible.ts';

const gap = 2;
/** Of a cell where nothing limits a line; all of it is in every other format. */
const widestCell = 500;
// Letters may consist of many characters, but not of more than this on the average.
const charactersOfColumn = 20;

/** How the rows are laid out; without widths not even the columns that matter fit, and each item becomes a card. */
interface Layout {
  fields: Field[];
  natural: number[];
  widths: number[] | undefined;
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
      if (layout.widths && !isFirst) layout = widened(layout, rows, options, tools);
      if (layout.widths === undefined) return stackedText(layout.fields, rows, options, tools, isFirst);
      const hasHeader = isFirst && options.header !== false;
      return tableText(layout.fields, layout.widths, rows, options, tools, hasHeader);
    },
    end: () => '',
    abort: () => '',
  };
}

async function loadTools(options: OutputOptions): Promise<Tools> {
  const [{ default: Table }, width, paint] = await Promise.all([
    import('cli-table3'),
    loadTextWidth(),
    loadPaint(options.color),
  ]);
  return { ...width, paint, Table };
}

/** The text of a cell as people read it, not yet cut. */
export const cellText = (field: Field, item: unknown, options: OutputOptions): string =>
  visible(rawText(field, item, options));

function rawText(field: Field, item: unknown, options: OutputOptions): string {
  const value = field.read(item);
  // Elsewhere than in a terminal a table may be kept and read later, when "3 days ago" is no longer true.
  const isMoment = field.kind === 'date' && !options.terminal;
  return isMoment ? plainText(value) : shortText(value, field.kind, options.now);
}

const mostOf = ({ kind }: Field, { width }: OutputOptions) =>
  kind === 'id' ? Number.POSITIVE_INFINITY : width === Number.POSITIVE_INFINITY ? widestCell : width;

/** As much of a cell's text as can be shown: what nobody sees is neither measured nor made visible. */
function beginningOf(field: Field, item: unknown, options: OutputOptions): string {
  const text = rawText(field, item, options);
  const most = mostOf(field, options) * charactersOfColumn;
  return visible(text.length > most ? `${text.slice(0, most)}…` : text);
}

export function toneOf(field: Field, item: unknown) {
  const value = field.style && field.read(item);
  const key = typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number' ? String(value) : '';
  return field.style && Object.hasOwn(field.style, key) ? field.style[key] : undefined;
}

function firstLayout(options: OutputOptions, columns: readonly Column[], rows: Row[], tools: Tools): Layout {
  const items = rows.map(({ item }) => item);
  const fields = fieldsFor(options, columns, items);
  const natural = naturalWidths(fields, rows, options, tools);
  const shown = fields.map((field, index) => ({ field, natural: natural[index]! }));
  // What the user asked for by name is not left out.
  while (!options.columns && shown.length > 1 && !fits(shown, comfortable, options.width)) {
    const last = shown.findLastIndex(({ field }) => field.optional);
    if (last === -1) break;
    shown.splice(last, 1);
  }
  return settled(
    shown.map(({ field }) => field),
    shown.map((each) => each.natural),
    options,
  );
}

/** Widths once settled stay, unless on a later page they would cut an id, or a text for which there is still room. */
function widened(layout: Layout, rows: Row[], options: OutputOptions, tools: Tools): Layout {
  const { fields, widths = [] } = layout;
  const hasRoom = totalOf(widths) < options.width;
  const needed = naturalWidths(fields, rows, options, tools).map((width, index) =>
    hasRoom || fields[index]!.kind === 'id' ? width : 0,
  );
  if (needed.every((width, index) => width <= widths[index]!)) return layout;
  const natural = needed.map((width, index) => Math.max(width, layout.natural[index]!));
  return settled(fields, natural, options);
}

function totalOf(widths: number[]): number {
  return widths.reduce((sum, width) => sum + width, gap * (widths.length - 1));
}

function naturalWidths(fields: Field[], rows: Row[], options: OutputOptions, tools: Tools): number[] {
  return fields.map((field, index) => {
    const limit = mostOf(field, options);
    let width = options.header === false ? 1 : tools.widthOf(headOf(field));
    for (const row of rows) {
      const guide = index === 0 ? row.guide.length : 0;
      width = Math.max(width, guide + Math.min(limit, tools.widthOf(beginningOf(field, row.item, options), limit)));
    }
    return width;
  });
}

type Sized = { field: Field; natural: number };
type Floor = (column: Sized) => number;

const floorOf =
  (text: number, word: number): Floor =>
  ({ field: { kind = 'text' }, natural }) =>
    kind === 'id' ? natural : Math.min(natural, kind === 'text' || kind === 'list' ? text : word);

// Below the first a reader guesses what was cut, below the second nothing is left to guess by.
const comfortable = floorOf(20, 14);
const least = floorOf(10, 10);

function fits(columns: Sized[], floor: Floor, width: number): boolean {
  return totalOf(columns.map(floor)) <= width;
}

function settled(fields: Field[], natural: number[], options: OutputOptions): Layout {
  const columns = fields.map((field, index) => ({ field, natural: natural[index]! }));
  const floor = [comfortable, least].find((each) => fits(columns, each, options.width));
  if (!floor) return { fields, natural, widths: undefined };
  const widths = columns.map(floor);
  let left = options.width - totalOf(widths);
  // The least wanting first: what it does not need of its share goes to those that want more.
  const wanting = [...widths.keys()].toSorted((a, b) => natural[a]! - widths[a]! - (natural[b]! - widths[b]!));
  for (const [done, index] of wanting.entries()) {
    const share = Math.min(natural[index]! - widths[index]!, Math.floor(left / (wanting.length - done)));
    widths[index]! += share;
    left -= share;
  }
  return { fields, natural, widths };
}

function headOf(field: Field): string {
  return field.title === field.key ? field.title : field.title.toUpperCase();
}

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
        const text = (index === 0 ? row.guide : '') + beginningOf(field, row.item, options);
        const shown = field.kind === 'id' ? text : cut(text, widths[index]!);
        const tone = toneOf(field, row.item);
        return { text: shown, painted: tone ? paint(shown, tone) : shown };
      }),
    ),
  );
  const heads = fields.map((field, index) => cut(headOf(field), widths[index]!));
  const header = hasHeader ? lineOf(heads.map((text) => ({ text, painted: paint(text, 'head') }))) : '';
  return header + lines.join('');
}

interface Cell {
  text: string;
  painted: string;
}

const borderless = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: ' '.repeat(gap),
};

const standIn = '\ue000';

/**
 * A line of the table with stand-ins where the texts go. It is drawn once: cli-table3 takes a tenth of a millisecond
 * for a line, and it counts widths by an old Unicode that would put newer emoji out of line.
 */
function frameOf(widths: number[], { Table }: Tools): string {
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 0 };
  const table = new Table({ chars: borderless, style, colWidths: widths });
  table.push(widths.map((width) => standIn.repeat(width)));
  return table.toString();
}

function filled(frame: string, fields: Field[], cells: Cell[], { widthOf }: Tools): string {
  let index = 0;
  const line = frame.replace(/\ue000+/g, (room) => {
    const { text, painted } = cells[index]!;
    const space = ' '.repeat(Math.max(0, room.length - widthOf(text)));
    return fields[index++]!.kind === 'number' ? space + painted : painted + space;
  });
  return `${line.trimEnd()}\n`;
}

/** One small card an item, for terminals too narrow for a table. */
function stackedText(fields: Field[], rows: Row[], options: OutputOptions, tools: Tools, isFirst: boolean): string {
  const { widthOf, cut, paint } = tools;
  const labels = fields.map(({ title }) => cut(`${title}:`, Math.floor(options.width / 2)));
  const labelWidth = Math.max(...labels.map((label) => widthOf(label)));
  const cards = rows.map((row) => {
    const indent = ' '.repeat(Math.min(2 * row.depth, Math.floor(options.width / 4)));
    const room = Math.max(1, options.width - indent.length - labelWidth - 1);
    const lines = fields.flatMap((field, index) => {
      const text = beginningOf(field, row.item, options);
      if (text === '') return [];
      const shown = field.kind === 'id' ? text : cut(text, room);
      const tone = toneOf(field, row.item);
      const label = labels[index]! + ' '.repeat(labelWidth - widthOf(labels[index]!));
      return [`${indent}${label} ${tone ? paint(shown, tone) : shown}\n`];
    });
    return lines.join('');
  });
  return (isFirst ? '' : '\n') + cards.join('\n');
}
