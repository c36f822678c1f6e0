import { setTimeout as sleep } from 'node:timers/promises';
import type { AnswerOf } from '../contract/endpoint.ts';
import { openapi, processErrors } from '../contract/openapi.ts';
import { EngineError } from '../shared/engine-error.ts';
import type { Port } from './port.ts';

const firstPauseMs = 20;
const longestPauseMs = 2_000;

/**
 * The specification once the service has processed it.
 *
 * @throws EngineError if the processing fails, or takes longer than this many seconds
 */
export async function untilProcessed(
  { client, signal }: Pick<Port, 'client' | 'signal'>,
  params: { orgId: string; specSlug: string },
  seconds = 120,
): Promise<AnswerOf<typeof openapi.view>> {
  const deadline = Date.now() + seconds * 1000;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    const spec = await client.call(openapi.view, { params });
    const { slug, processingState: state, lastProcessErrorCode: code } = spec;
    if (state === 'complete') {
      if (code === undefined) return spec;
      throw new EngineError('checkFailed', `The service could not process ${slug}: ${processErrors[code]} (${code}).`);
    }
    if (Date.now() > deadline)
      throw new EngineError(
        'unreachable',
        `After ${seconds} s the service still processes ${slug} (${state}). The processing goes on.`,
        { hint: `Check its state with "docsctl openapi view ${slug}".` },
      );
    await sleep(pauseMs, undefined, { signal });
  }
}
