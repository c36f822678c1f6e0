import { valueAt } from '../../shared/value-at.ts';
import { createCsvWriter, createIdWriter, createTsvWriter } from './delimited.ts';
import { fieldOf, fieldsFor, pickerOf } from './field.ts';
import { createJqWriter } from './jq/load-jq.ts';
import { createJsonLinesWriter, createJsonWriter } from './json.ts';
import type { Column, ListOutput, OutputOptions, Sink, Writer } from './options.ts';
import { flatRows, treeRows, type Row } from './rows.ts';
import { createTableWriter } from './table.ts';
import { loadTitles, withTitles } from './titles.ts';
import { createYamlWriter } from './yaml.ts';

/** Prints a list page by page; only `--jq` keeps the items in memory. @throws UsageError for options that cannot be combined */
export function createListOutput(options: OutputOptions, columns: readonly Column[], sink: Sink): ListOutput {
  return outputOf(options, columns, flatRows, sink);
}

/** `children` is a method, so that callers can use the type of their items. */
interface Parents {
  children(item: unknown): unknown[] | undefined;
}

/**
 * Like `createListOutput`, but for items with children: a tree in tables, one row per item in CSV, TSV and ids, the items
 * unchanged in JSON and YAML.
 */
export function createTreeOutput(
  options: OutputOptions,
  columns: readonly Column[],
  sink: Sink,
  children: Parents['children'],
): ListOutput {
  return outputOf(options, columns, (items) => treeRows(items, children), sink);
}

/** An item of a flat list: of its members, only those that are printed. */
interface Kept {
  id: string | undefined;
  parent: string | undefined;
  item: unknown;
}

/** So many rows are measured and printed at once, and the descendants of the last. */
const rowsAtOnce = 1_000;

/** Collects a flat list, and prints it at its end as the tree that the parents of its items make. */
export function createFlatTreeOutput(
  options: OutputOptions,
  columns: readonly Column[],
  sink: Sink,
  parentOf: (item: unknown) => string | undefined,
): ListOutput {
  const all: Kept[] = [];
  let keep: ((item: unknown) => unknown) | undefined;
  return {
    async page(items) {
      if (items.length > 0) keep ??= shownOf(options, columns, items);
      for (const item of items) all.push({ id: idOf(item), parent: parentOf(item), item: keep?.(item) });
    },
    async end() {
      const ids = new Map(all.map(({ item, id }) => [item, id]));
      const known = new Set(ids.values());
      const byParent = Map.groupBy(all, ({ parent }) => (known.has(parent) ? parent : undefined));
      const children = (item: unknown) => byParent.get(ids.get(item))?.map((each) => each.item);
      // One request for the titles of all, not one for each part.
      await loadTitles(options, columns, [...ids.keys()]);
      const output = outputOf(options, columns, (items) => treeRows(items, children), sink);
      let part: unknown[] = [];
      let rows = 0;
      for (const { item } of byParent.get(undefined) ?? []) {
        part.push(item);
        rows += treeRows([item], children).length;
        if (rows < rowsAtOnce) continue;
        await output.page(part);
        part = [];
        rows = 0;
      }
      if (part.length > 0 || all.length === 0) await output.page(part);
      await output.end();
    },
    abort: async () => {},
  };
}

/** Gives a function that copies of an item only what is printed; what columns compute may need all of it. */
function shownOf(options: OutputOptions, columns: readonly Column[], items: unknown[]): (item: unknown) => unknown {
  const fields = fieldsFor(options, columns, items);
  if (fields.some(({ value }) => value)) return (item) => item;
  // Titles are looked up in the organization of the items.
  return pickerOf([...fields, ...['id', 'organization'].map((key) => fieldOf({ key }))]);
}

function idOf(item: unknown): string | undefined {
  const id = valueAt(item, 'id');
  return typeof id === 'string' ? id : undefined;
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
      await put((await writer.end?.()) ?? '');
    },
    abort: async () => put(writer.abort?.() ?? ''),
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
