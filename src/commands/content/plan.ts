import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { type Column, createListOutput } from '../../cli/output/index.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import type { Operation, Plan } from '../../sync/plan.ts';

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

/** Shows the plan of a push before it is carried out. */
export async function printPushPlan(invocation: Invocation, folder: string, plan: Plan): Promise<void> {
  for (const note of notesOf(plan)) await invocation.io.note(note);
  await printPlan(invocation, rowsOf(plan.operations), folder, plan.unchanged);
}

/** Prints what a push would do. @returns the number of changes */
export async function printPushDryRun(invocation: Invocation, plan: Plan): Promise<number> {
  for (const note of notesOf(plan)) await invocation.io.note(note);
  const rows = rowsOf(plan.operations);
  await printDryRun(invocation, rows);
  return rows.length;
}

/** The rows of a plan, deletions first. What docsctl keeps for itself is not shown. */
function rowsOf(operations: readonly Operation[]) {
  const rows = operations.flatMap((operation) => {
    const isOwn = operation.kind === 'upload' && isOwnFile(operation.name);
    return isOwn ? [] : [rowOf(operation)];
  });
  const isDeletion = ({ action }: { action: string }) => action === 'delete';
  return [...rows.filter(isDeletion), ...rows.filter((row) => !isDeletion(row))];
}

function rowOf(operation: Operation) {
  switch (operation.kind) {
    case 'upload':
      return { action: 'upload', path: operation.name, size: operation.bytes.length };
    case 'add':
      return { action: 'add', path: operation.path, title: operation.fields.title };
    case 'move':
      return { action: 'move', path: operation.path, from: operation.from };
    case 'change': {
      const members = [...(operation.text === undefined ? [] : ['text']), ...Object.keys(operation.fields)];
      return { action: 'change', path: operation.path, what: members.join(', ') };
    }
    case 'delete':
      return { action: 'delete', path: operation.path, title: operation.title };
  }
}

const maxTitles = 5;

/** What of the app stays although the folder does not have it. */
function notesOf({ kept, merged, isFirst }: Pick<Plan, 'kept' | 'merged' | 'isFirst'>): string[] {
  const titles = (all: readonly string[]) =>
    `${all.slice(0, maxTitles).join(', ')}${all.length > maxTitles ? `, and ${all.length - maxTitles} more` : ''}`;
  const pages = (count: number) => `${count} page${count === 1 ? '' : 's'}`;
  const why = isFirst ? 'kept at the first push, as they are in the space' : 'changed in the app since the last push';
  return [
    ...(kept.length > 0 ? [`${pages(kept.length)} ${why}; pull to get them: ${titles(kept)}.`] : []),
    ...(merged.length > 0
      ? [`${pages(merged.length)} changed here and, in different places, in the app; merged: ${titles(merged)}.`]
      : []),
  ];
}
