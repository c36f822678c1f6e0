import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { levelsFile } from '../../organization/files/levels.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { type MadePlan, makePlan, type PlanInvocation } from '../../organization/plan/make-plan.ts';
import { levelRows } from './level-rows.ts';
import { reportPlan } from './plan-report.ts';
import { nameLines, type PlanRow, printRows, shownChanges, unmanagedRows } from './print-plan.ts';

/** Prints what differs from the files. @throws CommandError where something does */
export async function runDrift(invocation: PlanInvocation): Promise<void> {
  const made = await planOf(invocation);
  const { plan, secrets, hasLock, folder, snapshot, levels } = made;
  const rows = shownChanges<PlanRow>(
    [...plan.changes, ...unmanagedRows(plan.unnamed), ...levelRows(levels, snapshot.organization.levels)],
    secrets,
  );
  const requests = requestCount(plan.steps, plan.contents);
  const lines = nameLines(snapshot.names, plan);
  await printRows(invocation, rows, { requests, unnamed: [], isResult: true, lines });
  await reportPlan(invocation, { title: 'Drift', folder, changes: rows, requests });
  const edited = hasLock ? plan.changes.filter(({ isDrift }) => isDrift !== true).length : 0;
  if (edited > 0)
    await invocation.io.note(
      `${edited} of these ${edited === 1 ? 'is' : 'are'} in files that you changed since the last export or apply and may not have applied yet.`,
    );
  if (!levels && !invocation.flags.only)
    await invocation.io.note(
      `Levels granted on spaces are not compared: there is no ${levelsFile}. "docsctl export --levels" writes it.`,
    );
  if (rows.length > 0)
    throw new CommandError('The organization does not match the files.', {
      exitCode: exit.checkFailed,
      hint: rows.every(({ kind }) => kind === 'level') ? levelHint : hintFor(plan),
    });
}

const levelHint =
  'The service has no request that changes a level: remove the member, or change their role or the default levels; "docsctl export" writes the levels to the folder.';

function hintFor({ changes, unnamed }: MadePlan['plan']): string {
  const takes = '"docsctl export" writes them to the folder.';
  const removes = 'with --prune, it removes objects that are not in the files';
  if (unnamed.length === 0) return `"docsctl apply" reverts the changes; ${takes}`;
  return changes.length === 0
    ? `"docsctl apply --prune" removes objects that are not in the files; ${takes}`
    : `"docsctl apply" reverts the changes, and ${removes}; ${takes}`;
}

async function planOf(invocation: PlanInvocation): Promise<MadePlan> {
  const texts = new FolderTexts(invocation.signal);
  try {
    return await makePlan(invocation, texts, { isDrift: true });
  } finally {
    texts.close();
  }
}
