import { idsOf } from '../../cli/command/batch.ts';
import type { Invocation } from '../../cli/command/command.ts';
import { print } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError } from '../../cli/program/failure.ts';
import { type Finding, formatFinding } from '../../openapi/index.ts';
import { type CheckFlags, isSevere, readSource } from './read-source.ts';

type ValidateInvocation = Invocation<
  { source?: string[] | undefined },
  CheckFlags & { failOn?: 'warning' | undefined }
>;

/** Checks each description. The findings are the result. */
export async function validateAll(invocation: ValidateInvocation): Promise<void> {
  const { args, io, flags, session, globals } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  // Here "-" is a description on standard input, and not a list of sources.
  const sources = args.source?.includes('-') ? args.source : await idsOf(invocation, 'source');
  const findings: Finding[] = [];
  for (const source of sources) {
    // Not spread into the call: there may be more findings than a call takes arguments.
    for (const finding of (await readSource(invocation, source)).findings) findings.push(finding);
  }
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    for (const finding of findings) await io.out.write(`${visibleLines(formatFinding(finding))}\n`);
  } else {
    await print(invocation, findings);
  }
  await server.annotate(findings.map((finding) => ({ ...finding, level: finding.severity })));
  const severe = findings.filter((finding) => isSevere(finding, flags.failOn)).length;
  if (severe > 0) {
    throw new CommandError(
      `${severe} finding${severe === 1 ? '' : 's'} in ${sources.length} description${sources.length === 1 ? '' : 's'}.`,
      { exitCode: exit.checkFailed },
    );
  }
  await io.note(sources.length === 1 ? 'It is valid.' : `All ${sources.length} are valid.`);
}
