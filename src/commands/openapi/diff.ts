import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { reportContext } from '../../cli/report/finding.ts';
import { printReport, type ReportFormat } from '../../cli/report/report.ts';
import { type DescriptionProblem, type PlacedChange } from '../../openapi/index.ts';
import { acceptChanges, type AcceptFlags } from './accept-changes.ts';
import { DescriptionThread } from './description-worker.ts';
import { type ChangeFinding, countText, findingOf, gradedLevel, markdownReport, textReport } from './diff-report.ts';
import { findSource, type Side } from './diff-source.ts';
import { hasListOutput, refuseTwoFormats } from '../shared/findings.ts';
import { type ReadFlags, unreadableSource } from './read-source.ts';

type FailOn = 'breaking' | 'warning' | 'none';

type DiffInvocation = Invocation<
  { old?: string | undefined; new?: string | undefined },
  ReadFlags &
    AcceptFlags & {
      failOn?: FailOn | undefined;
      format?: ReportFormat | 'markdown' | undefined;
      org?: string | undefined;
      ci?: boolean | undefined;
    }
>;

/** Compares two descriptions. The changes are the result. */
export async function diffDescriptions(invocation: DiffInvocation): Promise<void> {
  const { flags, io, session } = invocation;
  refuseTwoFormats(invocation);
  const sources = [argument(invocation, 'old'), argument(invocation, 'new')] as const;
  if (sources[0] === '-' && sources[1] === '-') {
    throw new UsageError('Only one of the two descriptions can be -.', 'Save the other one to a file.');
  }
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const now = new Date();
  const { problems, changes = [] } = await compare(invocation, sources, now);
  const findings = problems?.map(problemFinding) ?? (await findingsIn(invocation, changes, sources[1], now));
  await printFindings(invocation, findings, sources);
  // The report itself consists of annotations.
  if (flags.format !== 'github') await server.annotate(findings.filter(({ level }) => level !== 'info'));
  server.summary(markdownReport(findings, sources));
  refuse(findings, flags.failOn ?? 'breaking', problems !== undefined);
  await io.note(`${firstCapital(countText(findings))}.`);
}

/** Descriptions are compared only if they can be read as a whole. */
const problemFinding = ({ message, ...place }: DescriptionProblem): ChangeFinding => ({
  ...place,
  level: 'error',
  message,
  where: '',
  operations: [],
});

/** @throws UsageError if a description cannot be read */
async function compare(
  invocation: DiffInvocation,
  sources: readonly [string, string],
  now: Date,
): Promise<
  { problems: DescriptionProblem[]; changes?: undefined } | { problems?: undefined; changes: PlacedChange[] }
> {
  const thread = new DescriptionThread(invocation);
  const sides: Side[] = [];
  try {
    const before = await findSource(invocation, sources[0]);
    sides.push(before);
    const after = await findSource(invocation, sources[1]);
    sides.push(after);
    const request = { before: before.request, after: after.request, now };
    const result = await thread.compare(request, `The comparison of ${sources[0]} with ${sources[1]}`);
    if (result.unreadable === undefined) return result;
    const forms =
      'a file, an address that starts with http:// or https://, git:REF:path, the slug of a published specification, slug@version,';
    throw unreadableSource(result.unreadable, forms);
  } finally {
    await thread.close();
    for (const { remove } of sides) remove?.();
  }
}

async function findingsIn(
  invocation: DiffInvocation,
  all: readonly PlacedChange[],
  source: string,
  now: Date,
): Promise<ChangeFinding[]> {
  const { results, expired } = await acceptChanges(invocation, [{ source, changes: all }], now);
  return [...results.flatMap(({ changes }) => changes.map(changeFinding)), ...expired];
}

const changeFinding = (change: PlacedChange): ChangeFinding => ({ ...findingOf(change), level: gradedLevel(change) });

async function printFindings(
  invocation: DiffInvocation,
  findings: readonly ChangeFinding[],
  sources: readonly [string, string],
): Promise<void> {
  const { flags, io, session } = invocation;
  if (hasListOutput(invocation)) return print(invocation, findings);
  const { format = 'text' } = flags;
  if (format === 'text') await io.out.write(textReport(findings));
  else if (format === 'markdown') await io.out.write(visibleLines(markdownReport(findings, sources)));
  else await printReport(io, format, findings, reportContext(session.env, sources));
}

/** @throws CommandError (status 9) if there are changes that --fail-on refuses */
function refuse(findings: readonly ChangeFinding[], failOn: FailOn, isUnread: boolean): void {
  if (isUnread) {
    throw new CommandError('The descriptions were not compared, because they cannot be read as a whole.', {
      exitCode: exit.checkFailed,
      hint: 'Fix the problems listed above; "docsctl openapi validate" checks the rest of a description.',
    });
  }
  if (failOn === 'none') return;
  const severe = findings.filter(({ level }) => level !== 'info' && (level !== 'warning' || failOn === 'warning'));
  if (severe.length === 0) return;
  throw new CommandError(`${firstCapital(countText(severe))}.`, {
    exitCode: exit.checkFailed,
    hint: severe.some(({ level }) => level === 'error')
      ? 'Fix the references listed above, so that everything can be compared.'
      : 'Undo the changes listed above, or accept them with --ignore <file> or --fail-on none.',
  });
}

const firstCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
