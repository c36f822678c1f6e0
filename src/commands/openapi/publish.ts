import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Annotation, type BuildServer, buildServer, markdownCell } from '../../cli/program/build-server.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import { fileReason } from '../../shared/file-reason.ts';
import { fileText, type Invocation, outputOptions, print, scopeOf } from '../../cli/command/invocation.ts';
import { idsOf } from '../../cli/command/batch.ts';
import { createListOutput, createProgress, visibleLines } from '../../cli/output/index.ts';
import { projectPath } from '../../cli/settings/project-paths.ts';
import { printRequests } from '../../cli/command/run.ts';
import type { AnswerOf, BodyInput } from '../../contract/endpoint.ts';
import { openapi } from '../../contract/openapi.ts';
import {
  breakingChanges,
  type Description,
  type Finding,
  formatChange,
  formatFinding,
  readDescription,
  slugOf,
  UnreadableFile,
} from '../../openapi/index.ts';

type Spec = AnswerOf<typeof openapi.view>;
type Published = Spec & { result: 'created' | 'updated' | 'unchanged' };

const defaultWaitSeconds = 120;
const isAddress = (source: string) => /^https?:\/\//i.test(source);

interface Wanted {
  source: string;
  slug?: string;
}

/** Publishes what is named, or everything the project file names. All of it is checked before any of it is sent. */
export async function publishAll(invocation: Invocation): Promise<void> {
  const { flags, session, io, globals } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  if (flags.wait !== undefined) secondsToWait(flags.wait);
  const wanted: Checked[] = [];
  for (const one of await sourcesOf(invocation)) {
    wanted.push({ ...one, description: await read(invocation, one.source) });
  }
  await tell(
    invocation,
    wanted.flatMap(({ description }) => description.findings),
    server,
  );
  refuseSevere(invocation, wanted);
  const orgId = await scopeOf(invocation, 'org');
  const candidates = wanted.map((one) => ({ ...one, params: { orgId, specSlug: slugFor(one) } }));
  refuseTwins(candidates);
  if (globals.dryRun) {
    return printRequests(
      invocation,
      candidates.map(({ params, source, description }) => ({
        endpoint: openapi.put,
        params,
        query: {},
        body: bodyOf(source, description),
      })),
    );
  }
  const compared: Compared[] = [];
  for (const one of candidates) compared.push({ ...one, before: await lastPublished(invocation, one.params) });
  if (flags.failOn === 'breaking') await refuseBreaking(invocation, server, compared);
  const published: Published[] = [];
  for (const one of compared) published.push(await publishOne(invocation, one));
  report(server, published);
  if (published.length === 1) return print(invocation, published[0]);
  const output = createListOutput(
    outputOptions(invocation, { idKey: 'slug' }),
    invocation.command.output!.columns!,
    io.out,
  );
  await output.page(published);
  await output.end();
}

interface Checked extends Wanted {
  description: Description;
}

interface Compared extends Checked {
  params: { orgId: string; specSlug: string };
  before: LastPublished | undefined;
}

const bodyOf = (source: string, { text }: Description): BodyInput<typeof openapi.put> => ({
  source: isAddress(source) ? { url: source } : { text },
});

function slugFor({ slug, source, description }: Checked): string {
  const found = slug ?? slugOf(description.title);
  if (found === '') throw new UsageError(`${source} has no title to make a slug of.`, 'Give --slug.');
  return found;
}

