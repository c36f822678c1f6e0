import { UsageError } from '../program/failure.ts';
import { fieldsFor, type Field } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';
import { plainText } from './value.ts';
import { valueAt } from '../../shared/value-at.ts';
import { escapeOf, hasHidden, visible, visibleLines } from '../../shared/visible.ts';

type RowsOf = (items: unknown[]) => unknown[];

const itself: RowsOf = (items) => items;

const special = /[\\\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;
const shortEscapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/**
 * The text of a TSV cell: backslash, tab, newline and the characters that act on a terminal (output of a pipe often ends
 * there) are escaped as in JSON, so that the text can be restored.
 */
export function tsvCell(text: string): string {
  if (!text.includes('\\') && !hasHidden(text)) return text;
  return text.replace(special, (char) => shortEscapes[char] ?? escapeOf(char));
}

export function createTsvWriter(options: OutputOptions, columns: readonly Column[], rowsOf = itself): Writer {
  const lineOf = (cells: string[]) => `${cells.map(tsvCell).join('\t')}\n`;
  return createRowWriter(options, columns, rowsOf, options.header === true, (rows) => rows.map(lineOf).join(''));
}

export function createCsvWriter(options: OutputOptions, columns: readonly Column[], rowsOf = itself): Writer {
  return createRowWriter(options, columns, rowsOf, options.header !== false, async (rows) => {
    const { stringify } = await import('csv-stringify/sync');
    const text = stringify(rows.map(withoutFormulas));
    return options.terminal ? visibleLines(text) : text;
  });
}

// A spreadsheet that separates cells by semicolons (as in most of Europe) or tabs ignores the quotes around a cell that is
// not the first of its row. Then each part behind such a character, and each line, is a cell.
const formulaStart = /^(?=[=+\-@＝＋－＠\t\r\n])|(?<=[;\t\r\n])(?="*[=+\-@＝＋－＠])|(?<=;)(?=[\t\r])/g;
const plainNumber = /^[+-]?\d+([.,]\d+)?([eE][+-]?\d+)?$/;
const signed = /^[+-]/;
/** Text that continues a number as a formula and calls a function or a program. */
const restOfFormula = /^"?[\s\d.]*[-+*/^&=<>%][^;\n]*[(|!]/;

/** The text with an apostrophe if a spreadsheet would compute it: it then shows the text instead. */
export function withoutFormula(text: string): string {
  return plainNumber.test(text) ? text : text.replace(formulaStart, "'");
}

function withoutFormulas(row: string[]): string[] {
  const [first = '', ...rest] = row.map(withoutFormula);
  // Where cells are separated by semicolons, the number and the cells after it are one cell that starts with a sign.
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
  const headerOf = (all: Field[]) => (hasHeader ? [all.map(({ key }) => key)] : []);
  return {
    page(items) {
      if (items.length === 0) return '';
      const rows = rowsOf(items);
      const isFirst = fields === undefined;
      const rowFields = (fields ??= fieldsFor(options, columns, rows));
      const cells = rows.map((item) => rowFields.map((field) => plainText(field.read(item), field.kind)));
      return textOf(isFirst ? [...headerOf(rowFields), ...cells] : cells);
    },
    end() {
      // Of an empty list, the columns are known only if the user or the command names them.
      const hasColumns = options.columns !== undefined || columns.length > 0;
      const header = fields === undefined && hasColumns ? headerOf(fieldsFor(options, columns, [])) : [];
      return header.length > 0 ? textOf(header) : '';
    },
  };
}

export function createIdWriter(options: OutputOptions, columns: readonly Column[], rowsOf = itself): Writer {
  let readId: ((item: unknown) => unknown) | undefined;
  const lineOf = (item: unknown) => {
    const id = readId?.(item);
    if (id === undefined || id === null || id === '')
      throw new UsageError('These results have no id to print. Choose a field with --columns, or another --output.');
    return `${visible(plainText(id))}\n`;
  };
  return {
    page(items) {
      const rows = rowsOf(items);
      if (rows.length > 0) readId ??= idReader(options, columns, rows);
      return rows.map(lineOf).join('');
    },
  };
}

function idReader(options: OutputOptions, columns: readonly Column[], rows: unknown[]): (item: unknown) => unknown {
  if (options.columns) {
    const [field, ...others] = fieldsFor(options, columns, rows);
    if (!field || others.length > 0)
      throw new UsageError('--output id prints one field: give --columns one name, or none.');
    return field.read;
  }
  const column = columns.find(({ kind }) => kind === 'id');
  const paths = [options.idKey, 'id', 'slug', 'name', column?.key].filter((path) => path !== undefined);
  return (item) => paths.map((path) => valueAt(item, path)).find((value) => value !== undefined && value !== null);
}
