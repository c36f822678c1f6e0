import { createListOutput } from '../../output/index.ts';
import { CommandError, exit, failureOf } from '../../program/failure.ts';
import { type Call, idOf, type Invocation } from '../command.ts';
import { print } from '../invocation.ts';
import { optionsFor } from '../list.ts';
import { resultColumns, resultOf, unchangedText, wantsResult } from '../result.ts';
import type { Rows } from './rows.ts';

/** Prints the answers; if the service answers with nothing, what was done with each object, if it is asked for. */
export async function printOutcome(
  invocation: Invocation,
  first: Pick<Call, 'endpoint' | 'params'>,
  { all }: Rows,
  isList: boolean,
): Promise<void> {
  const { command, io } = invocation;
  const results: unknown[] = [];
  for (const { call, state, answer } of all) {
    const isGone = state === 'already gone' || state === 'already done';
    if (answer !== undefined) results.push(answer);
    else if (!wantsResult(invocation)) continue;
    // The name of an object that does not exist has no ID.
    else if (isGone && call.endpoint.answer === undefined) results.push({ id: idOf(call), result: state });
    else if (state === 'done') results.push(await resultOf(invocation, call));
  }
  const options = optionsFor(invocation, first);
  const columns = all.some(({ answer }) => answer !== undefined) ? command.output?.columns : resultColumns;
  if (results.length === 1 && !isList)
    return print(invocation, results[0], columns === resultColumns ? columns : undefined, options);
  if (results.length === 0 && !(isList && wantsResult(invocation))) return;
  const output = createListOutput(options, columns ?? [{ key: 'id', kind: 'id' }], io.out);
  await output.page(results);
  await output.end();
}

/** Reports how many were done. @throws CommandError if not all have what was asked for */
export async function finish({ io }: Invocation, rows: Rows): Promise<void> {
  const all = rows.all.length;
  if (rows.count('failed', 'unknown') === 0 && rows.interruption === undefined) {
    if (all === 0) await io.note('Standard input is empty: nothing was done.');
    if (all > 1) return io.note(doneCounts(rows));
    return rows.count('unchanged') > 0 ? io.note(unchangedText) : undefined;
  }
  const [only] = rows.all;
  throw all === 1 ? (rows.interruption ?? only?.error) : summaryOf(rows);
}

function doneCounts(rows: Rows): string {
  const parts = [
    `${rows.count('done')} done`,
    ...(['unchanged', 'already done', 'already gone'] as const).flatMap((state) =>
      rows.count(state) > 0 ? [`${rows.count(state)} ${state}`] : [],
    ),
  ];
  return `${parts.join(', ')}.`;
}

function summaryOf(rows: Rows): CommandError {
  const { interruption } = rows;
  const [all, failed, unknown, untried] = [
    rows.all.length,
    rows.count('failed'),
    rows.count('unknown'),
    rows.count('not tried'),
  ];
  const done = all - failed - unknown - untried;
  const parts = [
    interruption ? `Interrupted: ${done} of ${all} done` : `${failed} of ${all} failed`,
    ...(interruption && failed > 0 ? [`${failed} failed`] : []),
    ...(unknown > 0 ? [`${unknown} sent, answer unknown`] : []),
    ...(untried > 0 ? [`${untried} not tried`] : []),
  ];
  return new CommandError(`${parts.join('; ')}.`, {
    exitCode: interruption ? failureOf(interruption).exitCode : exit.someFailed,
    ...(unknown > 0 || (interruption !== undefined && untried > 0)
      ? { hint: 'Run the command again with the same input to finish the rest.' }
      : {}),
  });
}
