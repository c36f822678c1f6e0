import { idsOf } from '../../cli/command/batch.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { reportContext } from '../../cli/report/places.ts';
import { printReport, type ReportFormat } from '../../cli/report/report.ts';
import type { Finding } from '../../openapi/index.ts';
import {
  acceptFindings,
  type BaselineFlags,
  count,
  countLevels,
  type FailOn,
  isSevere,
  summaryOf,
} from '../shared/findings.ts';
import { DescriptionReader, type ReadFlags } from './read-source.ts';

type ValidateInvocation = Invocation<
  { source?: string[] | undefined },
  ReadFlags &
    BaselineFlags & {
      failOn?: FailOn | undefined;
      format?: ReportFormat | undefined;
      ci?: boolean | undefined;
    }
>;

/** Checks each description. The findings are the result. */
export async function validateAll(invocation: ValidateInvocation): Promise<void> {
  const { args, io, flags, session } = invocation;
  const { failOn = 'error' } = flags;
  refuseTwoFormats(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  // Here "-" is a description on standard input, and not a list of sources.
  const sources = args.source?.includes('-') ? args.source : await idsOf(invocation, 'source');
  const { findings, accepted } = await acceptFindings(invocation, await findingsIn(invocation, sources));
  await printFindings(invocation, findings, sources);
  // The report itself has the annotations.
  if (flags.format !== 'github') await server.annotate(findings);
  server.summary(summaryOf(sources.length === 1 ? (sources[0] ?? '') : `${sources.length} descriptions`, findings));
  const severe = findings.filter((finding) => isSevere(finding, failOn)).length;
  if (severe > 0) {
    throw new CommandError(`${count(severe, 'finding')} in ${count(sources.length, 'description')}.`, {
      exitCode: exit.checkFailed,
    });
  }
  await io.note(conclusion(sources.length, findings, accepted));
}

async function findingsIn(invocation: ValidateInvocation, sources: readonly string[]): Promise<Finding[]> {
  const reader = new DescriptionReader(invocation);
  const findings: Finding[] = [];
  try {
    for (const source of sources) {
      // Not spread into the call: there may be more findings than a call takes arguments.
      for (const finding of (await reader.read(source)).findings) findings.push(finding);
    }
  } finally {
    await reader.close();
  }
  return findings;
}

/** As a report, or as a list with the output options of all commands. */
async function printFindings(
  invocation: ValidateInvocation,
  findings: readonly Finding[],
  sources: readonly string[],
): Promise<void> {
  const { flags, globals, io, session } = invocation;
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    return printReport(io, flags.format ?? 'text', findings, reportContext(session.env, sources));
  }
  await print(invocation, findings);
}

function refuseTwoFormats({ flags, globals }: ValidateInvocation): void {
  const other = globals.output !== undefined ? '--output' : globals.jq !== undefined ? '--jq' : undefined;
  if (flags.format !== undefined && other) throw new UsageError(`--format and ${other} cannot be combined.`);
}

function conclusion(sources: number, findings: readonly Finding[], accepted: number): string {
  const isValid = findings.every(({ level }) => level !== 'error') && accepted === 0;
  const valid = sources === 1 ? 'It is valid' : `All ${sources} are valid`;
  const parts = [
    ...(findings.length > 0 ? [countLevels(findings)] : []),
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted by the baseline`] : []),
  ];
  if (isValid) return parts.length > 0 ? `${valid}: ${parts.join(', ')}.` : `${valid}.`;
  return `${parts.join(', ')}.`;
}
