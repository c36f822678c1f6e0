import type { ObjectParam } from '../../contract/objects.ts';
import { fieldOf } from './field.ts';
import type { Column, OutputOptions, Writer } from './options.ts';

/** The same options and columns, if columns of ids show titles once these are loaded. */
export function titled(options: OutputOptions, columns: readonly Column[]) {
  const { titles, otherColumns = [] } = options;
  if (!titles) return { options, columns };
  const withTitle = (column: Column): Column => {
    const { names } = column;
    if (names === undefined) return column;
    const { read } = fieldOf(column);
    return {
      ...column,
      kind: 'text',
      value(item) {
        const id = read(item);
        return typeof id === 'string' ? (titles.titleOf(names, id) ?? id) : id;
      },
    };
  };
  return { options: { ...options, otherColumns: otherColumns.map(withTitle) }, columns: columns.map(withTitle) };
}

/** Loads the titles that the columns of these items show: of each kind of object at once. */
export async function loadTitles(
  { titles, columns: chosen, otherColumns = [] }: OutputOptions,
  columns: readonly Column[],
  items: readonly unknown[],
): Promise<void> {
  if (!titles) return;
  const printed = chosen ? [...columns, ...otherColumns].filter(({ key }) => chosen.includes(key)) : columns;
  const idsByParam = new Map<ObjectParam, Set<string>>();
  for (const column of printed) {
    if (column.names === undefined) continue;
    const ids = idsByParam.get(column.names) ?? new Set();
    idsByParam.set(column.names, ids);
    const { read } = fieldOf(column);
    for (const id of items.map(read)) if (typeof id === 'string') ids.add(id);
  }
  for (const [param, ids] of idsByParam) if (ids.size > 0) await titles.load(param, [...ids], items[0]);
}

/** The writer of a list for people, which loads the titles of a page before it prints the page. */
export function withTitles(
  options: OutputOptions,
  columns: readonly Column[],
  itemsOf: (items: unknown[]) => unknown[],
  open: (options: OutputOptions, columns: readonly Column[]) => Writer,
): Writer {
  const shown = titled(options, columns);
  const writer = open(shown.options, shown.columns);
  return {
    ...writer,
    async page(items) {
      await loadTitles(options, columns, itemsOf(items));
      return writer.page(items);
    },
  };
}
