import { eachOf } from '../../../shared/each-of.ts';
import { someFailed } from '../../program/failure.ts';
import type { Call, Invocation } from '../command.ts';
import { type Preview, previewOf, printPreviews } from '../dry-run/dry-run.ts';
import { failureLine } from '../result.ts';
import { isGone } from './gone.ts';
import type { Objects } from './rows.ts';
import { withNames } from '../dry-run/named-objects.ts';

const concurrency = 8;

/**
 * The dry run of several calls: each is checked, and those that would succeed are printed.
 *
 * @throws CommandError with status 8 if some would fail; the only call fails as it would without a dry run
 */
export async function dryRunAll(invocation: Invocation, { calls, ids, isFromInput }: Objects): Promise<void> {
  const previews: (Preview | undefined)[] = calls.map(() => undefined);
  const failures: unknown[] = [];
  const check = async ([index, call]: [number, Call]) => {
    try {
      previews[index] = await withNames(invocation, call, (named) => previewOf(invocation, named));
    } catch (error) {
      if (invocation.signal.aborted) throw error;
      if (isFromInput && (await isGone(invocation, call, error)))
        return invocation.io.note(`${ids[index] ?? ''}: already gone.`);
      failures.push(error);
      if (calls.length > 1) await invocation.io.err.write(failureLine(error, ids[index] ?? '', invocation));
    }
  };
  await eachOf([...calls.entries()], check, concurrency);
  const [first] = failures;
  if (first !== undefined && calls.length === 1) throw first;
  await printPreviews(
    invocation,
    previews.filter((preview) => preview !== undefined),
  );
  const accepted = calls.filter((_, index) => previews[index]);
  if (accepted.length > 0) await invocation.command.guard?.(invocation, accepted);
  const { noteQuestions } = await import('../confirm/calls.ts');
  await noteQuestions(invocation, accepted);
  if (failures.length > 0) throw someFailed(`${failures.length} of ${calls.length} would fail.`);
}
