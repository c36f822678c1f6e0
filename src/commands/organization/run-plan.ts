import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { withHashes, writePlan } from '../../organization/plan/plan-file.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { writeOut } from '../shared/download-file.ts';
import { type MadePlan, makePlan, type PlanInvocation } from '../../organization/plan/make-plan.ts';
import { refuseConflicts } from '../../organization/content/plan-content.ts';
import { reportPlan } from './plan-report.ts';
import { printPlan, shownChanges } from './print-plan.ts';

/** Prints what would make an organization as its files say. */
export async function runPlan(invocation: PlanInvocation): Promise<void> {
  const texts = new FolderTexts(invocation.signal);
  try {
    const made = await makePlan(invocation, texts);
    const { plan, secrets, folder } = made;
    await printPlan(invocation, plan, { secrets, isResult: true, names: made.snapshot.names });
    const changes = shownChanges(plan.changes, secrets);
    const requests = requestCount(plan.steps, plan.contents);
    await reportPlan(invocation, { title: 'Plan', folder, changes, requests });
    refuseConflicts(made, 'such a plan cannot be applied.');
    await savePlan(invocation, made);
    if (invocation.flags.exitCode && plan.changes.length > 0)
      throw new CommandError('The organization does not match the files.', { exitCode: exit.checkFailed });
  } finally {
    texts.close();
  }
}

async function savePlan(invocation: PlanInvocation, made: MadePlan): Promise<void> {
  const { out } = invocation.flags;
  if (out === undefined) return;
  const { plan, secrets, orgId, folder, snapshot, source } = made;
  const { changes, steps, contents } = plan;
  const { read, applied, flags } = source;
  const text = writePlan({
    organization: orgId,
    folder,
    flags,
    files: Object.fromEntries(read.sources.texts),
    folders: [...read.sources.folders],
    contentFolders: [...read.contents],
    applied: Object.fromEntries(applied),
    ids: snapshot.names.ids,
    changes: withHashes(changes, contents, { current: snapshot.organization, secrets }),
    steps,
    contents,
    variables: read.variables,
  });
  await writeOut(invocation, Buffer.from(text), out);
}
