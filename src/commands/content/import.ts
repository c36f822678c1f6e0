import { randomBytes } from 'node:crypto';
import type { Answer, Call } from '../../cli/command/command.ts';
import { dryRun } from '../../cli/command/dry-run/dry-run.ts';
import { printAnswer } from '../../cli/command/list.ts';
import { callOf } from '../../cli/command/request.ts';
import { createProgress } from '../../cli/output/index.ts';
import { CommandError, UsageError, exit } from '../../cli/program/failure.ts';
import type { Io } from '../../cli/program/io.ts';
import type { Client } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { TimedOut } from '../../client/errors/timed-out.ts';
import type { content } from '../../contract/content.ts';
import { type AnswerOf, pathWith } from '../../contract/endpoint.ts';
import {
  importHeader,
  type ImportOptions,
  type ImportState,
  importStatePath,
  instanceHeader,
  isImportState,
  type LeftOut,
  writeImportHeader,
} from '../../contract/instance.ts';
import { ImportFailure } from '../../content/import/failure.ts';
import type { Skipped } from '../../content/import/convert/skipped.ts';
import { codeOf, messageOf } from '../../shared/error-text.ts';
import { shellCommand } from '../../shared/shell-quote.ts';
import type { ImportInvocation } from './import-flags.ts';

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
  const skipped = skippedOf.get(invocation.args) ?? [];
  if (globals.dryRun) {
    await dryRun(invocation, call);
    return noteMissing(invocation.io, skipped.map(nameOf), skipped.length);
  }
  const { replace = false, overwrite = false } = flags;
  const options: ImportOptions = { id: randomBytes(16).toString('hex'), replace, overwrite };
  const answer = await send(invocation, client, resolved, isInstance ? options : undefined);
  await printAnswer(invocation, resolved, answer);
  const state = isInstance ? await stateOf(client, options.id) : undefined;
  if (replace && state) await noteReplaced(invocation.io, state);
  await noteResult(invocation, answer, state, skipped);
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

/** How often a terminal shows what arrives, and how often a log gets a line. */
const screenMs = 1_000;
const logMs = 30_000;

/**
 * Shows how an import goes on: on a terminal in one line that changes, elsewhere now and then in a further line.
 *
 * @param read the state of the import, if the service tells it
 */
export function showProgress(
  io: Io,
  read: (() => Promise<ImportState | undefined>) | undefined,
): { stop(): Promise<void> } {
  const started = Date.now();
  const isScreen = io.canAnimate;
  const progress = createProgress('Importing', { animated: isScreen });
  let isStopped = false;
  let shown = Promise.resolve();
  const show = async () => {
    const state = await read?.();
    if (isStopped) return;
    const text = progressText(state, Math.round((Date.now() - started) / 1000));
    if (isScreen) progress.say(text);
    else await io.note(`${text}.`);
  };
  const timer = setInterval(() => (shown = shown.then(show, () => {})), isScreen ? screenMs : logMs);
  return {
    async stop() {
      isStopped = true;
      clearInterval(timer);
      progress.stop();
      await shown.catch(() => {});
    },
  };
}

export function progressText(state: ImportState | undefined, seconds: number): string {
  const time = seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  if (state?.step === 'fetching' && state.found > 0) {
    return `Importing: ${state.fetched} of ${state.found} pages found so far are fetched, ${time}`;
  }
  if (state?.step === 'reading') return `Importing: reading ${state.fetched} pages, ${time}`;
  if (state?.step === 'saving') return `Importing: saving, ${time}`;
  return `Importing: ${time} so far`;
}

