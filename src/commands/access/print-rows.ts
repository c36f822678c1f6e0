import type { Invocation } from '../../cli/command/command.ts';
import { type Column, createListOutput, createProgress, type OutputOptions } from '../../cli/output/index.ts';

/** Rows that are printed at once: the columns of a table are as wide as the first of these need. */
const rowsPrinted = 200;

interface Printing<Row> {
  options: OutputOptions;
  columns: readonly Column<Row>[];
  /** The rows of one member after those of another. */
  rows: AsyncIterable<Row[]>;
  /** The number of members, once it is known. */
  total(): number | undefined;
}

/**
 * Prints rows as members are read, as far as `--filter` lets them pass; with `--sort-by`, when all are read.
 *
 * @returns the number of printed rows
 */
export async function printRows<Row>(
  { io, selection }: Pick<Invocation, 'io' | 'selection'>,
  { options, columns, rows: source, total }: Printing<Row>,
): Promise<number> {
  const progress = createProgress('Reading members', { animated: io.canAnimate, quiet: io.quiet });
  const output = createListOutput(options, columns, progress.above(io.out));
  const { select } = selection ? await import('../../cli/command/filter/selection.ts') : {};
  const isSorted = selection !== undefined && selection.keys.length > 0;
  let [done, printed]: [number, number] = [0, 0];
  let rows: unknown[] = [];
  const flush = async () => {
    const selected = selection && select ? select(selection, rows) : rows;
    rows = [];
    printed += selected.length;
    // The first page decides the widths of a table: it must have rows.
    if (selected.length > 0) await output.page(selected);
  };
  try {
    for await (const found of source) {
      progress.count(++done, total());
      rows.push(...found);
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
