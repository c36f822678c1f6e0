import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, failureOf, UsageError } from '../../cli/program/failure.ts';
import type { Applied } from '../../organization/apply/apply.ts';
import { applyPlan, checkPlan, renewLock } from '../../organization/apply/apply-plan.ts';
import { lockFile } from '../../organization/lock.ts';
import { type MaxRemovals, readMaxRemovals } from '../../organization/plan/limits.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { printPlan, summaryText } from '../shared/print-plan.ts';
import { type PlanInvocation, withOrganization, withPlan } from './prepare-plan.ts';

type ApplyInvocation = PlanInvocation & {
  flags: {
    keepGoing?: boolean | undefined;
    maxRemovals?: string | undefined;
    withoutSelf?: boolean | undefined;
    leaveLock?: boolean | undefined;
  };
};

/** Makes an organization as its files, or a saved plan, say. */
export async function runApply(invocation: ApplyInvocation): Promise<void> {
  const { args, flags } = invocation;
  const maxRemovals = readMaxRemovals(flags.maxRemovals);
  const stats = await stat(resolve(args.folder ?? '.')).catch(() => undefined);
  if (!stats && args.folder?.endsWith('.json'))
    throw new UsageError(`There is no file ${args.folder}.`, 'Write a plan with "docsctl plan --out".');
  await withPlan(invocation, { isSaved: stats?.isFile() ?? false }, (made) =>
    askAndApply(invocation, flags.leaveLock ? { ...made, hasFolder: false } : made, maxRemovals),
  );
}

async function askAndApply(invocation: ApplyInvocation, made: MadePlan, maxRemovals: MaxRemovals): Promise<void> {
  const { keepGoing = false, keepDrift, withoutSelf = false } = invocation.flags;
  const { dryRun = false } = invocation.globals;
  const { plan, snapshot, secrets, lock, hashes, hasFolder } = made;
  for (const secret of secrets.keys()) invocation.session.secrets.add(secret);
  const { changes, steps, contents } = plan;
  await printPlan(invocation, plan, { secrets, isResult: dryRun, names: snapshot.names });
  const allowsConflicts = keepGoing && !dryRun;
  await checkPlan(await invocation.client(), made, { maxRemovals, withoutSelf, allowsConflicts });
  if (dryRun) return;
  if (changes.length === 0) {
    // The files are written in another way: the next export must not take that for a change of the folder.
    const isOther = [...hashes].some(([file, hash]) => lock.files.get(file) !== hash);
    if (hasFolder && isOther && !keepDrift) await renewLock(made, []);
    return;
  }
  await confirmQuestion(invocation, `Make these changes? ${summaryText(changes, requestCount(steps, contents))}`);
  await report(
    invocation,
    made,
    await withOrganization(invocation, 'Applying', (port) => applyPlan(port, made, keepGoing)),
  );
}

/** Prints what became of each change. @throws CommandError where not all were made */
async function report(invocation: ApplyInvocation, made: MadePlan, { results, errors, sent }: Applied): Promise<void> {
  const { plan, folder, hasFolder, isSaved } = made;
  const rows = plan.changes.map(({ kind, name, action }, index) => ({
    result: results[index],
    action,
    kind,
    name,
    ...(errors.has(index) && { error: oneLine(errors.get(index)?.message) }),
  }));
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'name' }),
    invocation.command.output?.columns ?? [],
    invocation.io.out,
  );
  await output.page(rows);
  await output.end();
  const done = results.filter((result) => result === 'done').length;
  if (hasFolder) await renewLock(made, results);
  else if (!invocation.flags.leaveLock)
    await invocation.io.note(
      `The folder of the plan is not here, so its ${lockFile} was not renewed; "docsctl export" renews it.`,
    );
  await invocation.io.note(`${done} of ${results.length} changes made, with ${sent} request${sent === 1 ? '' : 's'}.`);
  if (done === results.length) return;
  invocation.signal.throwIfAborted();
  const [first] = errors.values();
  const hint = [...errors.values()].find(isOwn)?.hint;
  throw new CommandError(
    `${results.length - done} of ${results.length} changes were not made: ${first?.message ?? ''}`,
    {
      exitCode: done > 0 ? exit.someFailed : failureOf(first).exitCode,
      hint: [
        isSaved
          ? 'What was made stays, and the plan is for what was there before: make a new one for the rest.'
          : `What was made stays. "docsctl apply ${folder}" goes on from there.`,
        ...(hint === undefined ? [] : [hint]),
      ].join(' '),
    },
  );
}

const isOwn = (error: Error): error is EngineError | CommandError =>
  (error instanceof EngineError || error instanceof CommandError) && error.hint !== undefined;

const oneLine = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
