import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { withHashes, writePlan } from '../../organization/plan/plan-file.ts';
import { writeOut } from '../shared/download-file.ts';
import { makePlan, type PlanInvocation } from './make-plan.ts';
import { reportPlan } from './plan-report.ts';
import { printPlan, shownChanges } from './print-plan.ts';

/** Prints what would make an organization as its files say. */
export async function runPlan(invocation: PlanInvocation): Promise<void> {
  const { plan, secrets, orgId, snapshot, folder } = await makePlan(invocation);
  await printPlan(invocation, plan, { secrets, isResult: true });
  const changes = shownChanges(plan.changes, secrets);
  await reportPlan(invocation, { title: 'Plan', folder, changes, requests: plan.steps.length });
  const { out } = invocation.flags;
  if (out !== undefined) {
    const { organization, names } = snapshot;
    await writeOut(
      invocation,
      Buffer.from(
        writePlan({
          organization: orgId,
          ids: names.ids,
          changes: withHashes(plan.changes, organization, secrets),
          steps: plan.steps,
          secrets,
        }),
      ),
      out,
    );
  }
  if (invocation.flags.exitCode && plan.changes.length > 0)
    throw new CommandError('The organization is not as the files say.', { exitCode: exit.checkFailed });
}
