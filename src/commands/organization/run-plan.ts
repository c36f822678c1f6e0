import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { refuseConflicts } from '../../organization/content/plan-content.ts';
import { type LevelRow, levelsFile } from '../../organization/files/levels.ts';
import type { MadePlan } from '../../organization/plan/make-plan.ts';
import { requestCount } from '../../organization/plan/plan.ts';
import { planText } from '../../organization/plan/saved-plan.ts';
import { writeOut } from '../shared/download-file.ts';
import { nameLines, type PlanRow, printPlan, printRows, shownChanges, unmanagedRows } from '../shared/print-plan.ts';
import { type PlanInvocation, reportPlan, withPlan } from './prepare-plan.ts';

/** Prints what would make an organization as its files say. */
export async function runPlan(invocation: PlanInvocation): Promise<void> {
  const { out, exitCode } = invocation.flags;
  await withPlan(invocation, {}, async (made) => {
    const { plan, secrets, folder } = made;
    await printPlan(invocation, plan, { secrets, isResult: true, names: made.snapshot.names });
    const changes = shownChanges(plan.changes, secrets);
    await reportPlan(invocation, { title: 'Plan', folder, changes, requests: requestCount(plan.steps, plan.contents) });
    refuseConflicts(made, 'such a plan cannot be applied.');
    if (out !== undefined) await writeOut(invocation, Buffer.from(planText(made)), out);
    if (exitCode && plan.changes.length > 0)
      throw new CommandError('The organization is not as the files say.', { exitCode: exit.checkFailed });
  });
}

/** Prints what differs from the files. @throws CommandError where something does */
export const runDrift = (invocation: PlanInvocation): Promise<void> =>
  withPlan(invocation, { isDrift: true }, (made) => printDrift(invocation, made));

async function printDrift(invocation: PlanInvocation, made: MadePlan): Promise<void> {
  const { io, flags } = invocation;
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
    await io.note(
      `${edited} of these ${edited === 1 ? 'is' : 'are'} in files that were changed since the last export or apply: perhaps they were not applied yet.`,
    );
  if (!levels && !flags.only)
    await io.note(
      `Levels granted on spaces are not compared: there is no ${levelsFile}. "docsctl export --levels" writes it.`,
    );
  if (rows.length > 0)
    throw new CommandError('The organization is not as the files say.', {
      exitCode: exit.checkFailed,
      hint: driftHint(rows),
    });
}

function driftHint(rows: readonly PlanRow[]): string {
  const isUnmanaged = ({ action, kind }: PlanRow) => action === 'unmanaged' && kind !== 'level';
  if (rows.every(({ kind }) => kind === 'level'))
    return 'The service has no request that changes a level: remove the member, or change their role or the default levels; "docsctl export" takes the levels into the folder.';
  const takes = '"docsctl export" takes its changes into the folder.';
  if (!rows.some(isUnmanaged)) return `"docsctl apply" makes it as the files say; ${takes}`;
  return rows.every((row) => row.kind === 'level' || isUnmanaged(row))
    ? `"docsctl apply --prune" removes what they do not name; ${takes}`
    : `"docsctl apply" makes it as the files say, and with --prune, it removes what they do not name; ${takes}`;
}

/** Where levels differ from levels.csv. @param desired undefined where the file is missing */
function levelRows(desired: readonly LevelRow[] = [], current: readonly LevelRow[] = []): PlanRow[] {
  const left = new Map(current.map((row) => [nameOf(row), row.level]));
  const rows: PlanRow[] = [];
  const add = (name: string, action: PlanRow['action'], levels: { before?: string | undefined; after?: string }) =>
    void rows.push({ kind: 'level', name, action, fields: [{ field: 'level', ...levels }], file: levelsFile });
  for (const row of desired) {
    const name = nameOf(row);
    const before = left.get(name);
    left.delete(name);
    if (before === undefined) add(name, 'create', { after: row.level });
    else if (before !== row.level) add(name, 'update', { before, after: row.level });
  }
  for (const [name, before] of left) add(name, 'unmanaged', { before });
  return rows;
}

const nameOf = ({ email, space }: LevelRow) => `${email} on ${space}`;
