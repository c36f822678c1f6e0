import type { Invocation } from '../../cli/command/command.ts';
import { type Column, createListOutput, type OutputOptions } from '../../cli/output/index.ts';

/** How many rows are printed at once. The first ones determine the widths of a table's columns. */
const rowsPrinted = 200;

interface Printing<Row> {
  options: OutputOptions;
  columns: readonly Column<Row>[];
  /** The rows of each member. */
  rows: AsyncIterable<Row[]>;
  /** The number of members, once it is known. */
  total(): number | undefined;
}

/**
 * Prints the rows that match `--filter` while members are read, or after all are read with `--sort-by`.
 *
 * @returns the number of printed rows
 */
export async function printRows<Row>(
  { io, selection }: Pick<Invocation, 'io' | 'selection'>,
  { options, columns, rows: source, total }: Printing<Row>,
): Promise<number> {
  const progress = io.progress('Reading members');
  const output = createListOutput(options, columns, progress.above(io.out));
  const { select } = selection ? await import('../../cli/command/filter/selection.ts') : {};
  const isSorted = selection !== undefined && selection.keys.length > 0;
  let [done, printed]: [number, number] = [0, 0];
  let rows: unknown[] = [];
  const flush = async () => {
    const selected = selection && select ? select(selection, rows) : rows;
    rows = [];
    printed += selected.length;
    // The first page determines the widths of a table, so it must have rows.
    if (selected.length > 0) await output.page(selected);
  };
  try {
    for await (const memberRows of source) {
      progress.count(++done, total());
      rows.push(...memberRows);
      if (rows.length >= rowsPrinted && !isSorted) await flush();
    }
    await flush();
    await output.end();
    return printed;
  } catch (error) {
    await output.abort();
    throw error;
  } finally {
    progress.stop();
  }
}
