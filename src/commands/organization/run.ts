import { join, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { branchIn, buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { namedOrganization } from '../../organization/files/environment.ts';
import { FileMistakes, readOrganizationFolder } from '../../organization/files/organization-folder.ts';
import { type MadePlan, makePlan } from '../../organization/plan/make-plan.ts';
import { checkSavedPlan, planText, readSavedPlan } from '../../organization/plan/saved-plan.ts';
import type { OrganizationPort } from '../../organization/port.ts';
import { staleness } from '../../organization/state/stale.ts';
import { checkSelection } from '../../organization/selection.ts';
import { readCheckout } from '../../sync/checkout.ts';
import { FolderTexts } from '../../sync/local-folder.ts';
import { withContentPort } from '../shared/download.ts';
import { reportNotMerged } from '../shared/not-merged.ts';
import {
  changeLines,
  nameLines,
  type PlanRow,
  printPlan,
  printRows,
  shownChanges,
  summaryText,
  unmanagedRows,
} from '../shared/print-plan.ts';
import { refuseConflicts } from '../../organization/content/plan-content.ts';
import type { LevelRow } from '../../organization/files/schemas.ts';
import { withDiffs } from './plan-diffs.ts';
import { reasonsForApproval } from './needs-approval.ts';
import { proposePlan } from './propose-plan.ts';
import { levelsFile, overlayFile } from '../../organization/parts.ts';
import { requestCount } from '../../organization/plan/change.ts';
import { writeOut } from '../shared/download.ts';
import { permanentLines } from '../shared/permanent.ts';
import { expiryLines } from '../../organization/terms.ts';
import { visible } from '../../shared/visible.ts';
import { withSmallHeap } from '../../shared/young-heap.ts';

export type PlanInvocation = Invocation<
  { folder?: string | undefined },
  {
    only?: string[] | undefined;
    prune?: boolean | undefined;
    keepDrift?: boolean | undefined;
    ci?: boolean | undefined;
    exitCode?: boolean | undefined;
    out?: string | undefined;
    diff?: boolean | undefined;
    env?: string | undefined;
    propose?: string | undefined;
    expires?: string | undefined;
  }
>;

/** What a plan is made with. */
export interface Planning {
  texts: FolderTexts;
  /** Makes the plan again. */
  again(): Promise<MadePlan>;
}

/** Runs a function with the plan of a folder, or with a saved plan. */
export async function withPlan(
  invocation: PlanInvocation,
  options: { isDrift?: boolean; isSaved?: boolean },
  run: (made: MadePlan, planning: Planning) => Promise<void>,
): Promise<void> {
  const texts = new FolderTexts(invocation.signal);
  const again = () => preparePlan(invocation, texts, options);
  try {
    await withSmallHeap(async () => run(await again(), { texts, again }));
  } finally {
    texts.close();
  }
}

async function preparePlan(
  invocation: PlanInvocation,
  texts: FolderTexts,
  { isDrift = false, isSaved = false }: { isDrift?: boolean; isSaved?: boolean },
): Promise<MadePlan> {
  const { args, flags, io, session } = invocation;
  const { only, prune = false, keepDrift = false } = flags;
  const folder = args.folder ?? '.';
  const text = 'Reading the organization';
  try {
    if (isSaved) {
      const saved = await readSavedPlan(folder, session.env);
      const flag = only ? '--only' : prune ? '--prune' : keepDrift ? '--keep-drift' : flags.env ? '--env' : undefined;
      if (flag !== undefined)
        throw new UsageError(
          `${flag} has no effect on a saved plan.`,
          `Make the plan with "docsctl plan ${flag} --out".`,
        );
      const isOfEnvironment = saved.flags.env !== undefined;
      const orgId = isOfEnvironment
        ? ((await requireOrganization(invocation)) ?? saved.organization)
        : await organizationOf(invocation);
      return await withOrganization(invocation, text, (port) =>
        checkSavedPlan(port, { file: folder, saved, orgId, texts }),
      );
    }
    // An invalid --only is reported before mistakes in the files.
    checkSelection(only);
    const path = resolve(folder);
    const { env } = flags;
    const read = await readOrganizationFolder(path, folder, { variables: session.env, env });
    for (const message of read.misnamed) await io.note(message);
    const orgId = await organizationFor(invocation, env && read.sources.texts.get(overlayFile(env)));
    return await withOrganization(invocation, text, (port) =>
      makePlan(port, { path, folder, read, orgId, texts, isDrift, flags: { only, prune, keepDrift, env } }),
    );
  } catch (error) {
    if (error instanceof FileMistakes)
      await buildServer(io, { env: session.env, ci: flags.ci }).annotate(
        error.problems.map((problem) => ({ level: 'error', rule: 'organization-file', ...problem })),
      );
    throw error;
  }
}

/** The ID of the organization, to compare it with that of the folder or plan. */
export const organizationOf = async (invocation: Invocation<Invocation['args'], {}>): Promise<string> =>
  (await requireOrganization(invocation)) ?? scopeOf(invocation, 'org');

/**
 * The ID of the organization that the file of an environment names, or of the one in use.
 *
 * @throws UsageError if a flag or the environment names another one
 */
export async function organizationFor(
  invocation: Invocation<Invocation['args'], {}>,
  overlay: string | undefined,
): Promise<string> {
  const text = overlay === undefined ? undefined : namedOrganization(overlay);
  if (text === undefined) return organizationOf(invocation);
  const lookup = await (await invocation.names()).lookup();
  const [named, chosen] = [
    await lookup.idOrNameOf({ param: 'orgId', text, params: {} }),
    await requireOrganization(invocation),
  ];
  if (chosen === undefined || chosen === named) return named;
  throw new UsageError(
    `The file of the environment is for the organization ${text} (${named}), not for ${chosen}.`,
    'Leave out --org and DOCSCTL_ORG, or correct "org:" in the file.',
  );
}

/** Runs an engine with a port that reports to build servers. */
export async function withOrganization<T>(
  invocation: Invocation<Invocation['args'], { ci?: boolean | undefined; only?: string[] | undefined }>,
  text: string,
  run: (port: OrganizationPort) => Promise<T>,
): Promise<T> {
  const { io, session, flags } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  return withContentPort(invocation, text, (port) =>
    run({
      ...port,
      annotate: (warnings) => server.annotate(warnings),
      notMerged: (request, error) => reportNotMerged(server, request, error),
    }),
  );
}

/** The most changes on the page of a build. The log has all of them. */
const maxShown = 200;

/** Values for later steps of a build. */
export const countsOf = (changes: readonly Pick<PlanRow, 'action'>[]): { changes: number; removals: number } => ({
  changes: changes.length,
  removals: changes.filter(({ action }) => action === 'delete').length,
});

/** Shows the changes of a plan on the page of a build and next to their files. */
async function reportPlan(
  { io, session, flags }: PlanInvocation,
  {
    title,
    folder,
    changes,
    requests,
    notes,
    isEqual,
  }: {
    title: string;
    folder: string;
    changes: readonly PlanRow[];
    requests: number;
    notes: readonly string[];
    isEqual: boolean;
  },
): Promise<void> {
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  server.outputs(countsOf(changes));
  if (server.name === 'none') return;
  const shown = changes.slice(0, maxShown);
  await server.annotate(
    shown.map((change) => ({
      level: 'info',
      rule: `plan-${change.action}`,
      file: join(folder, change.file),
      message: changeLines(change).join('\n'),
    })),
  );
  const more = changes.length - shown.length;
  // In a diff, GitHub colors lines that start with "!".
  const lines = shown.flatMap((change) => changeLines(change)).map((line) => line.replace(/^[~>?]/, '!'));
  const block = ['```diff', ...lines, ...(more > 0 ? [`... and ${more} more`] : []), '```'];
  server.summary(
    [
      `### ${title}`,
      '',
      summaryText(changes, requests, isEqual),
      ...(lines.length > 0 ? ['', ...block] : []),
      ...notes.flatMap((note) => ['', visible(note)]),
    ].join('\n'),
  );
}

/** Prints the plan that would bring an organization to the state in its files. */
export async function runPlan(invocation: PlanInvocation): Promise<void> {
  const { out, exitCode, propose: title, expires } = invocation.flags;
  if (expires !== undefined && title === undefined)
    throw new UsageError('--expires only works with --propose.', 'Add --propose "Title".');
  await withPlan(invocation, {}, async (made) => {
    const { plan, secrets, folder } = made;
    const plain = shownChanges<PlanRow>(plan.changes, secrets);
    const changes = invocation.flags.diff ? await withDiffs(invocation, made, plain) : plain;
    const notes = [...permanentLines(plan), ...expiryLines(made.expiry)];
    const isEqual = made.expiry.kept.length === 0;
    if (title === undefined)
      await printPlan(invocation, plan, {
        secrets,
        isResult: true,
        names: made.snapshot.names,
        shown: changes,
        notes,
        isEqual,
      });
    else {
      refuseConflicts(made, 'such a plan cannot be proposed.');
      const proposed = await proposePlan(invocation, made, { title, expires });
      if (proposed)
        notes.push(
          `This is proposal ${proposed.number} (${proposed.hash}). Approve it with "docsctl proposals approve ${proposed.number}".`,
        );
    }
    const requests = requestCount(plan.steps, plan.contents);
    await reportPlan(invocation, { title: 'Plan', folder, changes, requests, notes, isEqual });
    const reasons = title === undefined ? reasonsForApproval(made) : [];
    if (reasons.length > 0)
      await invocation.io.note(
        `These changes need an approval (${reasons.join(', ')}): add --propose "Title" to propose them.`,
      );
    await noteStale(invocation, made);
    refuseConflicts(made, 'such a plan cannot be applied.');
    if (out !== undefined) await writeOut(invocation, Buffer.from(planText(made)), out);
    if (exitCode && plan.changes.length > 0)
      throw new CommandError('The organization does not match the files.', { exitCode: exit.checkFailed });
  });
}

/** Notes if the differences may be those of a later apply. A clone without history, as in most pipelines, does not know. */
async function noteStale({ io, session }: PlanInvocation, { path, plan, shared }: MadePlan): Promise<void> {
  if (plan.changes.length === 0 || !shared) return;
  const checkout = await readCheckout(path, branchIn(session.env));
  const stale = await staleness(checkout, shared.state.applies, { hasChanges: true });
  if (stale && stale.relation !== 'unknown') await io.note(`${stale.text} "docsctl apply" would refuse these files.`);
}

/** Prints the differences from the files. @throws CommandError if there are any */
export const runDrift = (invocation: PlanInvocation): Promise<void> =>
  withPlan(invocation, { isDrift: true }, (made) => printDrift(invocation, made));

async function printDrift(invocation: PlanInvocation, made: MadePlan): Promise<void> {
  const { io, flags } = invocation;
  const { plan, secrets, hasLock, folder, snapshot, levels } = made;
  const plain = shownChanges<PlanRow>(
    [...plan.changes, ...unmanagedRows(plan.unnamed), ...levelRows(levels, snapshot.organization.levels)],
    secrets,
  );
  const rows = flags.diff ? await withDiffs(invocation, made, plain) : plain;
  const requests = requestCount(plan.steps, plan.contents);
  const notes = expiryLines(made.expiry);
  const isEqual = made.expiry.kept.length === 0;
  const lines = [...nameLines(snapshot.names, plan), ...notes.map((note) => visible(note))];
  await printRows(invocation, rows, { requests, unnamed: [], isResult: true, isEqual, lines });
  await reportPlan(invocation, { title: 'Drift', folder, changes: rows, requests, notes, isEqual });
  const edited = hasLock ? plan.changes.filter(({ isDrift }) => isDrift !== true).length : 0;
  if (edited > 0)
    await io.note(
      `${edited} of these ${edited === 1 ? 'is' : 'are'} in files that you changed since the last export or apply and may not have applied yet.`,
    );
  if (!levels && !flags.only)
    await io.note(
      `Levels granted on spaces are not compared: there is no ${levelsFile}. "docsctl export --levels" writes it.`,
    );
  if (rows.length + made.expiry.kept.length > 0)
    throw new CommandError('The organization does not match the files.', {
      exitCode: exit.checkFailed,
      hint: driftHint(rows),
    });
}

function driftHint(rows: readonly PlanRow[]): string {
  if (rows.length === 0) return 'Name another administrator or owner, or change "until".';
  const isUnmanaged = ({ action, kind }: PlanRow) => action === 'unmanaged' && kind !== 'level';
  if (rows.every(({ kind }) => kind === 'level'))
    return 'The service has no request that changes a level: remove the member, or change their role or the default levels; "docsctl export" writes the levels to the folder.';
  const takes = '"docsctl export" writes them to the folder.';
  if (!rows.some(isUnmanaged)) return `"docsctl apply" reverts the changes; ${takes}`;
  return rows.every((row) => row.kind === 'level' || isUnmanaged(row))
    ? `"docsctl apply --prune" removes objects that are not in the files; ${takes}`
    : `"docsctl apply" reverts the changes, and with --prune also removes objects that are not in the files; ${takes}`;
}

/** The differences from levels.csv. @param desired undefined if the file is missing */
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
