import type { Invocation } from '../../cli/command/command.ts';
import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { print, scopeOf, withPort } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer, markdownCell, outputsOf } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { untilProcessed } from '../../client/until-processed.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { type Finding, slugOf } from '../../openapi/index.ts';
import { isAddress } from '../shared/description-source.ts';
import {
  type BaselineFlags,
  type FailOn,
  acceptFindings,
  count,
  isSevere,
  reportFindings,
  summaryOf,
} from '../shared/findings.ts';
import { projectPath } from '../shared/project-paths.ts';
import { type BreakingResult, refuseBreaking } from './breaking-gate.ts';
import { type ReadResult, digestOf } from './description-tasks.ts';
import { type ReadFlags, readDescriptions } from './read-source.ts';

type PublishInvocation = Invocation<
  { source?: string | undefined },
  ReadFlags &
    BaselineFlags & {
      slug?: string | undefined;
      wait?: string | true | undefined;
      failOn?: (FailOn | 'breaking')[] | undefined;
      force?: boolean | undefined;
      ci?: boolean | undefined;
    }
>;

type Spec = AnswerOf<typeof openapi.view>;

interface Source {
  source: string;
  slug?: string;
}

interface CheckedSource extends Source {
  description: ReadResult;
  /** Without those that a baseline accepts. */
  findings: Finding[];
}

interface Candidate extends CheckedSource {
  params: { orgId: string; specSlug: string };
}

interface LastPublished {
  spec: Spec;
  /** Its latest version as JSON, if one has been processed. */
  json: string | undefined;
}

interface Compared extends Candidate {
  before: LastPublished | undefined;
  breaking: Breaking;
}

/** Publishes a source, or all sources in the project file. Checks all of them before it sends any. */
export async function publishAll(invocation: PublishInvocation): Promise<void> {
  const { flags, session, io, globals } = invocation;
  const gate = gateOf(flags.failOn ?? ['error']);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  secondsToWait(flags.wait);
  const checked = await readAll(invocation);
  await reportFindings(
    invocation,
    checked.flatMap(({ findings }) => findings),
    server,
  );
  refuseSevere(checked, gate.lint, server);
  const orgId = await scopeOf(invocation, 'org');
  const candidates = checked.map((each) => ({ ...each, params: { orgId, specSlug: slugFor(each) } }));
  refuseSameSlug(candidates);
  // A dry run only sends the requests that a check needs.
  if (globals.dryRun && !gate.breaking) return printRequests(invocation, candidates.map(requestOf));
  const compared = await compareAll(invocation, server, candidates, gate.breaking);
  if (globals.dryRun) return printRequests(invocation, compared.map(requestOf));
  const published: Published[] = [];
  for (const each of compared) published.push(await publishOne(invocation, each));
  reportPublished(server, published);
  await print(invocation, published.length === 1 ? published[0] : published);
}

/** @throws UsageError for words that cannot be combined */
function gateOf(failOn: readonly (FailOn | 'breaking')[]): { lint: FailOn; breaking: boolean } {
  const words = new Set(failOn);
  if (words.has('none') && words.size > 1) throw new UsageError('--fail-on none cannot be combined with other values.');
  const lint = words.has('none') ? 'none' : words.has('warning') ? 'warning' : 'error';
  return { lint, breaking: words.has('breaking') };
}

/** The seconds of `--wait`. @throws UsageError if they are not a number above 0 */
function secondsToWait(wait: string | true = true): number | undefined {
  if (wait === true) return undefined;
  if (Number(wait) > 0) return Number(wait);
  throw new UsageError(`--wait must be a number of seconds, not "${wait}".`);
}

async function readAll(invocation: PublishInvocation): Promise<CheckedSource[]> {
  const sources = await sourcesOf(invocation);
  const descriptions = await Array.fromAsync(readDescriptions(invocation, sources));
  const all = descriptions.flatMap(({ description }) => description.findings);
  const left = new Set((await acceptFindings(invocation, all)).findings);
  return descriptions.map((each) => ({
    ...each,
    findings: each.description.findings.filter((finding) => left.has(finding)),
  }));
}

/** Reads the latest published versions and checks for breaking changes since. */
async function compareAll(
  invocation: PublishInvocation,
  server: BuildServer,
  candidates: readonly Candidate[],
  checksBreaking: boolean,
): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const each of candidates) {
    const before = await lastPublished(invocation, each.params, checksBreaking);
    compared.push({ ...each, before, breaking: 'not-checked' });
  }
  if (!checksBreaking) return compared;
  const results = await refuseBreaking(
    invocation,
    server,
    compared.map(({ source, params, before, description }) => {
      return { source, slug: params.specSlug, before: before?.json, after: description };
    }),
  );
  return compared.map((each) => ({ ...each, breaking: results.get(each.params.specSlug) ?? 'not-checked' }));
}

async function sourcesOf({ args, flags, session }: PublishInvocation): Promise<Source[]> {
  const { source } = args;
  if (source !== undefined) return [{ source, ...(flags.slug === undefined ? {} : { slug: flags.slug }) }];
  const project = await session.project();
  if (!project?.openapi?.length) {
    throw new UsageError(
      '<source> is missing.',
      'Name a file, an address or -, or list the sources under "openapi:" in .docsctl.yaml.',
    );
  }
  if (flags.slug !== undefined) {
    throw new UsageError('--slug needs <source>.', 'In .docsctl.yaml, each entry can have its own slug.');
  }
  return project.openapi.map(({ path, slug }, index) => ({
    source: isAddress(path) ? path : projectPath(project, `openapi[${index}].path`, path),
    ...(slug === undefined ? {} : { slug }),
  }));
}

