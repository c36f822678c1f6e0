import type { Invocation } from '../../cli/command/command.ts';
import { printList } from '../../cli/command/list.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { version } from '../../shared/version.ts';
import { checkContext } from './check-context.ts';
import { checkService, checkUser } from './check-service.ts';
import { checkAddress, checkEnvironment, checkFiles } from './check-settings.ts';
import { Report } from './report.ts';

/** Runs all checks and prints the findings. @throws CommandError if a check failed */
export async function examine(invocation: Invocation): Promise<void> {
  const { command, io } = invocation;
  const report = new Report();
  await withProgress(io, 'Checking', () => runChecks(report, invocation));
  await printList(invocation, report.findings, command.output, { contractPaths: ['hint'] });
  const failures = report.findings.filter(({ state }) => state === 'fail');
  const [firstFailure] = failures;
  for (const finding of report.findings) {
    if (finding.hint !== undefined && finding !== firstFailure)
      await io.note(`hint: ${finding.check}: ${finding.hint}`);
  }
  if (report.exitCode === undefined) return;
  throw new CommandError(failures.map(({ check, detail }) => `${check}: ${detail}`).join('\n'), {
    exitCode: report.exitCode,
    hint: firstFailure?.hint,
  });
}

/** Runs the checks in order, until one fails that the next ones depend on. */
async function runChecks(report: Report, invocation: Invocation): Promise<void> {
  const { session } = invocation;
  report.ok('docsctl', `${version} on Node.js ${process.versions.node}, ${process.platform}`);
  checkEnvironment(report, session);
  if (!(await checkFiles(report, session))) return;
  const address = await checkAddress(report, invocation);
  if (!address) return;
  const client = await checkService(report, session, address);
  if (!client) return;
  try {
    const userId = await checkUser(report, client);
    if (userId !== undefined) await checkContext(report, invocation, client, userId);
  } finally {
    await client.close();
  }
}
