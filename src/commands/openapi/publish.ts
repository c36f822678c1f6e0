import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { print, scopeOf, withPort } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer } from '../../cli/program/build-server.ts';
import { UsageError, notFound, checkFailed } from '../../cli/program/failure.ts';
import { untilProcessed } from '../../client/until-processed.ts';
import { openapi } from '../../contract/openapi.ts';
import { nearest } from '../../shared/suggest.ts';
import { type FailOn, reportFindings } from '../../cli/report/findings.ts';
import { type ListedBreaking, listBreaking, noteFirst, refuseListed } from './breaking-gate.ts';
import { KeptFailures } from './keep-going.ts';
import { type CheckedCandidate, sendChecked } from './publish-checked.ts';
import { type Published, reportPublished, ResultsOfSources } from './publish-report.ts';
import {
  bodyOf,
  type Candidate,
  noteUnchanged,
  readAll,
  refuseSameSlug,
  refuseSevere,
  requestOf,
  slugFor,
  sourcesOf,
} from './publish-sources.ts';
import type { PublishInvocation } from './flags.ts';
import type { Source } from './project-sources.ts';
import { isSame, lastPublished, type LastPublished } from './published.ts';

interface Gate {
  lint: FailOn;
  breaking: boolean;
}

/** Publishes descriptions, by default those in the project file. Checks all of them before it sends any. */
export async function publishAll(invocation: PublishInvocation): Promise<void> {
  const { flags, session, io, globals } = invocation;
  const gate = gateOf(flags);
  const server = buildServer(io, { env: session.env, ci: flags.ci });
  await server.mask(session.tokenToHide);
  secondsToWait(flags.wait);
  const sources = await sourcesOf(invocation);
  const failures = new KeptFailures(io, flags.keepGoing === true && sources.length > 1);
  const results = new ResultsOfSources(flags.result, sources, failures);
  const published: Published[] = [];
  try {
    const { candidates, send } = await checkAll(invocation, server, { gate, sources, failures });
    if (globals.dryRun) {
      await printRequests(invocation, candidates.map(requestOf));
      return failures.throwIfAny(sources.length);
    }
    await results.write();
    await failures.passing(candidates, async (some) => {
      for (const each of some) published.push(await results.recording(each.source, () => send(each)));
    });
  } finally {
    // Those before an error are published, too.
    if (published.length > 0) reportPublished(server, published);
    if (published.length > 0) await print(invocation, sources.length === 1 ? published[0] : published);
    if (!globals.dryRun) await results.write();
  }
  failures.throwIfAny(sources.length);
}

interface Checks {
  gate: Gate;
  sources: readonly Source[];
  failures: KeptFailures;
}

/** Everything that is checked before something is sent. @returns the descriptions that pass, and what sends one */
async function checkAll(
  invocation: PublishInvocation,
  server: BuildServer,
  { gate, sources, failures }: Checks,
): Promise<{ candidates: readonly Candidate[]; send: Send }> {
  const read = await readAll(invocation, sources, failures);
  await reportFindings(
    invocation,
    read.flatMap(({ findings }) => findings),
    server,
  );
  const checked = await failures.passing(read, (some) => refuseSevere(some, gate.lint, server));
  const orgId = await scopeOf(invocation, 'org');
  const all = checked.map((each) => ({ ...each, params: { orgId, specSlug: slugFor(each) } }));
  refuseSameSlug(all);
  const candidates = invocation.flags.existing
    ? await failures.passing(all, (some) => refuseNew(invocation, some))
    : all;
  if (gate.breaking) return checkBreaking(invocation, server, candidates, failures);
  return { candidates, send: sendUnchecked(invocation) };
}

/** @throws CommandError (status 5) for slugs that do not exist */
async function refuseNew(invocation: PublishInvocation, candidates: readonly Candidate[]): Promise<void> {
  const [first] = candidates;
  if (!first) return;
  const client = await invocation.client();
  const { orgId } = first.params;
  const slugs: string[] = [];
  for await (const { slug } of client.items(openapi.list, { params: { orgId } })) slugs.push(slug);
  const unknown = candidates.filter(({ params }) => !slugs.includes(params.specSlug));
  if (unknown.length === 0) return;
  const texts = unknown.map(({ source, params }) => {
    const other = nearest(params.specSlug, slugs);
    const hint = other === undefined ? '' : ` Did you mean "${other}"?`;
    return `${source}: there is no specification "${params.specSlug}".${hint}`;
  });
  throw notFound(`${texts.join('\n')}\nNothing was sent.`, 'To create a specification, publish it without --existing.');
}

