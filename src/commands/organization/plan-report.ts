import { join } from 'node:path';
import { buildServer } from '../../cli/program/build-server.ts';
import { changeLines, type PlanRow, summaryText } from './print-plan.ts';
import type { PlanInvocation } from '../../organization/plan/make-plan.ts';

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
