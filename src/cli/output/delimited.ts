import { OutputError } from './error.ts';
import { fieldsFor, type Field } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';
import { plainText, valueAt } from './value.ts';
import { escapeOf, hasHidden, visible, visibleLines } from './visible.ts';

type RowsOf = (items: unknown[]) => unknown[];

const special = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const shortEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * A cell as it can stand between tabs: backslash, tab, newline and the characters that act on a terminal (the reader
 * of a pipe often prints to one) are escaped as in JSON, so that nothing is lost.
 */
export function tsvCell(text: string): string {
  if (!text.includes('\\') && !hasHidden(text)) return text;
  return text.replace(special, (char) => shortEscapes[char] ?? escapeOf(char));
}

export function createTsvWriter(options: OutputOptions, columns: readonly Column[], rowsOf: RowsOf): Writer {
  const lineOf = (cells: string[]) => `${cells.map(tsvCell).join('\t')}\n`;
  return createRowWriter(options, columns, rowsOf, options.header === true, (rows) => rows.map(lineOf).join(''));
}

export function createCsvWriter(options: OutputOptions, columns: readonly Column[], rowsOf: RowsOf): Writer {
  return createRowWriter(options, columns, rowsOf, options.header !== false, async (rows) => {
    const { stringify } = await import('csv-stringify/sync');
    const text = stringify(rows.map(withoutFormulas));
    return options.terminal ? visibleLines(text) : text;
  });
}

// Where a spreadsheet separates by semicolons (as in most of Europe) or tabs, the quotes around a cell that is not the
// first of its row mean nothing: each part of it, and each line, begins a cell.
const formulaStart = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n])(?="*[=+\-@＝＋－＠])|(?<=;)(?=[\t\r])/g;
const plainNumber = /^[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?$/;
const signed = /^[+-]/;
/** What would go on with the number before it, and call something. */
const restOfFormula = /^"?[\s\d.]*[-+*/^&=<>%][^;\n]*[(|!]/;

/** A spreadsheet shows what follows an apostrophe instead of computing it. */
export function withoutFormula(text: string): string {
  return plainNumber.test(text) ? text : text.replace(formulaStart, "'");
}

function withoutFormulas(row: string[]): string[] {
  const [first = '', ...rest] = row.map(withoutFormula);
  // Separated by semicolons, a number and the cells behind it are one cell that begins with its sign.
  const isFormula = signed.test(first) && restOfFormula.test(rest.join(','));
  return [isFormula ? `'${first}` : first, ...rest];
}

function createRowWriter(
  options: OutputOptions,
  columns: readonly Column[],
  rowsOf: RowsOf,
  hasHeader: boolean,
  textOf: (rows: string[][]) => string | Promise<string>,
): Writer {
  let fields: Field[] | undefined;
  const headerOf = (found: Field[]) => (hasHeader ? [found.map(({ key }) => key)] : []);
  return {
    page(items) {
      if (items.length === 0) return '';
      const rows = rowsOf(items);
      const isFirst = fields === undefined;
      const known = (fields ??= fieldsFor(options, columns, rows));
      const cells = rows.map((item) => known.map((field) => plainText(field.read(item), field.kind)));
      return textOf(isFirst ? [...headerOf(known), ...cells] : cells);
    },
    end() {
      // An empty list shows no members from which the columns could be known.
      const isKnown = options.columns !== undefined || columns.length > 0;
      const header = fields === undefined && isKnown ? headerOf(fieldsFor(options, columns, [])) : [];
      return header.length > 0 ? textOf(header) : '';
    },
    abort: () => '',
  };
}

export function createIdWriter(options: OutputOptions, columns: readonly Column[], rowsOf: RowsOf): Writer {
  let readId: ((item: unknown) => unknown) | undefined;
  const lineOf = (item: unknown) => {
    const id = readId?.(item);
    if (id === undefined || id === null || id === '') {
      throw new OutputError('These results have no id to print. Choose a field with --columns, or another --output.');
    }
    return `${visible(plainText(id))}\n`;
  };
  return {
    page(items) {
      const rows = rowsOf(items);
      if (rows.length > 0) readId ??= idReader(options, columns, rows);
      return rows.map(lineOf).join('');
    },
    end: () => '',
    abort: () => '',
  };
}

function idReader(options: OutputOptions, columns: readonly Column[], rows: unknown[]): (item: unknown) => unknown {
  if (options.columns) {
    const [field, ...others] = fieldsFor(options, columns, rows);
    if (others.length > 0) throw new OutputError('--output id prints one field: give --columns one name, or none.');
    return field!.read;
  }
  const column = columns.find(({ kind }) => kind === 'id');
  const paths = [options.idKey, 'id', 'slug', 'name', column?.key].filter((path) => path !== undefined);
  return (item) => paths.map((path) => valueAt(item, path)).find((value) => value !== undefined && value !== null);
}
