import { setTimeout as sleep } from 'node:timers/promises';
import { exit } from '../cli/exit.ts';
import { CommandError } from '../cli/failure.ts';
import { argument, type Invocation, print, scopeOf } from '../cli/invocation.ts';
import { createProgress } from '../cli/output/index.ts';
import { printRequest } from '../cli/run.ts';
import type { AnswerOf } from '../contract/endpoint.ts';
import { openapi } from '../contract/openapi.ts';
import { formatFinding, readDescription, slugOf } from '../openapi/index.ts';

type Spec = AnswerOf<typeof openapi.view>;
const defaultWaitSeconds = 120;

/** Reads, checks, sends and, with --wait, follows the processing. */
export async function publish(invocation: Invocation): Promise<void> {
  const { flags, io, globals } = invocation;
  const path = argument(invocation, 'source');
  const description = await readDescription({ path });
  for (const finding of description.findings) await io.note(formatFinding(finding));
  if (description.findings.some(({ severity }) => severity === 'error')) {
    throw new CommandError(`${path} is not a valid OpenAPI description. Nothing was sent.`, {
      exitCode: exit.checkSaidNo,
      hint: 'Mend what is listed above.',
    });
  }
  const slug: string = flags.slug ?? slugOf(description.title);
  const params = { orgId: await scopeOf(invocation, 'org'), specSlug: slug };
  const body = { source: { text: description.text } };
  if (globals.dryRun) return printRequest(invocation, { endpoint: openapi.put, params, query: {}, body });
  const client = await invocation.client();
  let spec: Spec = await client.call(openapi.put, { params, body });
  if (flags.wait) spec = await processed(invocation, params);
  await print(invocation, spec);
}

async function processed(invocation: Invocation, params: { orgId: string; specSlug: string }): Promise<Spec> {
  const seconds = invocation.flags.wait === true ? defaultWaitSeconds : Number(invocation.flags.wait);
  const client = await invocation.client();
  const until = Date.now() + seconds * 1000;
  const progress = createProgress('Processing', { lively: invocation.io.lively });
  try {
    for (let pause = 20; ; pause = Math.min(pause * 1.5, 2000)) {
      const spec = await client.call(openapi.view, { params });
      if (spec.processingState === 'complete') {
        if (spec.lastProcessErrorCode === undefined) return spec;
        throw new CommandError(`The service could not process ${params.specSlug}: ${spec.lastProcessErrorCode}.`, {
          exitCode: exit.checkSaidNo,
        });
      }
      if (Date.now() > until) {
        throw new CommandError(
          `${params.specSlug} is still being processed (${spec.processingState}) after ${seconds} s.`,
          {
            exitCode: exit.unreachable,
            hint: `Look again with "docsctl openapi view ${params.specSlug}".`,
          },
        );
      }
      await sleep(pause, undefined, { signal: invocation.signal });
    }
  } finally {
    progress.stop();
  }
}
