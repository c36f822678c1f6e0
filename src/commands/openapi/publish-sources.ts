import { isAcceptable } from '../../openapi/acceptable.ts';
import { resolve } from 'node:path';
import type { BuildServer } from '../../cli/program/build-server.ts';
import { UsageError, checkFailed } from '../../cli/program/failure.ts';
import type { BodyInput } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { type Finding, slugOf } from '../../openapi/index.ts';
import { isAddress } from '../../openapi/find-descriptions.ts';
import { type FailOn, acceptFindings, count, isSevere, summaryOf } from '../../cli/report/findings.ts';
import { isChangeRule } from './accept-changes.ts';
import type { ReadResult } from '../shared/description-tasks.ts';
import { expandSources } from '../../openapi/find-descriptions.ts';
import type { KeptFailures } from './keep-going.ts';
import { projectSources, projectWords, type Source } from './project-sources.ts';
import { readDescriptions } from './read-source.ts';
import type { PublishInvocation } from './flags.ts';

export interface CheckedSource extends Source {
  description: ReadResult;
  /** Without those that a baseline accepts. */
  findings: Finding[];
}

export interface Candidate extends CheckedSource {
  params: { orgId: string; specSlug: string };
}

/** Reads and checks descriptions. */
export async function readAll(
  invocation: PublishInvocation,
  sources: readonly Source[],
  failures: KeptFailures,
): Promise<CheckedSource[]> {
  const descriptions = await Array.fromAsync(
    readDescriptions(invocation, sources, ({ source }, error) => failures.add(source, error)),
  );
  const all = descriptions.flatMap(({ description }) => description.findings);
  const left = new Set(
    (await acceptFindings(invocation, all, { hasRule: (rule) => !isChangeRule(rule), isAcceptable })).findings,
  );
  return descriptions.map((each) => ({
    ...each,
    findings: each.description.findings.filter((finding) => left.has(finding)),
  }));
}

/** The given sources, or all in the project file. Descriptions in the project file have the slugs that it gives them. */
export async function sourcesOf({ args, flags, session }: PublishInvocation): Promise<Source[]> {
  const words = args.source ?? [];
  if (words.length === 0) {
    const sources = projectSources(await session.project(), 'source');
    if (flags.slug === undefined) return sources;
    throw new UsageError('--slug needs <source>.', 'In .docsctl.yaml, each entry can have its own slug.');
  }
  const sources = expandSources(words);
  if (flags.slug !== undefined) {
    const [source, ...others] = sources;
    if (source !== undefined && others.length === 0) return [{ source, slug: flags.slug }];
    throw new UsageError(
      `--slug names one specification, but there are ${sources.length} sources.`,
      'List them with their slugs under "openapi:" in .docsctl.yaml.',
    );
  }
  // A single file keeps the slug of its title, wherever the working directory is.
  const project = sources.length > 1 ? projectWords(await session.project()) : [];
  const slugs = new Map(project.map(({ source, slug }) => [resolve(source), slug]));
  return sources.map((source) => {
    const slug = slugs.get(resolve(source));
    return { source, ...(slug === undefined ? {} : { slug }) };
  });
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
  throw checkFailed(
    `${lines.join('\n')}\nNothing was sent.`,
    isReadable
      ? 'The findings are listed above. --fail-on none sends the description unchanged; --baseline accepts findings.'
      : 'The problems are listed above.',
  );
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