/** @throws CommandError (status 9) if findings prevent publishing */
function refuseSevere(sources: readonly CheckedSource[], failOn: FailOn, server: BuildServer): void {
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

function slugFor({ slug, source, description }: CheckedSource): string {
  const name = slug ?? slugOf(description.title);
  if (name === '') throw new UsageError(`${source} has no title to derive a slug from.`, 'Pass --slug.');
  return name;
}

/** @throws UsageError if one would replace another */
function refuseSameSlug(candidates: readonly Candidate[]): void {
  for (const [slug, sharing] of Map.groupBy(candidates, ({ params }) => params.specSlug)) {
    if (sharing.length === 1) continue;
    throw new UsageError(
      `${sharing.map(({ source }) => source).join(' and ')} would both be published as "${slug}".`,
      'Give each its own slug under "openapi:" in .docsctl.yaml.',
    );
  }
}

const bodyOf = (candidate: CheckedSource): BodyInput<typeof openapi.put> => ({
  source: isSentAsAddress(candidate) ? { url: candidate.source } : { text: candidate.description.text },
});

/** The service can download an address, but not the documents that it refers to. */
const isSentAsAddress = ({ source, description }: CheckedSource) => isAddress(source) && !description.isFolded;

const requestOf = (candidate: Candidate) => ({
  endpoint: openapi.put,
  params: candidate.params,
  query: {},
  body: bodyOf(candidate),
});

async function lastPublished(
  invocation: PublishInvocation,
  params: { orgId: string; specSlug: string },
  isCompared: boolean,
): Promise<LastPublished | undefined> {
  const client = await invocation.client();
  try {
    const spec = await client.call(openapi.view, { params });
    if (isCompared && spec.processingState !== 'complete') {
      // A comparison with an older version would miss the changes of the one being processed.
      throw new CommandError(
        `${params.specSlug} cannot be compared yet, because the service is still processing it. Nothing was sent.`,
        { exitCode: exit.checkFailed, hint: `Check its state with "docsctl openapi view ${params.specSlug}".` },
      );
    }
    if (spec.lastVersion === undefined) return { spec, json: undefined };
    const { filesystem } = await client.call(openapi.latestContent, { params });
    return { spec, json: JSON.stringify(Object.values(filesystem)[0]) };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

async function publishOne(invocation: PublishInvocation, candidate: Compared): Promise<Published> {
  const { flags, io } = invocation;
  const {
    params,
    before,
    breaking,
    findings: { length: findings },
  } = candidate;
  if (before && !flags.force && isSame(before, candidate)) {
    await io.note(`${params.specSlug} is already published and unchanged; nothing was sent.`);
    return { ...before.spec, result: 'unchanged', findings, breaking };
  }
  const client = await invocation.client();
  const sent = await client.call(openapi.put, { params, body: bodyOf(candidate) });
  const seconds = secondsToWait(flags.wait);
  const spec = flags.wait
    ? await withPort(invocation, { text: `Processing ${params.specSlug}`, client }, (port) =>
        untilProcessed(port, params, seconds),
      )
    : sent;
  return { ...spec, result: before ? 'updated' : 'created', findings, breaking };
}

function isSame({ spec, json }: LastPublished, candidate: CheckedSource): boolean {
  const { source, description } = candidate;
  if (json === undefined || spec.processingState !== 'complete') return false;
  if (spec.lastProcessErrorCode !== undefined) return false;
  if (spec.sourceURL !== (isSentAsAddress(candidate) ? source : undefined)) return false;
  return digestOf(json) === description.digest;
}

/** The result of publishing a specification. */
type Published = AnswerOf<typeof openapi.view> & {
  result: 'created' | 'updated' | 'unchanged';
  findings: number;
  breaking: Breaking;
};

/** The result of the comparison; `not-checked` without --fail-on breaking. */
type Breaking = BreakingResult | 'not-checked';

/** Reports published specifications to a build server: values for later steps, and a table. */
function reportPublished(server: BuildServer, published: readonly Published[]): void {
  const rows = published.map(
    ({ slug, result, processingState, lastVersion, urls }) =>
      `| [${markdownCell(slug)}](${urls.app}) | ${result} | ${processingState} | ${markdownCell(lastVersion)} |`,
  );
  const head = ['### OpenAPI specifications', '', '| specification | result | state | version |', '|---|---|---|---|'];
  server.summary([...head, ...rows].join('\n'));
  const values = published.map(({ slug, result, lastVersion, urls }) => ({
    slug,
    result,
    version: lastVersion,
    url: urls.app,
  }));
  server.outputs(
    outputsOf(values.map(({ slug, url, result, version }) => ({ slug, revision: version, url, result, version }))),
  );
  server.list(
    'specifications',
    values.map(({ slug, result, version, url }, index) => ({
      slug,
      result,
      state: published[index]?.processingState,
      version,
      url,
    })),
  );
}
