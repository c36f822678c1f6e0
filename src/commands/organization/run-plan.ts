import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { makePlan, type PlanInvocation } from './make-plan.ts';
import { printPlan } from './print-plan.ts';

/** Prints what would make an organization as its files say. */
export async function runPlan(invocation: PlanInvocation): Promise<void> {
  const { plan, secrets } = await makePlan(invocation);
  await printPlan(invocation, plan, secrets);
  if (invocation.flags.exitCode && plan.changes.length > 0)
    throw new CommandError('The organization is not as the files say.', { exitCode: exit.checkFailed });
}
