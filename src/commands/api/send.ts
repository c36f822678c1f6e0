import type { RawAnswer } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { walk } from '../../client/pages.ts';
import { createRedactor } from '../../client/secrets.ts';
import { printWireRequests } from '../../cli/command/dry-run/dry-run.ts';
import { outputOptions, print } from '../../cli/command/invocation.ts';
import { printPages } from '../../cli/command/list.ts';
import { withProgress } from '../../cli/command/invocation.ts';
import { createListOutput, visibleLines } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { isObject } from '../../shared/is-object.ts';
import type { ApiInvocation } from './options.ts';
import { type ApiRequest, requestFor } from './request.ts';

/** Sends a request, or with `--paginate` one for each page of a list, and prints the response. */
export async function sendRequest(invocation: ApiInvocation): Promise<void> {
  const { flags, globals } = invocation;
  const request = await requestFor(invocation);
  if (globals.dryRun) return printDryRun(invocation, request);
  const run = async (attempt: ApiRequest) =>
    flags.paginate ? printAllPages(invocation, attempt) : printResponse(invocation, await send(invocation, attempt));
  const { path, pathWithIds } = request;
  // With --include, a failed first attempt would be printed, too.
  if (flags.include && pathWithIds) return run({ ...request, path: await pathWithIds() });
  try {
    await run(request);
  } catch (error) {
    const isUnknown = error instanceof HttpError && error.status === 404;
    const named = isUnknown && pathWithIds ? await pathWithIds() : path;
    if (named === path) throw error;
    await run({ ...request, path: named });
  }
}

async function printDryRun(invocation: ApiInvocation, { method, path, headers, body }: ApiRequest): Promise<void> {
  const { value: address } = await invocation.session.address();
  await printWireRequests(invocation, [
    {
      method,
      url: /^https?:/i.test(path) ? path : address.replace(/\/$/, '') + path,
      ...(Object.keys(headers).length > 0 ? { headers: createRedactor([]).headers(headers) } : {}),
      body,
    },
  ]);
}

async function send(invocation: ApiInvocation, request: ApiRequest): Promise<RawAnswer> {
  const { flags, io } = invocation;
  try {
    return await withProgress(io, 'Waiting for the service', () => exchange(invocation, request));
  } catch (error) {
    // --include prints the response, in addition to the usual error message.
    if (flags.include && error instanceof HttpError) await io.out.write(refusalText(error));
    throw error;
  }
}

async function exchange(invocation: ApiInvocation, { method, path, headers, body }: ApiRequest): Promise<RawAnswer> {
  const client = await invocation.client();
  return client.request(method, path, { headers, body, forShow: invocation.flags.include === true });
}

async function printResponse(invocation: ApiInvocation, response: RawAnswer): Promise<void> {
  const { io, flags, globals } = invocation;
  if (flags.include) await io.out.write(headText(response));
  if (response.bytes.byteLength === 0) return;
  const isJson = response.body !== undefined;
  if (globals.output !== undefined || globals.jq !== undefined || globals.columns !== undefined) {
    if (isJson) return print(invocation, response.body);
    throw new UsageError('The response is not JSON: --output, --columns and --jq cannot be used with it.');
  }
  if (io.screen.terminal) {
    if (isJson) return print(invocation, response.body, undefined, outputOptions(invocation, { format: 'json' }));
    return io.out.write(`${visibleLines(response.text).trimEnd()}\n`);
  }
  await io.out.write(isJson && !response.text.endsWith('\n') ? `${response.text}\n` : response.bytes);
}

function refusalText(error: HttpError): string {
  const body = typeof error.body === 'string' ? error.body : JSON.stringify(error.body);
  return headText(error) + (body === '' ? '' : visibleLines(`${body.trimEnd()}\n`));
}

const headText = ({ status, headers }: Pick<RawAnswer, 'status' | 'headers'>) =>
  visibleLines(
    [`HTTP ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', ''].join('\n'),
  );

/** Prints the items of all pages as one list. */
async function printAllPages(invocation: ApiInvocation, request: ApiRequest): Promise<void> {
  const { io, flags } = invocation;
  const options = outputOptions(invocation);
  const isPlain = options.format === undefined && options.columns === undefined && options.jq === undefined;
  const progress = io.progress('Reading');
  const output = createListOutput(isPlain ? { ...options, format: 'json' } : options, [], progress.above(io.out));
  let isHeadPrinted = !flags.include;
  const pages = walk(`${request.method} ${request.path}`, async ({ page, limit }) => {
    const response = await exchange(invocation, { ...request, path: pathOfPage(request.path, page, limit) });
    if (!isObject(response.body) || !Array.isArray(response.body.items))
      throw new UsageError(`The response of ${request.path} is not a list.`, 'Leave out --paginate.');
    if (!isHeadPrinted) await io.out.write(headText(response));
    isHeadPrinted = true;
    return { status: response.status, headers: response.headers, body: response.bytes };
  });
  await printPages(pages, { ...output, page: ({ items }) => output.page(items) }, progress);
}

/** The path of one page. Keeps a limit that the user passed. */
function pathOfPage(path: string, page: string | undefined, limit: number): string {
  const [base = '', query = ''] = path.split(/\?(.*)/s);
  const search = new URLSearchParams(query);
  if (!search.has('limit')) search.set('limit', String(limit));
  if (page !== undefined) search.set('page', page);
  return `${base}?${search}`;
}
