import type { Invocation } from '../../cli/command/command.ts';
import { argument, print } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { reportContext } from '../../cli/report/places.ts';
import { printReport, type ReportFormat } from '../../cli/report/report.ts';
import { type DescriptionProblem, isNotCompared, type PlacedChange } from '../../openapi/index.ts';
import { DescriptionThread } from './description-worker.ts';
import { ignoreChanges } from './diff-ignore.ts';
import { type ChangeFinding, countText, findingOf, markdownReport, textReport } from './diff-report.ts';
import { findSource, type Side } from './diff-source.ts';
import type { ReadFlags } from './read-source.ts';

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
    throw new UsageError('Only one of the two can be -.', 'Write one of them into a file.');
  }
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const now = new Date();
  const { problems, changes = [] } = await compare(invocation, sources, now);
  const findings = problems?.map(problemFinding) ?? (await findingsIn(invocation, changes, now));
  await printFindings(invocation, findings, sources);
  // The report itself has the annotations.
  if (flags.format !== 'github') await server.annotate(findings.filter(({ level }) => level !== 'info'));
  server.summary(markdownReport(findings, sources));
  refuse(findings, flags.failOn ?? 'breaking', problems !== undefined);
  await io.note(`${firstCapital(countText(findings))}.`);
}

/** A description that cannot be read as a whole is not compared at all. */
const problemFinding = ({ message, ...place }: DescriptionProblem): ChangeFinding => ({
  ...place,
  level: 'error',
  message,
  where: '',
  operations: [],
});

/** @throws UsageError for what cannot be read */
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
    throw new UsageError(
      `${result.unreadable.replace(/\.$/, '')}.`,
      'Name a file, an address that begins with http:// or https://, git:REF:path, the slug of a published specification, slug@version, or - for standard input.',
    );
  } finally {
    await thread.close();
    for (const { remove } of sides) remove?.();
  }
}

async function findingsIn(
  { flags: { ignore: file }, io }: DiffInvocation,
  all: readonly PlacedChange[],
  now: Date,
): Promise<ChangeFinding[]> {
  if (file === undefined) return all.map(changeFinding);
  const { changes, count, expired, unused } = ignoreChanges(file, all, now.toISOString().slice(0, 10));
  if (count > 0) await io.note(`${count} change${count === 1 ? ' is' : 's are'} ignored by ${file}.`);
  for (const entry of unused) await io.note(`${file}: ${entry} matches no change.`);
  const overdue = expired.map((entry): ChangeFinding => {
    const message = `the entry has expired and has no effect: ${entry}`;
    return { level: 'warning', rule: 'ignore-expired', message, file, where: '', operations: [] };
  });
  return [...changes.map(changeFinding), ...overdue];
}

/** What nobody could compare may hold a breaking change. */
const changeFinding = (change: PlacedChange): ChangeFinding =>
  isNotCompared(change) ? { ...findingOf(change), level: 'error' } : findingOf(change);

async function printFindings(
  invocation: DiffInvocation,
  findings: readonly ChangeFinding[],
  sources: readonly [string, string],
): Promise<void> {
  const { flags, globals, io, session } = invocation;
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined) {
    return print(invocation, findings);
  }
  const { format = 'text' } = flags;
  if (format === 'text') await io.out.write(textReport(findings));
  else if (format === 'markdown') await io.out.write(visibleLines(markdownReport(findings, sources)));
  else await printReport(io, format, findings, reportContext(session.env, sources));
}

/** @throws CommandError (status 9) where there are changes that may not be */
function refuse(findings: readonly ChangeFinding[], failOn: FailOn, isUnread: boolean): void {
  if (isUnread) {
    throw new CommandError('The descriptions were not compared: they cannot be read as a whole.', {
      exitCode: exit.checkFailed,
      hint: 'Correct what is listed; "docsctl openapi validate" checks the rest of a description.',
    });
  }
  if (failOn === 'none') return;
  const severe = findings.filter(({ level }) => level !== 'info' && (level !== 'warning' || failOn === 'warning'));
  if (severe.length === 0) return;
  throw new CommandError(`${firstCapital(countText(severe))}.`, {
    exitCode: exit.checkFailed,
    hint: severe.some(({ level }) => level === 'error')
      ? 'Correct the references that are listed, so that everything can be compared.'
      : 'Undo the changes that are listed, or accept them with --ignore <file> or --fail-on none.',
  });
}

function refuseTwoFormats({ flags, globals }: DiffInvocation): void {
  const other = globals.output !== undefined ? '--output' : globals.jq !== undefined ? '--jq' : undefined;
  if (flags.format !== undefined && other) throw new UsageError(`--format and ${other} cannot be combined.`);
}

const firstCapital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
