import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { type Column, createListOutput } from '../../cli/output/index.ts';

/** Columns of a plan: what happens to each page or file. */
const planColumns: Column[] = [
  {
    key: 'action',
    kind: 'state',
    style: { add: 'good', upload: 'good', write: 'good', delete: 'bad', remove: 'bad', keep: 'dim', move: 'warn' },
  },
  { key: 'path' },
  { key: 'title', optional: true },
  { key: 'from', optional: true },
  { key: 'what', optional: true },
];

/**
 * Prints what would be done. It is the result of a dry run; a script that wants ids of what was made gets none on standard
 * output.
 */
export async function printDryRun(invocation: Invocation, rows: readonly unknown[]): Promise<void> {
  const { io, globals } = invocation;
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'path' }),
    planColumns,
    globals.output === 'id' ? io.err : io.out,
  );
  await output.page([...rows]);
  await output.end();
}

const maxRows = 50;
const maxTitleLength = 60;

/** Shows a plan on standard error before it is carried out. The result goes to standard output afterwards. */
export async function printPlan(
  invocation: Invocation,
  rows: readonly { path: string; title?: string | undefined }[],
  folder: string,
  unchanged: number,
): Promise<void> {
  const { io } = invocation;
  if (io.quiet) return;
  if (rows.length === 0) return io.note(`${folder}: no changes, ${unchanged} unchanged.`);
  const { jq: _, columns: __, ...options } = outputOptions(invocation);
  const output = createListOutput({ ...options, format: 'table' }, planColumns, io.err);
  await output.page(
    rows
      .slice(0, maxRows)
      .map((row) => (row.title === undefined ? row : { ...row, title: row.title.slice(0, maxTitleLength) })),
  );
  await output.end();
  if (rows.length > maxRows) await io.note(`... and ${rows.length - maxRows} more; --dry-run shows all.`);
}
