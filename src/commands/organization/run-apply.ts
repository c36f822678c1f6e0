import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, failureOf, UsageError } from '../../cli/program/failure.ts';
import { users } from '../../contract/users.ts';
import { type Applied, apply } from '../../organization/apply/apply.ts';
import { namedKinds } from '../../organization/organization.ts';
import { singular } from '../../organization/plan/draft.ts';
import { administratorProblem, readMaxRemovals, tooManyRemovals } from '../../organization/plan/limits.ts';
import { saveLock } from './lock-file.ts';
import { type MadePlan, makePlan, type PlanInvocation } from './make-plan.ts';
import { printPlan, summaryText } from './print-plan.ts';
import { savedPlan } from './saved-plan.ts';

export type ApplyInvocation = PlanInvocation & {
  flags: { keepGoing?: boolean | undefined; maxRemovals?: string | undefined; withoutSelf?: boolean | undefined };
};

/** Makes an organization as its files, or a saved plan, say. */
export async function runApply(invocation: ApplyInvocation): Promise<void> {
  const { args, globals } = invocation;
  const maxRemovals = readMaxRemovals(invocation.flags.maxRemovals ?? '10%');
  if (!maxRemovals)
    throw new UsageError(`--max-removals: "${invocation.flags.maxRemovals}" is neither a share as 10% nor a number.`);
  const isFile = await stat(resolve(args.folder ?? '.')).then(
    (stats) => stats.isFile(),
    () => false,
  );
  const made = isFile ? await savedPlan(invocation) : await makePlan(invocation);
  const { plan, snapshot, secrets } = made;
  for (const secret of secrets.keys()) invocation.session.secrets.add(secret);
  const { changes, steps } = plan;
  await printPlan(invocation, plan, { secrets, isResult: globals.dryRun ?? false });
  const tooMany = tooManyRemovals(changes, snapshot.organization, maxRemovals);
  if (tooMany.length > 0)
    throw new CommandError(`Too much would be removed: ${tooMany.join('; ')}. Nothing was sent.`, {
      exitCode: exit.refused,
      hint: 'If that is meant, raise the limit with --max-removals.',
    });
  await refuseLostAdministrators(invocation, made);
  if (globals.dryRun || changes.length === 0) return;
  await confirmQuestion(invocation, `Make these changes? ${summaryText(changes, steps.length)}`);
  await report(invocation, made, await sendAll(invocation, made));
}

async function refuseLostAdministrators(invocation: ApplyInvocation, { plan, snapshot }: MadePlan): Promise<void> {
  if (invocation.flags.withoutSelf || !plan.changes.some(({ kind }) => kind === 'member')) return;
  const client = await invocation.client();
  const { email } = await client.call(users.current, {});
  const problem = administratorProblem(plan.changes, snapshot.organization, email);
  if (problem !== undefined)
    throw new CommandError(`Refused: ${problem}. Nothing was sent.`, {
      exitCode: exit.refused,
      hint: 'If that is meant, add --without-self.',
    });
}

async function sendAll(invocation: ApplyInvocation, { plan, lock, path, hasFolder }: MadePlan): Promise<Applied> {
  const { flags, io, signal } = invocation;
  const kinds = new Map(namedKinds.map((kind) => [singular[kind], kind]));
  const progress = createProgress('Applying', { animated: io.canAnimate, quiet: io.quiet });
  try {
    return await apply({
      client: await invocation.client(),
      changes: plan.changes,
      steps: plan.steps,
      keepGoing: flags.keepGoing ?? false,
      signal,
      progress: (done, total) => progress.count(done, total),
      async made(placeholder, id) {
        const [kind = '', ...name] = placeholder.split('/');
        const named = kinds.get(kind);
        if (!named || !hasFolder) return;
        lock.ids[named].set(name.join('/'), id);
        // Kept at once: a run that is cut off must find what it made.
        await saveLock(path, lock);
      },
    });
  } finally {
    progress.stop();
  }
}

/** Prints what became of each change. @throws CommandError where not all were made */
async function report(invocation: ApplyInvocation, made: MadePlan, { results, errors, sent }: Applied): Promise<void> {
  const { plan, lock, path, folder, hasFolder, hashes } = made;
  const rows = plan.changes.map(({ kind, name, action }, index) => ({
    result: results[index],
    action,
    kind,
    name,
    ...(errors.has(index) && { error: errors.get(index)?.message }),
  }));
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'name' }),
    invocation.command.output?.columns ?? [],
    invocation.io.out,
  );
  await output.page(rows);
  await output.end();
  const done = results.filter((result) => result === 'done').length;
  if (hasFolder) {
    const unfinished = new Set(plan.changes.flatMap(({ file }, index) => (results[index] === 'done' ? [] : [file])));
    for (const [file, hash] of hashes) if (!unfinished.has(file)) lock.files.set(file, hash);
    await saveLock(path, lock);
  }
  await invocation.io.note(`${done} of ${results.length} changes made, with ${sent} request${sent === 1 ? '' : 's'}.`);
  if (done === results.length) return;
  invocation.signal.throwIfAborted();
  const [first] = errors.values();
  throw new CommandError(
    `${results.length - done} of ${results.length} changes were not made: ${first?.message ?? ''}`,
    {
      exitCode: done > 0 ? exit.someFailed : failureOf(first).exitCode,
      hint: hasFolder
        ? `What was made stays. "docsctl apply ${folder}" goes on from there.`
        : 'What was made stays, and the plan is for what was there before: make a new one for the rest.',
    },
  );
}
