import { isAcceptable } from '../../openapi/acceptable.ts';
import { buildServer } from '../../cli/program/build-server.ts';
import { checkFailed } from '../../cli/program/failure.ts';
import type { Finding } from '../../openapi/index.ts';
import {
  acceptFindings,
  count,
  countLevels,
  isSevere,
  printFindings,
  refuseTwoFormats,
  summaryOf,
} from '../../cli/report/findings.ts';
import { isChangeRule } from './accept-changes.ts';
import { expandSources } from '../../openapi/find-descriptions.ts';
import { KeptFailures } from './keep-going.ts';
import { projectSources } from './project-sources.ts';
import { readDescriptions } from './read-source.ts';
import type { ValidateInvocation } from './flags.ts';

/** Checks each description. The findings are the result. */
export async function validateAll(invocation: ValidateInvocation): Promise<void> {
  const { io, flags, session } = invocation;
  const { failOn = 'error' } = flags;
  refuseTwoFormats(invocation);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const sources = await sourcesOf(invocation);
  const all: Finding[] = [];
  const failures = new KeptFailures(io, flags.keepGoing === true);
  for await (const { description } of readDescriptions(
    invocation,
    sources.map((source) => ({ source })),
    ({ source }, error) => failures.add(source, error),
  )) {
    // Not spread into one call, because a call takes a limited number of arguments.
    for (const finding of description.findings) all.push(finding);
  }
  const { findings, accepted } = await acceptFindings(invocation, all, {
    hasRule: (rule) => !isChangeRule(rule),
    isAcceptable,
  });
  await printFindings(invocation, findings, sources);
  // The report itself consists of annotations.
  if (flags.format !== 'github') await server.annotate(findings);
  server.summary(summaryOf(sources.length === 1 ? (sources[0] ?? '') : `${sources.length} descriptions`, findings));
  failures.throwIfAny(sources.length);
  const severe = findings.filter((finding) => isSevere(finding, failOn)).length;
  if (severe > 0) throw checkFailed(`${count(severe, 'finding')} in ${count(sources.length, 'description')}.`);
  await io.note(conclusion(sources.length, findings, accepted));
}

/** Here, "-" is a description on standard input and not a list of sources. */
async function sourcesOf({ args, session }: ValidateInvocation): Promise<string[]> {
  if (args.source && args.source.length > 0) return expandSources(args.source);
  return projectSources(await session.project(), 'source').map(({ source }) => source);
}

function conclusion(sources: number, findings: readonly Finding[], accepted: number): string {
  const isValid = findings.every(({ level }) => level !== 'error') && accepted === 0;
  const valid = sources === 1 ? 'It is valid' : `All ${sources} are valid`;
  const parts = [
    ...(findings.length > 0 ? [countLevels(findings)] : []),
    ...(accepted > 0 ? [`${count(accepted, 'finding')} accepted by the baseline`] : []),
  ];
  return `${[...(isValid ? [valid] : []), ...(parts.length > 0 ? [parts.join(', ')] : [])].join(': ')}.`;
}
