import { join, resolve } from 'node:path';
import type { Invocation } from '../../cli/command/command.ts';
import { requireOrganization, scopeOf } from '../../cli/command/invocation.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { FileMistakes, readOrganizationFolder } from '../../organization/files/organization-folder.ts';
import { type MadePlan, makePlan } from '../../organization/plan/make-plan.ts';
import { checkSavedPlan, readSavedPlan } from '../../organization/plan/saved-plan.ts';
import type { OrganizationPort } from '../../organization/port.ts';
import { checkSelection } from '../../organization/selection.ts';
import { FolderTexts } from '../../sync/folder-texts.ts';
import { withContentPort } from '../shared/content-port.ts';
import { reportNotMerged } from '../shared/not-merged.ts';
import { changeLines, type PlanRow, summaryText } from '../shared/print-plan.ts';

export type PlanInvocation = Invocation<
  { folder?: string | undefined },
  {
    only?: string[] | undefined;
    prune?: boolean | undefined;
    keepDrift?: boolean | undefined;
    ci?: boolean | undefined;
    exitCode?: boolean | undefined;
    out?: string | undefined;
  }
>;

/**
 * Runs a function with the plan of a folder, or of a file that "docsctl plan --out" wrote. Mistakes of the files are
 * annotated.
 */
export async function withPlan(
  invocation: PlanInvocation,
  options: { isDrift?: boolean; isSaved?: boolean },
  run: (made: MadePlan) => Promise<void>,
): Promise<void> {
  const texts = new FolderTexts(invocation.signal);
  try {
    await run(await preparePlan(invocation, texts, options));
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
      const flag = only ? '--only' : prune ? '--prune' : keepDrift ? '--keep-drift' : undefined;
      if (flag !== undefined)
        throw new UsageError(
          `${flag} has no effect on a saved plan.`,
          `Make the plan with "docsctl plan ${flag} --out".`,
        );
      const orgId = await organizationOf(invocation);
      return await withOrganization(invocation, text, (port) =>
        checkSavedPlan(port, { file: folder, saved, orgId, texts }),
      );
    }
    // A wrong --only is reported before mistakes of the files.
    checkSelection(only);
    const path = resolve(folder);
    const read = await readOrganizationFolder(path, folder, session.env);
    for (const message of read.misnamed) await io.note(message);
    const orgId = await organizationOf(invocation);
    return await withOrganization(invocation, text, (port) =>
      makePlan(port, { path, folder, read, orgId, texts, isDrift, flags: { only, prune, keepDrift } }),
    );
  } catch (error) {
    if (error instanceof FileMistakes)
      await buildServer(io, { env: session.env, ci: flags.ci }).annotate(
        error.problems.map((problem) => ({ level: 'error', rule: 'organization-file', ...problem })),
      );
    throw error;
  }
}

/** The folder or plan has the id of its organization, so an organization that is named is looked up. */
export const organizationOf = async (invocation: Invocation<Invocation['args'], {}>): Promise<string> =>
  (await requireOrganization(invocation)) ?? scopeOf(invocation, 'org');

/** Runs the engine of organizations with a port. */
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

/** More than a reviewer reads; the log has all of them. */
const maxShown = 200;

/** Shows the changes of a plan on the page of a build, and beside the files that they come from. */
export async function reportPlan(
  { io, session, flags }: PlanInvocation,
  {
    title,
    folder,
    changes,
    requests,
  }: { title: string; folder: string; changes: readonly PlanRow[]; requests: number },
): Promise<void> {
  const server = buildServer(io, { env: session.env, ci: flags.ci });
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
  // In a diff, GitHub colours what begins with "!".
  const lines = shown.flatMap((change) => changeLines(change)).map((line) => line.replace(/^[~>?]/, '!'));
  const block = ['```diff', ...lines, ...(more > 0 ? [`... and ${more} more`] : []), '```'];
  server.summary(
    [`### ${title}`, '', summaryText(changes, requests), ...(lines.length > 0 ? ['', ...block] : [])].join('\n'),
  );
}