/** @throws CommandError (status 9) where a description has findings that forbid sending it */
function refuseSevere({ flags }: Invocation, wanted: readonly Checked[]): void {
  const isSevere = ({ severity }: Finding) => severity === 'error' || flags.failOn === 'warning';
  const counts = wanted
    .map(({ source, description }) => ({ source, count: description.findings.filter(isSevere).length }))
    .filter(({ count }) => count > 0)
    .map(({ source, count }) => `${source} has ${count} finding${count === 1 ? '' : 's'} that must be mended.`);
  if (counts.length === 0) return;
  throw new CommandError(`${counts.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'They are listed above with file, line and column.',
  });
}

/** @throws UsageError where one would replace the other */
function refuseTwins(candidates: readonly { source: string; params: { specSlug: string } }[]): void {
  for (const [slug, sharing] of Map.groupBy(candidates, ({ params }) => params.specSlug)) {
    if (sharing.length === 1) continue;
    throw new UsageError(
      `${sharing.map(({ source }) => source).join(' and ')} would both be published as "${slug}".`,
      'Give each a slug of its own under "openapi:" in .docsctl.yaml.',
    );
  }
}

async function sourcesOf({ args, flags, session }: Invocation): Promise<Wanted[]> {
  const { source } = args;
  if (typeof source === 'string') return [{ source, ...(flags.slug === undefined ? {} : { slug: flags.slug }) }];
  const project = await session.project();
  const listed = project?.openapi ?? [];
  if (listed.length === 0) {
    throw new UsageError(
      '<source> is missing.',
      'Name a file, an address or -, or list what to publish under "openapi:" in .docsctl.yaml.',
    );
  }
  if (flags.slug !== undefined)
    throw new UsageError('--slug needs a source.', 'In .docsctl.yaml each entry has a slug of its own.');
  return listed.map(({ path, slug }, at) => ({
    source: isAddress(path) ? path : projectPath(project!, `openapi[${at}].path`, path),
    ...(slug === undefined ? {} : { slug }),
  }));
}

async function publishOne(invocation: Invocation, one: Compared): Promise<Published> {
  const { flags, io } = invocation;
  const { source, description, params, before } = one;
  if (before && !flags.force && isSame(before, source, description)) {
    await io.note(`${params.specSlug} is published as it is; nothing was sent.`);
    return { ...before.spec, result: 'unchanged' };
  }
  const client = await invocation.client();
  const sent = await client.call(openapi.put, { params, body: bodyOf(source, description) });
  const spec = flags.wait ? await processed(invocation, params) : sent;
  return { ...spec, result: before ? 'updated' : 'created' };
}

/** Reads a file, an address or standard input. @throws UsageError for what cannot be read */
async function read(invocation: Invocation, source: string): Promise<Description> {
  const referenceRoots = referenceRootsOf(invocation);
  if (source === '-') return readDescription({ text: fileText('-', '<source>') }, undefined, referenceRoots);
  if (!isAddress(source)) {
    return readDescription({ path: source }, undefined, referenceRoots).catch((error: unknown) => {
      if (!(error instanceof UnreadableFile)) throw error;
      throw new UsageError(
        `${error.message.replace(/\.$/, '')}.`,
        'Name a file, an address that begins with http:// or https://, or - for standard input.',
      );
    });
  }
  const { origin, pathname, search } = new URL(source);
  const client = await invocation.session.clientFor(origin, undefined);
  try {
    const { text } = await client.request('GET', pathname + search, {
      headers: { accept: 'application/json, application/yaml, text/yaml, */*' },
    });
    return await readDescription({ url: source, text });
  } finally {
    await client.close();
  }
}

/** Only flags may widen what is read: whoever writes a project file may have written the description too. */
function referenceRootsOf({ flags }: Invocation): string[] {
  const folders: string[] = flags.refRoot ?? [];
  return folders.map((folder) => {
    const reason = notFolder(folder);
    if (reason === undefined) return resolve(folder);
    throw new UsageError(`--ref-root: ${folder} cannot be read: ${reason}.`, 'Name a folder that exists.');
  });
}

function notFolder(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? undefined : 'it is no folder';
  } catch (error) {
    return fileReason(error, 'folder');
  }
}

async function tell({ io }: Invocation, findings: Finding[], server: BuildServer) {
  for (const finding of findings) await io.err.write(`${visibleLines(formatFinding(finding))}\n`);
  if (findings.length > 0) await server.annotate(findings satisfies Annotation[]);
}

interface LastPublished {
  spec: Spec;
  /** Its latest version, parsed; undefined where none was processed yet. */
  document: unknown;
}

async function lastPublished(
  invocation: Invocation,
  params: { orgId: string; specSlug: string },
): Promise<LastPublished | undefined> {
  const client = await invocation.client();
  try {
    const spec = await client.call(openapi.view, { params });
    if (spec.lastVersion === undefined) return { spec, document: undefined };
    const { filesystem } = await client.call(openapi.latestContent, { params });
    return { spec, document: Object.values(filesystem)[0] };
  } catch (error) {
    if ((error as { status?: number }).status === 404) return undefined;
    throw error;
  }
}

function isSame({ spec, document }: LastPublished, source: string, description: Description): boolean {
  if (document === undefined || spec.processingState !== 'complete' || spec.lastProcessErrorCode !== undefined)
    return false;
  if (isAddress(source) ? spec.sourceURL !== source : spec.sourceURL !== undefined) return false;
  return JSON.stringify(document) === JSON.stringify(description.document);
}

/** @throws CommandError (status 9) that counts what breaks users; each is listed before */
async function refuseBreaking({ io }: Invocation, server: BuildServer, compared: readonly Compared[]) {
  const broken = compared
    .filter(({ before }) => before?.document !== undefined)
    .map(({ source, before, description }) => ({
      source,
      changes: breakingChanges(before!.document, description.document),
    }))
    .filter(({ changes }) => changes.length > 0);
  if (broken.length === 0) return;
  const all = broken.flatMap(({ source, changes }) => changes.map((change) => ({ source, change })));
  for (const { change } of all) await io.err.write(`${visibleLines(formatChange(change))}\n`);
  await server.annotate(
    all.map(({ source, change }) => ({
      file: source,
      line: 1,
      severity: 'error',
      message: formatChange(change),
      rule: change.rule,
    })),
  );
  for (const { source, changes } of broken) {
    server.summary(
      `### ${changes.length} breaking change${changes.length === 1 ? '' : 's'} in ${markdownCell(source)}\n\n${changes.map((change) => `- ${markdownCell(formatChange(change))}`).join('\n')}`,
    );
  }
  const counts = broken.map(
    ({ source, changes }) => `${source} breaks its users in ${changes.length} place${changes.length === 1 ? '' : 's'}.`,
  );
  throw new CommandError(`${counts.join('\n')}\nNothing was sent.`, {
    exitCode: exit.checkFailed,
    hint: 'Mend what is listed above, or publish without --fail-on breaking.',
  });
}

