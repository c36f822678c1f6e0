import { someFailed } from '../../program/failure.ts';
import type { Invocation } from '../command.ts';
import { failureLine, failureReason, wordOfResult } from '../result.ts';
import { idsOf } from './ids.ts';
import { addedColumns, ResultTable } from './result-table.ts';

/** What a command does with each of several objects on this machine. */
interface LocalChange {
  /** The argument with the names. */
  name: string;
  /** @throws CommandError if there is no such object */
  check(id: string): void;
  /** Asks about the objects that exist, or prints the dry run of them. */
  before(ids: readonly string[]): Promise<void>;
  change(id: string): Promise<void>;
}

interface Row {
  id: string;
  result: string;
  error?: unknown;
}

/** Looks up all objects before it changes the first one. After a failure it goes on with the rest, unless `--fail-fast` is given. */
export async function runLocalBatch(invocation: Invocation, { name, check, before, change }: LocalChange) {
  const { flags, globals, io, values } = invocation;
  const file = typeof values.result === 'string' ? new ResultTable(values.result) : undefined;
  const rows: Row[] = (await idsOf(invocation, name)).map((id) => ({ id, result: 'not tried' }));
  const withResult = (result: string) => rows.filter((row) => row.result === result);
  const attempt = async (row: Row, work: () => Promise<void> | void) => {
    try {
      await work();
    } catch (error) {
      Object.assign(row, { result: 'failed', error });
      if (rows.length > 1) await io.err.write(failureLine(error, row.id, invocation));
    }
  };
  const isStopped = () => flags.failFast === true && withResult('failed').length > 0;
  for (const row of rows) await attempt(row, () => check(row.id));
  const open = isStopped() ? [] : withResult('not tried');
  if (open.length > 0) await before(open.map(({ id }) => id));
  if (globals.dryRun) return finish(rows, 'would fail');
  const save = () =>
    file?.write([
      [name, ...addedColumns],
      ...rows.map(({ id, result, error }) => [id, result, failureReason(error, invocation)]),
    ]);
  await save();
  try {
    for (const row of open) {
      if (isStopped()) break;
      await attempt(row, async () => {
        await change(row.id);
        row.result = wordOfResult(invocation);
      });
    }
  } finally {
    await save();
  }
  finish(rows, 'failed');
}

/** @throws CommandError if some failed; the error of the only one */
function finish(rows: readonly Row[], word: string): void {
  const failed = rows.filter(({ result }) => result === 'failed');
  if (failed.length === 0) return;
  if (rows.length === 1) throw failed[0]?.error;
  throw someFailed(`${failed.length} of ${rows.length} ${word}.`);
}
