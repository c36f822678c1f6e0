import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { onlyChanges } from '../../organization/plan/plan.ts';
import { makePlan, type PlanInvocation } from './make-plan.ts';
import { reportPlan } from './plan-report.ts';
import { printPlan, shownChanges } from './print-plan.ts';

/** Prints what differs from files that were applied. @throws CommandError where something does */
export async function runDrift(invocation: PlanInvocation): Promise<void> {
  const { plan, secrets, hasLock, folder } = await makePlan(invocation);
  const drift = hasLock ? onlyChanges(plan, ({ isDrift }) => isDrift === true) : plan;
  await printPlan(invocation, drift, { secrets, isResult: true });
  const changes = shownChanges(drift.changes, secrets);
  await reportPlan(invocation, { title: 'Drift', folder, changes, requests: drift.steps.length });
  const others = plan.changes.length - drift.changes.length;
  if (others > 0)
    await invocation.io.note(
      `${others} change${others === 1 ? '' : 's'} of files that were not applied yet: "docsctl plan ${folder}" shows them.`,
    );
  if (drift.changes.length > 0)
    throw new CommandError('The organization was changed since the files were applied.', {
      exitCode: exit.checkFailed,
      hint: '"docsctl apply" makes it as the files say; "docsctl export" takes its changes into the folder.',
    });
}
