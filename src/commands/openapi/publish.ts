import { printRequests } from '../../cli/command/dry-run/dry-run.ts';
import { print, scopeOf, withPort } from '../../cli/command/invocation.ts';
import { type BuildServer, buildServer } from '../../cli/program/build-server.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import { untilProcessed } from '../../client/until-processed.ts';
import { openapi } from '../../contract/openapi.ts';
import { type FailOn, reportFindings } from '../shared/findings.ts';
import { refuseBreaking } from './breaking-gate.ts';
import { type CheckedCandidate, sendChecked } from './publish-checked.ts';
import { type Published, reportPublished } from './publish-report.ts';
import {
  bodyOf,
  type Candidate,
  noteUnchanged,
  type PublishInvocation,
  readAll,
  refuseSameSlug,
  refuseSevere,
  requestOf,
  slugFor,
} from './publish-sources.ts';
import { isSame, lastPublished, type LastPublished } from './published.ts';

/** Publishes a source, or all sources in the project file. Checks all of them before it sends any. */
export async function publishAll(invocation: PublishInvocation): Promise<void> {
  const { flags, session, io, globals } = invocation;
  const gate = gateOf(flags);
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
  const send = gate.breaking ? await checkBreaking(invocation, server, candidates) : sendUnchecked(invocation);
  if (globals.dryRun) return printRequests(invocation, candidates.map(requestOf));
  const published: Published[] = [];
  for (const each of candidates) published.push(await send(each));
  reportPublished(server, published);
  await print(invocation, published.length === 1 ? published[0] : published);
}

/** @throws UsageError for flags that cannot be combined */
function gateOf({ failOn = ['error'], rebase, ignore }: PublishInvocation['flags']): {
  lint: FailOn;
  breaking: boolean;
} {
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
 * @returns what sends one unless somebody has published in between
 * @throws CommandError (status 9) for breaking changes
 */
async function checkBreaking(
  invocation: PublishInvocation,
  server: BuildServer,
  candidates: readonly Candidate[],
): Promise<Send> {
  const client = await invocation.client();
  const compared: Omit<CheckedCandidate, 'breaking'>[] = [];
  for (const each of candidates) {
    const before = await lastPublished(client, each.params);
    refuseUnprocessed(before);
    compared.push({ ...each, before });
  }
  const results = await refuseBreaking(invocation, server, compared);
  const bySlug = new Map(
    compared.map((each) => {
      const { specSlug } = each.params;
      return [specSlug, { ...each, breaking: results.get(specSlug) ?? 'none' }] as const;
    }),
  );
  return async (candidate) => {
    const checked = bySlug.get(candidate.params.specSlug);
    if (!checked) throw new Error(`${candidate.params.specSlug} was not compared.`);
    return sendChecked(invocation, server, checked, () => untilDone(invocation, candidate));
  };
}

/** @throws CommandError: a comparison with an older version would miss the changes of the one being processed */
function refuseUnprocessed(published: LastPublished | undefined): void {
  if (!published || published.spec.processingState === 'complete') return;
  const { slug } = published.spec;
  throw new CommandError(
    `${slug} cannot be compared yet, because the service is still processing it. Nothing was sent.`,
    { exitCode: exit.checkFailed, hint: `Check its state with "docsctl openapi view ${slug}".` },
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