/** @throws UsageError for flags that cannot be combined */
function gateOf({ failOn = ['error'], rebase, ignore }: PublishInvocation['flags']): Gate {
  const words = new Set(failOn);
  if (words.has('none') && words.size > 1) throw new UsageError('--fail-on none cannot be combined with other values.');
  const lint = words.has('none') ? 'none' : words.has('warning') ? 'warning' : 'error';
  const breaking = words.has('breaking');
  if (ignore !== undefined && !breaking) throw new UsageError('--ignore needs --fail-on breaking.');
  if (rebase && !breaking) throw new UsageError('--rebase needs --fail-on breaking.');
  return { lint, breaking };
}

/** The seconds of `--wait`. @throws UsageError if they are not a number above 0 */
function secondsToWait(wait: string | true = true): number | undefined {
  if (wait === true) return undefined;
  if (Number(wait) > 0) return Number(wait);
  throw new UsageError(`--wait must be a number of seconds, not "${wait}".`);
}

type Send = (candidate: Candidate) => Promise<Published>;

/**
 * Compares all descriptions with the published versions.
 *
 * @returns those without breaking changes, and what sends one unless somebody has published in between
 * @throws CommandError (status 9) for breaking changes
 */
async function checkBreaking(
  invocation: PublishInvocation,
  server: BuildServer,
  all: readonly Candidate[],
  failures: KeptFailures,
): Promise<{ candidates: readonly Candidate[]; send: Send }> {
  const client = await invocation.client();
  const compared: (Candidate & { before: LastPublished | undefined })[] = [];
  await failures.passing(all, async (some) => {
    for (const each of some) {
      const before = await lastPublished(client, each.params);
      refuseUnprocessed(before);
      compared.push({ ...each, before });
    }
  });
  const results = new Map<string, ListedBreaking>();
  await noteFirst(invocation, compared);
  for (const each of await listBreaking(invocation, server, compared)) results.set(each.slug, each);
  const checked = new Map<string, CheckedCandidate>();
  const candidates = await failures.passing(compared, (some) => {
    refuseListed(some.flatMap(({ params }) => results.get(params.specSlug) ?? []));
    for (const each of some) {
      const { specSlug } = each.params;
      checked.set(specSlug, { ...each, breaking: results.get(specSlug)?.result ?? 'none' });
    }
  });
  return {
    candidates,
    send(candidate) {
      const each = checked.get(candidate.params.specSlug);
      if (!each) throw new Error(`${candidate.params.specSlug} was not compared.`);
      return sendChecked(invocation, server, each, () => untilDone(invocation, candidate));
    },
  };
}

/** @throws CommandError: a comparison with an older version would miss the changes of the one being processed */
function refuseUnprocessed(published: LastPublished | undefined): void {
  if (!published || published.spec.processingState === 'complete') return;
  const { slug } = published.spec;
  throw checkFailed(
    `${slug} cannot be compared yet, because the service is still processing it. Nothing was sent.`,
    `Check its state with "docsctl openapi view ${slug}".`,
  );
}

const sendUnchecked =
  (invocation: PublishInvocation): Send =>
  async (candidate) => {
    const { params, findings } = candidate;
    const client = await invocation.client();
    const before = await lastPublished(client, params);
    const more = { findings: findings.length, breaking: 'not-checked' } as const;
    if (before && !invocation.flags.force && isSame(before, candidate)) {
      await noteUnchanged(invocation, candidate);
      return { ...before.spec, result: 'unchanged', ...more };
    }
    const sent = await client.call(openapi.put, { params, body: bodyOf(candidate) });
    const spec = invocation.flags.wait ? await untilDone(invocation, candidate) : sent;
    return { ...spec, result: before ? 'updated' : 'created', ...more };
  };

/** Waits until the service has processed a description. */
async function untilDone(invocation: PublishInvocation, { params }: Candidate) {
  const client = await invocation.client();
  return withPort(invocation, { text: `Processing ${params.specSlug}`, client }, (port) =>
    untilProcessed(port, params, secondsToWait(invocation.flags.wait)),
  );
}
