import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { reportContext } from '../../cli/report/finding.ts';
import { IgnoreFile, matchesPattern } from '../../cli/report/ignore.ts';
import { printReport, type ReportFormat } from '../../cli/report/report.ts';
import { changeRules, type DescriptionProblem, type PlacedChange } from '../../openapi/index.ts';
import { DescriptionThread } from './description-worker.ts';
import { type ChangeFinding, countText, findingOf, gradedLevel, markdownReport, textReport } from './diff-report.ts';
import { findSource, type Side } from './diff-source.ts';
import { hasListOutput, refuseTwoFormats } from '../shared/findings.ts';
import { type ReadFlags, unreadableSource } from './read-source.ts';

type FailOn = 'breaking' | 'warning' | 'none';

type DiffInvocation = Invocation<
  { old?: string | undefined; new?: string | undefined },
  ReadFlags & {
    failOn?: FailOn | undefined;
    format?: ReportFormat | 'markdown' | undefined;
    ignore?: string | undefined;
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
  const findings = problems?.map(problemFinding) ?? (await findingsIn(invocation, changes, now));
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

const example = `[{ rule: parameter-removed, path: "GET /pets", until: 2030-01-31, reason: Nobody used it }]`;

/** The changes that the file of `--ignore` does not accept. @throws UsageError if the file is not valid */
async function findingsIn(
  { flags: { ignore: file }, io }: DiffInvocation,
  all: readonly PlacedChange[],
  now: Date,
): Promise<ChangeFinding[]> {
  if (file === undefined) return all.map(changeFinding);
  const today = now.toISOString().slice(0, 10);
  const ignored = new IgnoreFile(file, { rules: new Set(changeRules.keys()), example, today });
  const isIgnored = (rule: string, operation?: string) =>
    ignored.accepts(rule, (path) => operation !== undefined && fits(path, operation));
  const changes = all.flatMap((change): PlacedChange[] => {
    const { rule } = change;
    if (change.operations.length === 0) return isIgnored(rule) ? [] : [change];
    const operations = change.operations.filter((operation) => !isIgnored(rule, operation));
    return operations.length === 0 ? [] : [{ ...change, operations }];
  });
  const count = all.length - changes.length;
  if (count > 0) await io.note(`${count} change${count === 1 ? ' is' : 's are'} ignored by ${file}.`);
  for (const entry of ignored.unused) await io.note(`${file}: ${entry} matches no change.`);
  const expired = ignored.expired.map((entry): ChangeFinding => {
    const message = `the entry has expired and has no effect: ${entry}`;
    return { level: 'warning', rule: 'ignore-expired', message, file, where: '', operations: [] };
  });
  return [...changes.map(changeFinding), ...expired];
}

/** Whether `/pets/*` or `GET /pets/*` matches an operation. */
function fits(pattern: string, operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ');
  return [operation, path, `${method.toLowerCase()} ${path}`].some((text) => matchesPattern(pattern, text));
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
