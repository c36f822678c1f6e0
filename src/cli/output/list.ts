import { createCsvWriter, createIdWriter, createTsvWriter } from './delimited.ts';
import { OutputError } from './error.ts';
import { fieldsFor, pickerOf } from './field.ts';
import { createJqWriter } from './jq/load-jq.ts';
import { createJsonLinesWriter, createJsonWriter } from './json.ts';
import type { Column, ListOutput, OutputOptions, Sink, Writer } from './options.ts';
import { flatRows, treeRows, type Row } from './rows.ts';
import { createTableWriter } from './table.ts';
import { withTitles } from './titles.ts';
import { createYamlWriter } from './yaml.ts';

/** Prints a list page by page; only `--jq` keeps the items in memory. @throws OutputError for options that cannot be combined */
export function createListOutput(options: OutputOptions, columns: readonly Column[], sink: Sink): ListOutput {
  return outputOf(options, columns, flatRows, sink);
}

/**
 * As `createListOutput`, for items with children: a tree in tables, one row per item in CSV, TSV and ids, the items
 * unchanged in JSON and YAML.
 */
export function createTreeOutput<Item>(
  options: OutputOptions,
  columns: readonly Column[],
  sink: Sink,
  children: (item: Item) => unknown[] | undefined,
): ListOutput;
export function createTreeOutput(
  options: OutputOptions,
  columns: readonly Column[],
  sink: Sink,
  children: (item: unknown) => unknown[] | undefined,
): ListOutput {
  return outputOf(options, columns, (items) => treeRows(items, children), sink);
}

type RowsOf = (items: unknown[]) => Row[];

function outputOf(options: OutputOptions, columns: readonly Column[], rowsOf: RowsOf, sink: Sink): ListOutput {
  const writer = writerFor(options, columns, rowsOf);
  let isEmpty = true;
  const put = async (text: string) => {
    if (text !== '') await sink.write(text);
  };
  return {
    async page(items) {
      isEmpty &&= items.length === 0;
      await put(await writer.page(items));
    },
    async end() {
      // Without items, nothing else has looked at the names that the user chose.
      if (isEmpty && options.columns) fieldsFor(options, columns, []);
      await put(await writer.end());
    },
    abort: async () => put(writer.abort()),
  };
}

function writerFor(options: OutputOptions, columns: readonly Column[], rowsOf: RowsOf): Writer {
  if (options.jq !== undefined) return createJqWriter(options, columns);
  const itemsOf = (items: unknown[]) => rowsOf(items).map(({ item }) => item);
  switch (options.format ?? (options.terminal ? 'table' : 'tsv')) {
    case 'table':
      return withTitles(options, columns, itemsOf, (...shown) => createTableWriter(...shown, rowsOf));
    case 'tsv':
      return withTitles(options, columns, itemsOf, (...shown) => createTsvWriter(...shown, itemsOf));
    case 'csv':
      return withTitles(options, columns, itemsOf, (...shown) => createCsvWriter(...shown, itemsOf));
    case 'id':
      return createIdWriter(options, columns, itemsOf);
    case 'json':
      return withColumns(options, columns, createJsonWriter(options));
    case 'jsonl':
      return withColumns(options, columns, createJsonLinesWriter(options));
    case 'yaml':
      return withColumns(options, columns, createYamlWriter());
    default:
      throw new OutputError(`There is no output format "${options.format}".`);
  }
}

/** The writer, given only the members that `--columns` names. */
function withColumns(options: OutputOptions, columns: readonly Column[], writer: Writer): Writer {
  if (!options.columns) return writer;
  let pick: ((item: unknown) => unknown) | undefined;
  return {
    ...writer,
    page(items) {
      if (items.length > 0) pick ??= pickerOf(fieldsFor(options, columns, items));
      return writer.page(pick ? items.map(pick) : items);
    },
  };
}
