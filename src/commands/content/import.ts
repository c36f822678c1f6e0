import { randomBytes } from 'node:crypto';
import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { TimedOut } from '../../client/errors/timed-out.ts';
import type { Answer, Call } from '../../cli/command/command.ts';
import { dryRun } from '../../cli/command/dry-run/dry-run.ts';
import { printAnswer } from '../../cli/command/list.ts';
import { callOf } from '../../cli/command/request.ts';
import { shellCommand } from '../../cli/output/shell-quote.ts';
import { exit } from '../../cli/program/exit-status.ts';
import { CommandError, UsageError } from '../../cli/program/failure.ts';
import type { content } from '../../contract/content.ts';
import { pathWith } from '../../contract/endpoint.ts';
import { importHeader, type ImportOptions, instanceHeader, writeImportHeader } from '../../contract/instance.ts';
import type { ImportInvocation } from './import-flags.ts';
import { showProgress } from './import-progress.ts';
import { noteResult, stateOf } from './import-result.ts';

type ImportCall = Call<typeof content.import>;
type ImportAnswer = Answer<typeof content.import>;

/** A website of some hundred pages takes minutes, and the service sends nothing until it is done. */
const usualSeconds = 900;

export async function runImport(invocation: ImportInvocation): Promise<void> {
  const { flags, globals } = invocation;
  const call = await callOf(invocation);
  checkFlags(invocation, call);
  const found = await (await invocation.names()).resolve(call.endpoint, { params: call.params });
  const resolved: ImportCall = { ...call, ...found };
  const client = await invocation.client();
  const isInstance = await isDocsctl(client, resolved);
  if (flags.replace && !isInstance) throw cannotReplace(invocation);
  if (globals.dryRun) return dryRun(invocation, call);
  const { replace = false, overwrite = false } = flags;
  const options: ImportOptions = { id: randomBytes(16).toString('hex'), replace, overwrite };
  const answer = await send(invocation, client, resolved, isInstance ? options : undefined);
  await printAnswer(invocation, resolved, answer);
  await noteResult(invocation, answer, isInstance ? await stateOf(client, options.id) : undefined, replace);
}

/** @throws UsageError */
function checkFlags({ flags }: ImportInvocation, { body }: ImportCall): void {
  if (flags.overwrite && !flags.replace) throw new UsageError('--overwrite needs --replace.');
  if (flags.replace && /^data:/i.test(body.url)) {
    throw new UsageError(
      '--replace needs an http or https address: a local file or a data address has no earlier import.',
      'Use "docsctl content push" for a folder of files that change.',
    );
  }
}

/**
 * Whether an instance of docsctl answers, by a request that every service has: only then it gets the requests of
 * `contract/instance.ts`.
 */
async function isDocsctl(client: Client, { endpoint, params }: ImportCall): Promise<boolean> {
  const answer = await client.request('GET', pathWith(endpoint.path.replace(/\/content\/import$/, ''), params));
  return answer.headers[instanceHeader] !== undefined;
}

function cannotReplace(invocation: ImportInvocation): CommandError {
  return new UsageError(
    '--replace works on a local instance only: the API of this service does not tell which pages an import made.',
    `Import into a change request (--cr), and delete the pages of the earlier import there; ${shellCommand(listCommand(invocation))} lists them.`,
  );
}

const listCommand = ({ flags: { space, cr } }: ImportInvocation): string[] => [
  'docsctl',
  'content',
  'pages',
  'list',
  ...(space === undefined ? [] : ['--space', space]),
  ...(cr === undefined ? [] : ['--cr', cr]),
];

async function send(
  invocation: ImportInvocation,
  client: Client,
  call: ImportCall,
  options: ImportOptions | undefined,
): Promise<ImportAnswer> {
  const { endpoint, params, body } = call;
  const seconds = invocation.globals.timeout ?? usualSeconds;
  const progress = showProgress(invocation.io, options ? () => stateOf(client, options.id) : undefined);
  try {
    return await client.call(endpoint, {
      params,
      body,
      timeoutMs: seconds * 1000,
      ...(options ? { headers: { [importHeader]: writeImportHeader(options) } } : {}),
    });
  } catch (error) {
    await progress.stop();
    if (invocation.signal.aborted) await invocation.io.note(afterInterrupt(options !== undefined));
    throw explained(error, invocation, seconds, options !== undefined);
  } finally {
    await progress.stop();
  }
}

const afterInterrupt = (isInstance: boolean) =>
  isInstance
    ? 'Interrupted: the instance stops the import, and nothing is imported.'
    : 'Interrupted: the service may continue and add the pages later.';

function explained(error: unknown, invocation: ImportInvocation, seconds: number, isInstance: boolean): unknown {
  if (error instanceof TimedOut && error.awaited !== 'connection') {
    const look = `Check the result with: ${shellCommand(listCommand(invocation))}`;
    return new CommandError(`The import was not done within ${seconds} s; docsctl no longer waits for it.`, {
      exitCode: exit.unreachable,
      hint: isInstance
        ? `The instance stops it, and nothing is imported. Wait longer with --timeout. ${look}`
        : `The service may still go on, and add the pages later: look before you import again. ${look}`,
      cause: error,
    });
  }
  if (error instanceof HttpError && error.status === 409 && invocation.flags.replace) {
    error.hint ??=
      'Pass --overwrite to discard these changes, or import into a change request (--cr) and compare there.';
  }
  return error;
}
