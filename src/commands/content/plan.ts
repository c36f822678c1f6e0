import type { Invocation } from '../../cli/command/command.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { type Column, createListOutput } from '../../cli/output/index.ts';
import { isOwnFile } from '../../content/folder/file-names.ts';
import type { Operation } from '../../sync/plan.ts';
import type { PlannedPull } from '../../sync/pull.ts';

/** A row describes the change to a page or file. */
const planColumns: Column[] = [
  {
    key: 'action',
    kind: 'state',
    style: {
      add: 'good',
      upload: 'good',
      write: 'good',
      delete: 'bad',
      remove: 'bad',
      conflict: 'bad',
      keep: 'dim',
      move: 'warn',
    },
  },
  { key: 'path' },
  { key: 'title', optional: true },
  { key: 'from', optional: true },
  { key: 'what', optional: true },
];

export interface PlanRow {
  action: string;
  path: string;
  title?: string | undefined;
  from?: string;
  what?: string;
  size?: number;
}

/** The row of an operation, unless it is about a file for docsctl's own use. */
export function pushRows(operation: Operation): PlanRow[] {
  switch (operation.kind) {
    case 'upload': {
      const { name, bytes } = operation;
      return isOwnFile(name) ? [] : [{ action: 'upload', path: name, size: bytes.length }];
    }
    case 'add':
      return [{ action: 'add', path: operation.path, title: operation.fields.title }];
    case 'move':
      return [{ action: 'move', path: operation.path, from: operation.from }];
    case 'change': {
      const members = [...(operation.text === undefined ? [] : ['text']), ...Object.keys(operation.fields)];
      return [{ action: 'change', path: operation.path, what: members.join(', ') }];
    }
    case 'delete':
      return [{ action: 'delete', path: operation.path, title: operation.title }];
  }
}

/** The rows of the files that a pull changes. */
export function pullRows({ write, remove, merged }: PlannedPull): PlanRow[] {
  const isMerged = new Set(merged.merged);
  const isMarked = new Set(merged.conflicts.map(({ file }) => file));
  const actionOf = (path: string, before: boolean) => (isMerged.has(path) ? 'merge' : before ? 'change' : 'write');
  return [
    ...[...write].map(([path, { before }]) => ({
      action: isMarked.has(path) ? 'conflict' : actionOf(path, before),
      path,
    })),
    ...remove.map((path) => ({ action: 'remove', path })),
  ];
}

const maxRows = 50;
const maxTitleLength = 60;

/**
 * Prints a plan as the result of a dry run, or else on standard error before it is executed. With -o id, a dry run leaves
 * standard output empty, because nothing was created.
 */
export async function printPlan(
  invocation: Invocation,
  rows: readonly PlanRow[],
  folder: string,
  unchanged: number,
): Promise<void> {
  const { io, globals } = invocation;
  const isResult = globals.dryRun;
  if (!isResult && io.quiet) return;
  if (!isResult && rows.length === 0) return io.note(`${folder}: no changes, ${unchanged} unchanged.`);
  const options = outputOptions(invocation, { idKey: 'path' });
  const { jq: _, columns: __, ...screen } = options;
  const output = isResult
    ? createListOutput(options, planColumns, globals.output === 'id' ? io.err : io.out)
    : createListOutput({ ...screen, format: 'table' }, planColumns, io.err);
  const shown = rows.slice(0, maxRows).map(({ title, ...row }) => ({ ...row, title: title?.slice(0, maxTitleLength) }));
  await output.page(isResult ? [...rows] : shown);
  await output.end();
  if (!isResult && rows.length > maxRows) await io.note(`... and ${rows.length - maxRows} more; --dry-run shows all.`);
}
