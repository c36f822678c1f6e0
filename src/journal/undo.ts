import type { Port } from '../client/port.ts';
import { EngineError } from '../shared/engine-error.ts';
import { messageOf } from '../shared/error-text.ts';
import { Reader } from './inverse/inverse.ts';
import { requestAddress, stateNow, type UndoPlan, type UndoStep } from './undo-plan.ts';

type Result = 'done' | 'failed' | 'not done';

/** A request of an undo, as it is printed. */
export interface UndoRow {
  result: Result;
  method: string;
  address: string;
  body?: unknown;
  error?: string;
}

/** The requests of steps, with the same result for all. */
export const rowsOf = (steps: readonly UndoStep[], result: Result): UndoRow[] =>
  steps.flatMap(({ requests }) =>
    requests.map((request) => ({
      result,
      method: request.endpoint.method,
      address: requestAddress(request),
      ...(request.body !== undefined && { body: request.body }),
    })),
  );

/** Sends what undoes an entry, up to the first failure. */
export async function sendUndo(
  { client, signal, progress }: Omit<Port, 'note'>,
  { steps }: UndoPlan,
): Promise<{ rows: UndoRow[]; failure?: unknown }> {
  const rows: UndoRow[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      // The plan compared the newest change of each object; the changes before it can be compared only now.
      if (index > 0) await assertUnchanged(new Reader(client), step);
      for (const { endpoint, params, body } of step.requests) {
        signal.throwIfAborted();
        await client.call(endpoint, { params, ...(body === undefined ? {} : { body }) });
      }
      rows.push(...rowsOf([step], 'done'));
      progress.count(index + 1, steps.length);
    } catch (failure) {
      rows.push(...rowsOf([step], 'failed').map((row) => ({ ...row, error: messageOf(failure) })));
      rows.push(...rowsOf(steps.slice(index + 1), 'not done'));
      return { rows, failure };
    }
  }
  return { rows };
}

async function assertUnchanged(reader: Reader, step: UndoStep): Promise<void> {
  const state = await stateNow(reader, step);
  if (state !== 'as after' && state !== 'as before') throw new EngineError('refused', `It was not sent: ${state}.`);
}
