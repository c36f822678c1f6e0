import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { confirmQuestion } from '../../cli/command/confirm/questions.ts';
import { outputOptions } from '../../cli/command/invocation.ts';
import { createListOutput, createProgress } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, failureOf, UsageError } from '../../cli/program/failure.ts';
import { users } from '../../contract/users.ts';
import { type Applied, apply } from '../../organization/apply/apply.ts';
import { namedKinds } from '../../organization/organization.ts';
import { singular } from '../../organization/plan/draft.ts';
import { lockFile } from '../../organization/lock.ts';
import type { ContentStep } from '../../organization/plan/change.ts';
import {
  administratorProblem,
  type MaxRemovals,
  readMaxRemovals,
  tooManyRemovals,
} from '../../organization/plan/limits.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { removeMark } from '../../sync/pull-mark.ts';
import { contentPath } from '../../organization/content/content-folder.ts';
import { judgeAnswer } from '../../organization/apply/judge-answer.ts';
import { saveLock } from '../../organization/files/lock-file.ts';
import { type MadePlan, makePlan, type PlanInvocation } from '../../organization/plan/make-plan.ts';
import { refuseConflicts } from '../../organization/content/plan-content.ts';
import { printPlan, summaryText } from './print-plan.ts';
import { savedPlan } from '../../organization/plan/saved-plan.ts';
import { sendContent } from '../../organization/content/send-content.ts';

export type ApplyInvocation = PlanInvocation & {
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
  const maxRemovals = readMaxRemovals(flags.maxRemovals ?? '10%');
  if (!maxRemovals)
    throw new UsageError(`--max-removals: "${flags.maxRemovals}" is neither a share as 10% nor a number.`);
  const stats = await stat(resolve(args.folder ?? '.')).catch(() => undefined);
  if (!stats && args.folder?.endsWith('.json'))
    throw new UsageError(`There is no file ${args.folder}.`, 'Write a plan with "docsctl plan --out".');
  const texts = new FolderTexts(invocation.signal);
  try {
    const made = await (stats?.isFile() ? savedPlan : makePlan)(invocation, texts);
    await applyPlan(invocation, flags.leaveLock ? { ...made, hasFolder: false } : made, maxRemovals);
  } finally {
    texts.close();
  }
}

async function applyPlan(invocation: ApplyInvocation, made: MadePlan, maxRemovals: MaxRemovals): Promise<void> {
  const { globals } = invocation;
  const { plan, snapshot, secrets } = made;
  for (const secret of secrets.keys()) invocation.session.secrets.add(secret);
  const { changes, steps, contents } = plan;
  await printPlan(invocation, plan, { secrets, isResult: globals.dryRun ?? false, names: snapshot.names });
  // With --keep-going, a conflict is the failure of its space alone.
  if (!invocation.flags.keepGoing || globals.dryRun) refuseConflicts(made, 'nothing was sent.');
  const tooMany = tooManyRemovals(changes, snapshot.organization, maxRemovals);
  if (tooMany.length > 0)
    throw new CommandError(`Too much would be removed: ${tooMany.join('; ')}. Nothing was sent.`, {
      exitCode: exit.refused,
      hint: 'If that is meant, raise the limit with --max-removals.',
    });
  await refuseLostAdministrators(invocation, made);
  refuseForbidden(made);
  if (globals.dryRun) return;
  if (changes.length === 0) {
    // The files are written in another way: the next export must not take that for a change of the folder.
    const { lock, hashes, hasFolder } = made;
    const isOther = [...hashes].some(([file, hash]) => lock.files.get(file) !== hash);
    if (hasFolder && isOther && !invocation.flags.keepDrift) await renewLock(made, new Set());
    return;
  }
  await confirmQuestion(invocation, `Make these changes? ${summaryText(changes, requestCount(steps, contents))}`);
  await report(invocation, made, await sendAll(invocation, made));
}

