import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { FolderTexts } from '../content/folder-texts.ts';
import { type MadePlan, makePlan, type PlanInvocation } from './make-plan.ts';
import { reportPlan } from './plan-report.ts';
import { printPlan, shownChanges } from './print-plan.ts';

/** Prints what differs from the files. @throws CommandError where something does */
export async function runDrift(invocation: PlanInvocation): Promise<void> {
  const { plan, secrets, hasLock, folder } = await planOf(invocation);
  await printPlan(invocation, plan, { secrets, isResult: true });
  const changes = shownChanges(plan.changes, secrets);
  const requests = requestCount(plan.steps, plan.contents);
  await reportPlan(invocation, { title: 'Drift', folder, changes, requests });
  const edited = hasLock ? plan.changes.filter(({ isDrift }) => isDrift !== true).length : 0;
  if (edited > 0)
    await invocation.io.note(
      `${edited} of these ${edited === 1 ? 'is' : 'are'} in files that you changed since the last export or apply and may not have applied yet.`,
    );
  if (plan.changes.length > 0)
    throw new CommandError('The organization is not as the files say.', {
      exitCode: exit.checkFailed,
      hint: '"docsctl apply" makes it as the files say; "docsctl export" takes its changes into the folder.',
    });
}

async function planOf(invocation: PlanInvocation): Promise<MadePlan> {
  const texts = new FolderTexts(invocation.signal);
  try {
    return await makePlan(invocation, texts);
  } finally {
    texts.close();
  }
}
