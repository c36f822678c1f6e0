import type { Invocation } from '../../cli/command/command.ts';
import type { BuildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import type { BodyInput } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { type Finding, slugOf } from '../../openapi/index.ts';
import { isAddress } from '../shared/description-source.ts';
import { type FailOn, acceptFindings, count, isSevere, summaryOf } from '../shared/findings.ts';
import { type AcceptFlags, isChangeRule } from './accept-changes.ts';
import type { ReadResult } from './description-tasks.ts';
import { projectSources, type Source } from './project-sources.ts';
import { type ReadFlags, readDescriptions } from './read-source.ts';

export type PublishInvocation = Invocation<
  { source?: string | undefined },
  ReadFlags &
    AcceptFlags & {
      slug?: string | undefined;
      wait?: string | true | undefined;
      failOn?: (FailOn | 'breaking')[] | undefined;
      rebase?: boolean | undefined;
      force?: boolean | undefined;
      ci?: boolean | undefined;
    }
>;

export interface CheckedSource extends Source {
  description: ReadResult;
  /** Without those that a baseline accepts. */
  findings: Finding[];
}

export interface Candidate extends CheckedSource {
  params: { orgId: string; specSlug: string };
}

/** Reads and checks a source, or all sources in the project file. */
export async function readAll(invocation: PublishInvocation): Promise<CheckedSource[]> {
  const sources = await sourcesOf(invocation);
  const descriptions = await Array.fromAsync(readDescriptions(invocation, sources));
  const all = descriptions.flatMap(({ description }) => description.findings);
  const left = new Set((await acceptFindings(invocation, all, (rule) => !isChangeRule(rule))).findings);
  return descriptions.map((each) => ({
    ...each,
    findings: each.description.findings.filter((finding) => left.has(finding)),
  }));
}

async function sourcesOf({ args, flags, session }: PublishInvocation): Promise<Source[]> {
  const { source } = args;
  if (source !== undefined) return [{ source, ...(flags.slug === undefined ? {} : { slug: flags.slug }) }];
  const sources = projectSources(await session.project(), 'source');
  if (flags.slug === undefined) return sources;
  throw new UsageError('--slug needs <source>.', 'In .docsctl.yaml, each entry can have its own slug.');
}

/** @throws CommandError (status 9) if findings prevent publishing */
export function refuseSevere(sources: readonly CheckedSource[], failOn: FailOn, server: BuildServer): void {
  const lines = sources.flatMap(({ source, description, findings }) => {
    if (description.version === undefined) return [`${source} is not a description that the service can read.`];
    const severe = findings.filter((finding) => isSevere(finding, failOn)).length;
    return severe === 0 ? [] : [`${source} has ${count(severe, 'finding')} that must be fixed.`];
  });
  for (const { source, findings } of sources) if (findings.length > 0) server.summary(summaryOf(source, findings));
  if (lines.length === 0) return;
  const isReadable = sources.every(({ description }) => description.version !== undefined);
  throw new CommandError(`${lines.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: isReadable
      ? 'The findings are listed above. --fail-on none sends the description unchanged; --baseline accepts findings.'
      : 'The problems are listed above.',
  });
}

export function slugFor({ slug, source, description }: CheckedSource): string {
  const name = slug ?? slugOf(description.title);
  if (name === '') throw new UsageError(`${source} has no title to derive a slug from.`, 'Pass --slug.');
  return name;
}

/** @throws UsageError if one would replace another */
export function refuseSameSlug(candidates: readonly Candidate[]): void {
  for (const [slug, sharing] of Map.groupBy(candidates, ({ params }) => params.specSlug)) {
    if (sharing.length === 1) continue;
    throw new UsageError(
      `${sharing.map(({ source }) => source).join(' and ')} would both be published as "${slug}".`,
      'Give each its own slug under "openapi:" in .docsctl.yaml.',
    );
  }
}

export const bodyOf = (candidate: CheckedSource): BodyInput<typeof openapi.put> => ({
  source: isSentAsAddress(candidate) ? { url: candidate.source } : { text: candidate.description.text },
});

/** The service can download an address, but not the documents that it refers to. */
export const isSentAsAddress = ({ source, description }: CheckedSource) => isAddress(source) && !description.isFolded;

export const requestOf = (candidate: Candidate) => ({
  endpoint: openapi.put,
  params: candidate.params,
  query: {},
  body: bodyOf(candidate),
});

export const noteUnchanged = ({ io }: Pick<PublishInvocation, 'io'>, { params }: Candidate) =>
  io.note(`${params.specSlug} is already published and unchanged; nothing was sent.`);
