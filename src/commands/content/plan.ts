import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { type Column, createListOutput } from '../../cli/output/index.ts';

/** Columns of a plan: what is done to which page or file. */
export const planColumns: Column[] = [
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

/** Prints what a dry run would do: the result of that run, but for scripts that want ids of what was made. */
export async function printRehearsal(invocation: Invocation, rows: readonly unknown[]): Promise<void> {
  const { io, globals } = invocation;
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'path' }),
    planColumns,
    globals.output === 'id' ? io.err : io.out,
  );
  await output.page([...rows]);
  await output.end();
}

const shownRows = 50;
const shownTitle = 60;

/** Shows a plan to people before it is carried out; the result goes to standard output afterwards. */
export async function printPlan(
  invocation: Invocation,
  rows: readonly { path: string; title?: string }[],
  folder: string,
  unchanged: number,
): Promise<void> {
  const { io } = invocation;
  if (io.quiet) return;
  if (rows.length === 0) return io.note(`${folder}: nothing to do, ${unchanged} unchanged.`);
  const { jq: _, columns: __, ...options } = outputOptions(invocation);
  const output = createListOutput({ ...options, format: 'table' }, planColumns, io.err);
  await output.page(
    rows
      .slice(0, shownRows)
      .map((row) => (row.title === undefined ? row : { ...row, title: row.title.slice(0, shownTitle) })),
  );
  await output.end();
  if (rows.length > shownRows) await io.note(`... and ${rows.length - shownRows} more; --dry-run shows all.`);
}
