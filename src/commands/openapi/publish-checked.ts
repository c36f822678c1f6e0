import type { BuildServer } from '../../cli/program/build-server.ts';
import { CommandError, exit, refused } from '../../cli/program/failure.ts';
import type { Client } from '../../client/client.ts';
import { isMissing } from '../../client/errors/http-error.ts';
import { EngineError } from '../../shared/engine-error.ts';
import { type BreakingResult, listBreaking, refuseListed } from './breaking-gate.ts';
import type { Published } from './publish-report.ts';
import type { PublishInvocation } from './flags.ts';
import { type Candidate, noteUnchanged } from './publish-sources.ts';
import {
  isSame,
  isSameState,
  lastPublished,
  type LastPublished,
  outcomeOf,
  sendIfCurrent,
  type Spec,
} from './published.ts';

/** A description that was compared with the published version. */
export interface CheckedCandidate extends Candidate {
  before: LastPublished | undefined;
  breaking: BreakingResult;
}

/** Waits until the service has processed a description. */
type Wait = () => Promise<Spec>;

/** Each time somebody else was faster. */
const maxRebases = 10;

/**
 * Sends a description if the version that it was compared with is still the latest one.
 *
 * @throws CommandError (status 6) if somebody has published in between, or with `--rebase` (status 9) if a change of that
 *   version breaks
 */
export async function sendChecked(
  invocation: PublishInvocation,
  server: BuildServer,
  candidate: CheckedCandidate,
  wait: Wait,
): Promise<Published> {
  const client = await invocation.client();
  let current = candidate;
  for (let rebases = 0; ; rebases++) {
    const { before, breaking, params, findings } = current;
    const more = { findings: findings.length, breaking };
    if (before && !invocation.flags.force && isSame(before, current)) {
      await noteUnchanged(invocation, current);
      return { ...before.spec, result: 'unchanged', ...more };
    }
    const sent = await sendIfCurrent(client, current, before);
    if (sent) {
      const result = before ? 'updated' : 'created';
      // Creating a specification fails if it exists, so only an update may have replaced another one.
      if (!before || before.etag !== undefined)
        return { ...(invocation.flags.wait ? await wait() : sent), result, ...more };
      return { ...(await verify(invocation, server, current, wait)), result, ...more };
    }
    const latest = await lastProcessed(client, params, wait);
    if (before && latest && isSameState(before.spec, latest.spec)) {
      // A proxy between us and the service may have changed the ETag.
      current = { ...current, before: { ...latest, etag: undefined } };
      continue;
    }
    current = await compareAgain(invocation, server, { ...current, before: latest }, rebases < maxRebases);
  }
}

/** What is published now, without a version that is still being processed. */
async function lastProcessed(client: Client, params: Candidate['params'], wait: Wait) {
  try {
    await wait();
  } catch (error) {
    // The description of somebody else may be broken, or deleted again.
    if (!(error instanceof EngineError && error.kind === 'checkFailed') && !isMissing(error)) throw error;
  }
  return lastPublished(client, params);
}

/** Compares with what was published in between. @throws CommandError unless `--rebase` allows to go on */
async function compareAgain(
  invocation: PublishInvocation,
  server: BuildServer,
  candidate: CheckedCandidate,
  mayRebase: boolean,
): Promise<CheckedCandidate> {
  const { params, source, before } = candidate;
  const { specSlug: slug } = params;
  // The same document may have been published by a copy of this job.
  if (before && isSame(before, candidate)) return candidate;
  await invocation.io.note(`${slug} was published by somebody else after it was compared; comparing again.`);
  const [listed] = await listBreaking(invocation, server, [candidate]);
  if (invocation.flags.rebase && mayRebase) {
    refuseListed(listed ? [listed] : []);
    return { ...candidate, breaking: listed?.result ?? 'none' };
  }
  const counts = listed?.counts ?? 'no breaking changes';
  throw refused(
    `${slug} was published by somebody else after it was compared. Compared with that version, ${source} has ${counts}. Nothing was sent.`,
    'Get the latest changes and run the command again, or use --rebase to publish if nothing breaks.',
  );
}

/**
 * Checks which version was replaced, for services without conditional requests.
 *
 * @throws CommandError (status 6) if it is not the one of the comparison, or with `--rebase` (status 9) if its changes break
 */
async function verify(
  invocation: PublishInvocation,
  server: BuildServer,
  candidate: CheckedCandidate,
  wait: Wait,
): Promise<Spec> {
  const { params, before, source } = candidate;
  const { specSlug: slug } = params;
  const spec = await wait();
  const outcome = await outcomeOf(await invocation.client(), candidate, before);
  if (outcome.result === 'current') return spec;
  if (outcome.result === 'lost') {
    throw refused(
      `${slug} was published by somebody else at the same time, and the service kept only that version.`,
      'Get the latest changes and run the command again.',
    );
  }
  const [listed] = await listBreaking(invocation, server, [{ ...candidate, before: outcome }]);
  if (invocation.flags.rebase && listed?.counts === undefined) return spec;
  throw new CommandError(
    `${slug} was published, but somebody else had published version ${outcome.version} after the comparison. Compared with that version, ${source} has ${listed?.counts ?? 'no breaking changes'}.`,
    {
      exitCode: invocation.flags.rebase ? exit.checkFailed : exit.refused,
      hint: `To restore that version, use "docsctl openapi download ${slug} --version ${outcome.version} | docsctl openapi publish - --slug ${slug}".`,
    },
  );
}
