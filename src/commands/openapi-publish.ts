import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Annotation, type BuildServer, buildServer, markdownCell } from '../cli/ci.ts';
import { exit } from '../cli/exit.ts';
import { CommandError, UsageError } from '../cli/failure.ts';
import { type Invocation, outputOptions, print, scopeOf } from '../cli/invocation.ts';
import { idsOf } from '../cli/many.ts';
import { createListOutput, createProgress, visibleLines } from '../cli/output/index.ts';
import { printRequest } from '../cli/run.ts';
import type { AnswerOf, BodyInput } from '../contract/endpoint.ts';
import { openapi } from '../contract/openapi.ts';
import {
  breakingChanges,
  type Change,
  type Description,
  type Finding,
  formatChange,
  formatFinding,
  readDescription,
  slugOf,
} from '../openapi/index.ts';

type Spec = AnswerOf<typeof openapi.view>;
type Published = Spec & { result: 'created' | 'updated' | 'unchanged' };

const defaultWaitSeconds = 120;
const isAddress = (source: string) => /^https?:\/\//i.test(source);

interface Wanted {
  source: string;
  slug?: string;
}

/** Publishes what is named, or everything the project file names. */
export async function publishAll(invocation: Invocation): Promise<void> {
  const { flags, session, io } = invocation;
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.env.DOCSCTL_TOKEN);
  const wanted = await sourcesOf(invocation);
  const published: Published[] = [];
  for (const one of wanted) {
    const result = await publishOne(invocation, one, server);
    if (result) published.push(result);
  }
  if (published.length === 0) return;
  report(server, published);
  if (wanted.length === 1) return print(invocation, published[0]);
  const output = createListOutput(outputOptions(invocation, { idKey: 'slug' }), invocation.command.columns!, io.out);
  await output.page(published);
  await output.end();
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
  const folder = dirname(project!.file);
  return listed.map(({ path, slug }) => ({
    source: isAddress(path) ? path : resolve(folder, path),
    ...(slug === undefined ? {} : { slug }),
  }));
}

/** @returns undefined for a dry run */
async function publishOne(
  invocation: Invocation,
  { source, slug: given }: Wanted,
  server: BuildServer,
): Promise<Published | undefined> {
  const { flags, io, globals } = invocation;
  const description = await read(invocation, source);
  await tell(invocation, description.findings, server);
  const severe = description.findings.filter(({ severity }) => severity === 'error' || flags.failOn === 'warning');
  if (severe.length > 0) {
    throw new CommandError(
      `${source} has ${severe.length} finding${severe.length === 1 ? '' : 's'} that must be mended. Nothing was sent.`,
      {
        exitCode: exit.checkSaidNo,
        hint: 'They are listed above with file, line and column.',
      },
    );
  }
  const slug = given ?? slugOf(description.title);
  if (slug === '') throw new UsageError(`${source} has no title to make a slug of.`, 'Give --slug.');
  const params = { orgId: await scopeOf(invocation, 'org'), specSlug: slug };
  const body: BodyInput<typeof openapi.put> = {
    source: isAddress(source) ? { url: source } : { text: description.text },
  };
  if (globals.dryRun) {
    await printRequest(invocation, { endpoint: openapi.put, params, query: {}, body });
    return undefined;
  }
  const before = await lastPublished(invocation, params);
  if (flags.failOn === 'breaking' && before?.document !== undefined) {
    await refuseBreaking(invocation, server, breakingChanges(before.document, description.document), source);
  }
  if (before && !flags.force && isSame(before, source, description)) {
    await io.note(`${slug} is published as it is; nothing was sent.`);
    return { ...before.spec, result: 'unchanged' };
  }
  const client = await invocation.client();
  const sent = await client.call(openapi.put, { params, body });
  const spec = flags.wait ? await processed(invocation, params) : sent;
  return { ...spec, result: before ? 'updated' : 'created' };
}

/** Reads a file, an address or standard input. @throws UsageError for what cannot be read */
async function read(invocation: Invocation, source: string): Promise<Description> {
  if (source === '-') return readDescription({ text: process.getBuiltinModule('node:fs').readFileSync(0, 'utf8') });
  if (!isAddress(source)) {
    return readDescription({ path: source }).catch((error: Error) => {
      throw new UsageError(
        error.message,
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

async function refuseBreaking({ io }: Invocation, server: BuildServer, changes: Change[], source: string) {
  if (changes.length === 0) return;
  for (const change of changes) await io.err.write(`${visibleLines(formatChange(change))}\n`);
  await server.annotate(
    changes.map((change) => ({
      file: source,
      line: 1,
      severity: 'error',
      message: formatChange(change),
      rule: change.rule,
    })),
  );
  server.summary(
    `### ${changes.length} breaking change${changes.length === 1 ? '' : 's'} in ${markdownCell(source)}\n\n${changes.map((change) => `- ${markdownCell(formatChange(change))}`).join('\n')}`,
  );
  throw new CommandError(
    `${source} breaks its users in ${changes.length} place${changes.length === 1 ? '' : 's'}. Nothing was sent.`,
    {
      exitCode: exit.checkSaidNo,
      hint: 'Mend what is listed above, or publish without --fail-on breaking.',
    },
  );
}

async function processed(invocation: Invocation, params: { orgId: string; specSlug: string }): Promise<Spec> {
  const { flags, io, signal } = invocation;
  const seconds = flags.wait === true ? defaultWaitSeconds : Number(flags.wait);
  if (!(seconds > 0)) throw new UsageError(`--wait takes a number of seconds, not "${flags.wait}".`);
  const client = await invocation.client();
  const until = Date.now() + seconds * 1000;
  const progress = createProgress(`Processing ${params.specSlug}`, { lively: io.lively });
  try {
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 2000)) {
      const spec = await client.call(openapi.view, { params });
      if (spec.processingState === 'complete') {
        if (spec.lastProcessErrorCode === undefined) return spec;
        throw new CommandError(
          `The service could not process ${params.specSlug}: ${explained[spec.lastProcessErrorCode]} (${spec.lastProcessErrorCode}).`,
          {
            exitCode: exit.checkSaidNo,
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
  for (const source of sources) findings.push(...(await read(invocation, source)).findings);
  if (globals.output === undefined && globals.jq === undefined && globals.columns === undefined) {
    for (const finding of findings) await io.out.write(`${visibleLines(formatFinding(finding))}\n`);
  } else {
    const output = createListOutput(outputOptions(invocation), invocation.command.columns!, io.out);
    await output.page(findings);
    await output.end();
  }
  await server.annotate(findings satisfies Annotation[]);
  const failed = findings.filter(({ severity }) => severity === 'error' || flags.failOn === 'warning').length;
  if (failed > 0) {
    throw new CommandError(
      `${failed} finding${failed === 1 ? '' : 's'} in ${sources.length} description${sources.length === 1 ? '' : 's'}.`,
      { exitCode: exit.checkSaidNo },
    );
  }
  await io.note(sources.length === 1 ? 'It is valid.' : `All ${sources.length} are valid.`);
}