/** The state of an import of an instance; undefined if it does not know it. */
export async function stateOf(client: Client, id: string): Promise<ImportState | undefined> {
  try {
    const { body } = await client.request('GET', importStatePath(id));
    return isImportState(body) ? body : undefined;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** Says on standard error what was not imported. @throws CommandError if there is anything */
async function noteResult(
  { io }: Pick<ImportInvocation, 'io'>,
  { importedResources, totalResources }: AnswerOf<typeof content.import>,
  state: ImportState | undefined,
  skipped: readonly Skipped[],
): Promise<void> {
  const missing = totalResources - importedResources + skipped.length;
  if (missing > 0) for (const reason of state ? reasonsOf(state) : []) await io.note(`  ${reason}`);
  const names = [...skipped.map(nameOf), ...(state?.notImported ?? [])];
  await noteMissing(io, names, missing, totalResources + skipped.length);
}

const nameOf = ({ file, reason }: Skipped): string => `${file}: ${reason}`;

const maxNames = 20;

/** @param total of how many, after an import @throws CommandError if anything is missing */
async function noteMissing(io: Io, names: readonly string[], missing: number, total?: number): Promise<void> {
  if (missing === 0) return;
  for (const name of names.slice(0, maxNames)) await io.note(`  not imported: ${name}`);
  if (names.length > maxNames) await io.note(`  and ${names.length - maxNames} more`);
  const text =
    total === undefined
      ? `${missing} file${missing === 1 ? '' : 's'} would not be imported.`
      : `${missing} of ${total} pages and files were not imported.`;
  throw new CommandError(text, { exitCode: exit.someFailed });
}

async function noteReplaced(io: Io, { replaced }: ImportState): Promise<void> {
  if (!replaced) return io.note('The pages were added, because there was no earlier import of this address.');
  const { added, changed, unchanged, deleted, kept } = replaced;
  await io.note(`Replaced: ${added} added, ${changed} changed, ${deleted} deleted, ${unchanged} unchanged.`);
  if (kept.length > 0) await io.note(`Kept, because they were changed in the space: ${kept.join(', ')}.`);
}

const count = (pages: number) => `${pages} page${pages === 1 ? '' : 's'}`;

function reasonsOf({ leftOut, limits }: ImportState): string[] {
  const texts: Record<keyof LeftOut, (pages: number) => string> = {
    pages: (pages) =>
      `${count(pages)}: the limit of ${limits.pages} pages; "docsctl serve --import-pages ${limits.pages + pages}" raises it`,
    depth: (pages) =>
      `${count(pages)}: more than ${limits.depth} links away from the first; "docsctl serve --import-depth" raises it`,
    time: (pages) => `${count(pages)}: the time limit of ${limits.seconds} s was reached`,
    robots: (pages) => `${count(pages)}: robots.txt disallows them`,
    failed: (pages) => `${count(pages)}: no HTML page could be fetched`,
  };
  const reasons: (keyof LeftOut)[] = ['pages', 'depth', 'time', 'robots', 'failed'];
  return reasons.flatMap((reason) => (leftOut[reason] > 0 ? [texts[reason](leftOut[reason])] : []));
}

// The service takes bodies of 10 MiB, and Base64 makes four bytes of three.
const maxBytes = 7 * 1024 * 1024;

/** What a local file or folder lacks, by the arguments that name it. */
const skippedOf = new WeakMap<ImportInvocation['args'], Skipped[]>();

/** A local file or folder as a `data:` address of its Markdown. @throws UsageError for large ones, and those without pages */
export async function dataAddress({ args, values }: ImportInvocation, path: string): Promise<string> {
  const { readLocal } = await import('../../content/import/local.ts');
  const source = typeof values.source === 'string' ? values.source : undefined;
  const read = await readLocal(path, source).catch((error: unknown) => {
    if (error instanceof ImportFailure || codeOf(error) !== '') {
      throw new UsageError(`<url>: ${path} cannot be imported: ${messageOf(error)}`);
    }
    throw error;
  });
  skippedOf.set(args, read.skipped);
  if (read.archive.length > maxBytes) {
    throw new UsageError(
      `The ${read.pages} pages and the files of ${path} are larger than ${maxBytes / 1024 / 1024} MiB, the limit of a request.`,
      'Upload it to a place where the service can fetch it, and give that address.',
    );
  }
  return `data:application/zip;base64,${Buffer.from(read.archive).toString('base64')}`;
}