/** @throws CommandError where the caller may not edit or merge the content of a space */
function refuseForbidden({ contents, snapshot }: MadePlan): void {
  const refused = contents.flatMap(({ step }) => {
    const { edit, merge } = snapshot.spaces.get(step.content)?.permissions ?? { edit: true, merge: true };
    return edit && merge ? [] : [`${edit ? 'merge' : 'edit'} the content of ${step.content}`];
  });
  if (refused.length === 0) return;
  throw new CommandError(`permission denied: ${refused.join(', ')}. Nothing was sent.`, {
    exitCode: exit.forbidden,
    hint: 'Ask for a higher level on these spaces, or leave their content folders out.',
  });
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

async function sendAll(invocation: ApplyInvocation, made: MadePlan): Promise<Applied> {
  const { flags, io, signal } = invocation;
  const { plan, lock, path, hasFolder } = made;
  const kinds = new Map(namedKinds.map((kind) => [singular[kind], kind]));
  const progress = createProgress('Applying', { animated: io.canAnimate, quiet: io.quiet });
  try {
    return await apply({
      client: await invocation.client(),
      changes: plan.changes,
      steps: plan.steps,
      contents: { steps: plan.contents, send: (step, spaceId) => sendStep(invocation, made, step, spaceId) },
      keepGoing: flags.keepGoing ?? false,
      signal,
      answered: (step, answer) => judgeAnswer(invocation, step, answer),
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

/** Sends a content folder, and keeps at once what the space has of it. */
async function sendStep(invocation: ApplyInvocation, made: MadePlan, step: ContentStep, spaceId: string) {
  const { contents, folder, lock, path, hasFolder } = made;
  const content = contents.find((each) => each.step.content === step.content);
  if (!content) throw new Error(`The content of ${step.content} was not compared.`);
  refuseConflicts({ contents: [content], folder }, 'nothing of it was sent.');
  const revision = await sendContent(invocation, { content, spaceId, lock });
  if (!hasFolder) return;
  const under = `${contentPath(step.content)}/`;
  for (const file of lock.files.keys()) if (file.startsWith(under)) lock.files.delete(file);
  for (const [file, hash] of Object.entries(content.step.files)) lock.files.set(file, hash);
  lock.revisions.delete(step.content);
  lock.applied.set(step.content, revision);
  await removeMark(join(content.push.docs.path, content.push.local.root));
  await saveLock(path, lock);
}

/** Keeps what the files were when the service had what they say. @param unfinished files of which that is not so */
async function renewLock({ lock, hashes, path }: MadePlan, unfinished: ReadonlySet<string | undefined>): Promise<void> {
  for (const [file, hash] of hashes) if (!unfinished.has(file)) lock.files.set(file, hash);
  await saveLock(path, lock);
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
  if (hasFolder) {
    await renewLock(
      made,
      new Set(plan.changes.flatMap(({ file }, index) => (results[index] === 'done' ? [] : [file]))),
    );
  } else if (!invocation.flags.leaveLock)
    await invocation.io.note(
      `The folder of the plan is not here, so its ${lockFile} was not updated; "docsctl export" updates it.`,
    );
  await invocation.io.note(`${done} of ${results.length} changes made, with ${sent} request${sent === 1 ? '' : 's'}.`);
  if (done === results.length) return;
  invocation.signal.throwIfAborted();
  const [first] = errors.values();
  const own = [...errors.values()].find((error) => error instanceof CommandError && error.hint !== undefined);
  throw new CommandError(
    `${results.length - done} of ${results.length} changes were not made: ${first?.message ?? ''}`,
    {
      exitCode: done > 0 ? exit.someFailed : failureOf(first).exitCode,
      hint: [
        isSaved
          ? 'What was made stays, and the plan is for what was there before: make a new one for the rest.'
          : `What was made stays. "docsctl apply ${folder}" goes on from there.`,
        ...(own ? [failureOf(own).hint] : []),
      ].join(' '),
    },
  );
}

const oneLine = (text = '') =>
  text
    .split('\n')
    .map((line) => line.trim())
    .join(' ');
