import type { Invocation } from '../../cli/command/command.ts';
import { printRequests } from '../../cli/command/dry-run.ts';
import { print, scopeOf } from '../../cli/command/invocation.ts';
import { visibleLines } from '../../cli/output/index.ts';
import { type BuildServer, buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { projectPath } from '../shared/project-paths.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import { breakingChanges, type Change, type Description, formatChange, slugOf } from '../../openapi/index.ts';
import { isAddress } from './is-address.ts';
import { secondsToWait, untilProcessed } from './processing.ts';
import { type CheckFlags, isSevere, readSource, reportFindings } from './read-source.ts';

type PublishInvocation = Invocation<
  { source?: string | undefined },
  CheckFlags & {
    slug?: string | undefined;
    wait?: string | true | undefined;
    failOn?: 'breaking' | 'warning' | undefined;
    force?: boolean | undefined;
  }
>;

type Spec = AnswerOf<typeof openapi.view>;
type Published = Spec & { result: 'created' | 'updated' | 'unchanged' };

interface Source {
  source: string;
  slug?: string;
}

interface CheckedSource extends Source {
  description: Description;
}

interface Candidate extends CheckedSource {
  params: { orgId: string; specSlug: string };
}

interface LastPublished {
  spec: Spec;
  /** Its latest version, parsed; undefined where none was processed yet. */
  document: unknown;
}

interface Compared extends Candidate {
  before: LastPublished | undefined;
}

/** Publishes the source that is named, or all that the project file names. All are checked before any is sent. */
export async function publishAll(invocation: PublishInvocation): Promise<void> {
  const { flags, session, io, globals } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  if (flags.wait !== undefined) secondsToWait(flags.wait);
  const checked: CheckedSource[] = [];
  for (const source of await sourcesOf(invocation)) {
    checked.push({ ...source, description: await readSource(invocation, source.source) });
  }
  const findings = checked.flatMap(({ description }) => description.findings);
  await reportFindings(invocation, findings, server);
  refuseSevere(checked, flags.failOn);
  const orgId = await scopeOf(invocation, 'org');
  const candidates = checked.map((each) => ({ ...each, params: { orgId, specSlug: slugFor(each) } }));
  refuseSameSlug(candidates);
  if (globals.dryRun) return printRequests(invocation, candidates.map(requestOf));
  const compared: Compared[] = [];
  for (const each of candidates) compared.push({ ...each, before: await lastPublished(invocation, each.params) });
  if (flags.failOn === 'breaking') await refuseBreaking(invocation, server, compared);
  const published: Published[] = [];
  for (const each of compared) published.push(await publishOne(invocation, each));
  reportPublished(server, published);
  await print(invocation, published.length === 1 ? published[0] : published);
}

async function sourcesOf({ args, flags, session }: PublishInvocation): Promise<Source[]> {
  const { source } = args;
  if (source !== undefined) return [{ source, ...(flags.slug === undefined ? {} : { slug: flags.slug }) }];
  const project = await session.project();
  if (!project?.openapi?.length) {
    throw new UsageError(
      '<source> is missing.',
      'Name a file, an address or -, or list what to publish under "openapi:" in .docsctl.yaml.',
    );
  }
  if (flags.slug !== undefined) {
    throw new UsageError('--slug needs <source>.', 'In .docsctl.yaml each entry may have its own slug.');
  }
  return project.openapi.map(({ path, slug }, index) => ({
    source: isAddress(path) ? path : projectPath(project, `openapi[${index}].path`, path),
    ...(slug === undefined ? {} : { slug }),
  }));
}

/** @throws CommandError (status 9) where findings forbid that a description is sent */
function refuseSevere(sources: readonly CheckedSource[], failOn: string | undefined): void {
  const lines = sources.flatMap(({ source, description }) => {
    const count = description.findings.filter((finding) => isSevere(finding, failOn)).length;
    return count === 0 ? [] : [`${source} has ${count} finding${count === 1 ? '' : 's'} that must be fixed.`];
  });
  if (lines.length === 0) return;
  throw new CommandError(`${lines.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'They are listed above with file, line and column.',
  });
}

function slugFor({ slug, source, description }: CheckedSource): string {
  const name = slug ?? slugOf(description.title);
  if (name === '') throw new UsageError(`${source} has no title to make a slug from.`, 'Pass --slug.');
  return name;
}

/** @throws UsageError where one would replace the other */
function refuseSameSlug(candidates: readonly Candidate[]): void {
  for (const [slug, sharing] of Map.groupBy(candidates, ({ params }) => params.specSlug)) {
    if (sharing.length === 1) continue;
    throw new UsageError(
      `${sharing.map(({ source }) => source).join(' and ')} would both be published as "${slug}".`,
      'Give each its own slug under "openapi:" in .docsctl.yaml.',
    );
  }
}

const bodyOf = ({ source, description }: CheckedSource): BodyInput<typeof openapi.put> => ({
  source: isAddress(source) ? { url: source } : { text: description.text },
});

const requestOf = (candidate: Candidate) => ({
  endpoint: openapi.put,
  params: candidate.params,
  query: {},
  body: bodyOf(candidate),
});

async function lastPublished(
  invocation: PublishInvocation,
  params: { orgId: string; specSlug: string },
): Promise<LastPublished | undefined> {
  const client = await invocation.client();
  try {
    const spec = await client.call(openapi.view, { params });
    if (spec.lastVersion === undefined) return { spec, document: undefined };
    const { filesystem } = await client.call(openapi.latestContent, { params });
    return { spec, document: Object.values(filesystem)[0] };
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return undefined;
    throw error;
  }
}

/** @throws CommandError (status 9) that counts the breaking changes; each is listed before */
async function refuseBreaking(
  { io }: PublishInvocation,
  server: BuildServer,
  compared: readonly Compared[],
): Promise<void> {
  const broken = compared.flatMap(({ source, before, description }) => {
    const changes = before?.document === undefined ? [] : breakingChanges(before.document, description.document);
    return changes.length === 0 ? [] : [{ source, changes }];
  });
  if (broken.length === 0) return;
  const all = broken.flatMap(({ source, changes }) => changes.map((change) => ({ source, change })));
  for (const { change } of all) await io.err.write(`${visibleLines(formatChange(change))}\n`);
  await server.annotate(
    all.map(({ source, change }) => ({
      file: source,
      line: 1,
      level: 'error',
      message: formatChange(change),
      rule: change.rule,
    })),
  );
  for (const { source, changes } of broken) server.summary(breakingSummary(source, changes));
  const counts = broken.map(({ source, changes }) => `${source} has ${countOf(changes)}.`);
  throw new CommandError(`${counts.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'Fix what is listed above, or publish without --fail-on breaking.',
  });
}

const countOf = ({ length }: readonly Change[]) => `${length} breaking change${length === 1 ? '' : 's'}`;

function breakingSummary(source: string, changes: readonly Change[]): string {
  const items = changes.map((change) => `- ${markdownCell(formatChange(change))}`);
  return `### ${countOf(changes)} in ${markdownCell(source)}\n\n${items.join('\n')}`;
}

async function publishOne(invocation: PublishInvocation, candidate: Compared): Promise<Published> {
  const { flags, io } = invocation;
  const { params, before } = candidate;
  if (before && !flags.force && isSame(before, candidate)) {
    await io.note(`${params.specSlug} is already published like this; nothing was sent.`);
    return { ...before.spec, result: 'unchanged' };
  }
  const client = await invocation.client();
  const sent = await client.call(openapi.put, { params, body: bodyOf(candidate) });
  const spec = flags.wait ? await untilProcessed(invocation, params, secondsToWait(flags.wait)) : sent;
  return { ...spec, result: before ? 'updated' : 'created' };
}

function isSame({ spec, document }: LastPublished, { source, description }: CheckedSource): boolean {
  if (document === undefined || spec.processingState !== 'complete') return false;
  if (spec.lastProcessErrorCode !== undefined) return false;
  if (isAddress(source) ? spec.sourceURL !== source : spec.sourceURL !== undefined) return false;
  return JSON.stringify(document) === JSON.stringify(description.document);
}

/** Tells a build server what was published. */
function reportPublished(server: BuildServer, published: readonly Published[]): void {
  const rows = published.map(
    ({ slug, result, processingState, lastVersion, urls }) =>
      `| [${markdownCell(slug)}](${urls.app}) | ${result} | ${processingState} | ${markdownCell(lastVersion)} |`,
  );
  server.summary(
    [
      '### OpenAPI specifications',
      '',
      '| specification | result | state | version |',
      '|---|---|---|---|',
      ...rows,
    ].join('\n'),
  );
  const [first, ...others] = published;
  if (first && others.length === 0) {
    server.outputs({ slug: first.slug, revision: first.lastVersion, url: first.urls.app, result: first.result });
  }
}