function secondsToWait(given: string | true): number {
  const seconds = given === true ? defaultWaitSeconds : Number(given);
  if (seconds > 0) return seconds;
  throw new UsageError(`--wait takes a number of seconds, not "${given}".`);
}

async function processed(invocation: Invocation, params: { orgId: string; specSlug: string }): Promise<Spec> {
  const { flags, io, signal } = invocation;
  const seconds = secondsToWait(flags.wait);
  const client = await invocation.client();
  const until = Date.now() + seconds * 1000;
  const progress = createProgress(`Processing ${params.specSlug}`, { animated: io.canAnimate });
  try {
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 2000)) {
      const spec = await client.call(openapi.view, { params });
      if (spec.processingState === 'complete') {
        if (spec.lastProcessErrorCode === undefined) return spec;
        throw new CommandError(
          `The service could not process ${params.specSlug}: ${explained[spec.lastProcessErrorCode]} (${spec.lastProcessErrorCode}).`,
          {
            exitCode: exit.checkFailed,
          },
        );
      }
      if (Date.now() > until) {
        throw new CommandError(
          `${params.specSlug} is still being processed (${spec.processingState}) after ${seconds} s; it goes on without us.`,
          {
            exitCode: exit.unreachable,
            hint: `Look again with "docsctl openapi view ${params.specSlug}".`,
          },
        );
      }
      await sleep(pause, undefined, { signal });
    }
  } finally {
    progress.stop();
  }
}

const explained: Record<NonNullable<Spec['lastProcessErrorCode']>, string> = {
  FETCH_TIMEOUT: 'fetching it from its address took longer than 10 s',
  FETCH_ERROR: 'it could not be fetched from its address, or is larger than 50 MiB',
  PARSE_ERROR: 'it is no OpenAPI 3 or Swagger 2 document',
};

function report(server: BuildServer, published: Published[]) {
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
  const [first] = published;
  if (published.length === 1)
    server.outputs({ slug: first!.slug, revision: first!.lastVersion, url: first!.urls.app, result: first!.result });
}

/** Checks each description; findings are the result. */
export async function validateAll(invocation: Invocation): Promise<void> {
  const { io, flags, session, globals } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  const sources = (invocation.args.source as string[] | undefined)?.includes('-')
    ? (invocation.args.source as string[])
    : await idsOf(invocation, 'source');
  const findings: Finding[] = [];
  for (const source of sources) {
    // Not spread into the call: there may be more findings than a call takes arguments.
    for (const finding of (await read(invocation, source)).findings) findings.push(finding);
  }
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    for (const finding of findings) await io.out.write(`${visibleLines(formatFinding(finding))}\n`);
  } else {
    const output = createListOutput(outputOptions(invocation), invocation.command.output!.columns!, io.out);
    await output.page(findings);
    await output.end();
  }
  await server.annotate(findings satisfies Annotation[]);
  const failed = findings.filter(({ severity }) => severity === 'error' || flags.failOn === 'warning').length;
  if (failed > 0) {
    throw new CommandError(
      `${failed} finding${failed === 1 ? '' : 's'} in ${sources.length} description${sources.length === 1 ? '' : 's'}.`,
      { exitCode: exit.checkFailed },
    );
  }
  await io.note(sources.length === 1 ? 'It is valid.' : `All ${sources.length} are valid.`);
}
