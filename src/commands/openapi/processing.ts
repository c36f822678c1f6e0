import { setTimeout as sleep } from 'node:timers/promises';
import type { Invocation } from '../../cli/command/command.ts';
import { createProgress } from '../../cli/output/index.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { openapi, processErrors } from '../../contract/openapi.ts';

type Spec = AnswerOf<typeof openapi.view>;

const defaultWaitSeconds = 120;
const firstPauseMs = 20;
const longestPauseMs = 2_000;

/** The seconds of `--wait`. @throws UsageError where they are no number above 0 */
export function secondsToWait(wait: string | true): number {
  const seconds = wait === true ? defaultWaitSeconds : Number(wait);
  if (seconds > 0) return seconds;
  throw new UsageError(`--wait must be a number of seconds, not "${wait}".`);
}

/**
 * The specification when the service has processed it.
 *
 * @throws CommandError where the processing failed (status 9), or is not over after so many seconds (status 7)
 */
export async function untilProcessed(
  { io, signal, client }: Invocation<{}, {}>,
  params: { orgId: string; specSlug: string },
  seconds: number,
): Promise<Spec> {
  const service = await client();
  const deadline = Date.now() + seconds * 1000;
  const progress = createProgress(`Processing ${params.specSlug}`, { animated: io.canAnimate, quiet: io.quiet });
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
      const spec = await service.call(openapi.view, { params });
      if (spec.processingState === 'complete') return processed(spec);
      if (Date.now() > deadline) throw notYetProcessed(spec, seconds);
      await sleep(pauseMs, undefined, { signal });
    }
  } finally {
    progress.stop();
  }
}

function processed(spec: Spec): Spec {
  const { slug, lastProcessErrorCode: code } = spec;
  if (code === undefined) return spec;
  throw new CommandError(`The service could not process ${slug}: ${processErrors[code]} (${code}).`, {
    exitCode: exit.checkFailed,
  });
}

function notYetProcessed({ slug, processingState }: Spec, seconds: number): CommandError {
  return new CommandError(
    `After ${seconds} s the service still processes ${slug} (${processingState}). The processing goes on.`,
    { exitCode: exit.unreachable, hint: `Check its state with "docsctl openapi view ${slug}".` },
  );
}
