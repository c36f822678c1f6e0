import { printWireRequests } from '../../cli/command/dry-run/dry-run.ts';
import { outputOptions, print, requireOrganization, scopeOf, withProgress } from '../../cli/command/invocation.ts';
import { printPages } from '../../cli/command/list.ts';
import { fileBytes } from '../../cli/command/read-input.ts';
import { paramsOfAddress } from '../../cli/naming/address.ts';
import { needsLookup } from '../../cli/naming/reading.ts';
import { createListOutput, visibleLines } from '../../cli/output/index.ts';
import { UsageError } from '../../cli/program/failure.ts';
import { withoutCredentials } from '../../client/address.ts';
import type { RawAnswer } from '../../client/client.ts';
import { HttpError } from '../../client/errors/http-error.ts';
import { walk } from '../../client/pages.ts';
import { createRedactor } from '../../client/secrets.ts';
import { encodeQuery } from '../../contract/fields.ts';
import { groupOf } from '../../contract/groups.ts';
import type { ScopeName } from '../../contract/objects.ts';
import { dotSegmentRefusal, hasDotSegment } from '../../contract/path.ts';
import { isObject } from '../../shared/is-object.ts';
import { parseFields } from './fields.ts';
import type { ApiInvocation } from './options.ts';

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

interface ApiRequest {
  method: string;
  /** A path below the address of the service, or a full URL. */
  path: string;
  headers: Record<string, string>;
  body: unknown;
  /** The path with IDs instead of names in its placeholders; undefined if it has none. */
  pathWithIds?(): Promise<string>;
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** The request in the arguments and flags. @throws UsageError */
async function requestFor(invocation: ApiInvocation): Promise<ApiRequest> {
  const { args, flags } = invocation;
  const [first, second] = [args.method, args.path].filter((word) => word !== undefined);
  if (first === undefined) throw new UsageError('<path> is missing.', 'For example: docsctl api orgs.');
  if (second === undefined && methods.has(first))
    throw new UsageError('<path> is missing.', `For example: docsctl api ${first} orgs.`);
  const fields = parseFields(flags.field, flags.typed);
  const hasFields = Object.keys(fields).length > 0;
  const hasInput = flags.input !== undefined;
  const defaultMethod = (hasFields || hasInput) && !flags.paginate ? 'POST' : 'GET';
  const method = second === undefined ? defaultMethod : first.toUpperCase();
  if (!methods.has(method))
    throw new UsageError(`"${first}" is not an HTTP method.`, `Use one of ${[...methods].join(', ')}.`);
  if (flags.paginate && (method !== 'GET' || hasInput))
    throw new UsageError('--paginate works with GET only, and without --input.');
  const text = second ?? first;
  const fieldsAreQuery = hasInput || method === 'GET' || method === 'HEAD';
  const pathWith = async (idOf: ScopeId) => {
    const path = await pathFor(text, idOf);
    return fieldsAreQuery ? withQuery(path, fields) : path;
  };
  const path = await pathWith((scope) => scopeId(invocation, scope, needsLookup));
  await refuseOtherOrganization(invocation, path);
  const hasPlaceholder = scopes.some((scope) => text.includes(`{${scope}}`));
  return {
    method,
    path,
    ...(hasPlaceholder ? { pathWithIds: () => pathWith((scope) => scopeId(invocation, scope, () => true)) } : {}),
    headers: headersFrom(flags.H),
    body: bodyFor(flags.input, fieldsAreQuery || !hasFields ? undefined : fields),
  };
}

const bodyFor = (input: string | undefined, fields: Record<string, unknown> | undefined) =>
  input === undefined ? fields : fileBytes(input, '--input');

/** @throws UsageError if the path belongs to another organization than --org; CommandError if --org does not exist */
async function refuseOtherOrganization(invocation: ApiInvocation, path: string): Promise<void> {
  if (invocation.flags.org === undefined || !URL.canParse(path, 'http://localhost')) return;
  const { orgId, ...params } = paramsOfAddress(new URL(path, 'http://localhost').href);
  const [above = ''] = Object.keys(params);
  if (orgId === undefined) await (await invocation.names()).assertOrganization({ path: `/v1/{${above}}` }, params);
  const organization = await requireOrganization(invocation);
  if (orgId !== undefined && orgId !== organization && orgId !== invocation.flags.org)
    throw new UsageError(`The path belongs to the organization ${orgId}, not to "${invocation.flags.org}" (--org).`);
}

const scopes = ['org', 'space', 'site'] as const;

type ScopeId = (scope: ScopeName) => Promise<string>;

async function scopeId(
  invocation: ApiInvocation,
  scope: ScopeName,
  isLookedUp: (text: string) => boolean,
): Promise<string> {
  const text = await scopeOf(invocation, scope);
  if (!isLookedUp(text)) return text;
  const lookup = await (await invocation.names()).lookup();
  return lookup.idOrNameOf({ param: `${scope}Id`, text, params: {} });
}

/** The path relative to the address of the service, without placeholders. */
async function pathFor(text: string, idOf: ScopeId): Promise<string> {
  let path = /^https?:/i.test(text) ? text : belowVersion(text);
  for (const scope of scopes) {
    if (path.includes(`{${scope}}`)) path = path.replaceAll(`{${scope}}`, encodeURIComponent(await idOf(scope)));
  }
  if (hasDotSegment(path.replace(/[?#].*$/s, '')))
    throw new UsageError(
      `<path>: ${dotSegmentRefusal(withoutCredentials(path))}`,
      'Write the path without "." and "..".',
    );
  return path;
}

/** `user` and `/user` become `/v1/user`. Paths outside the API, such as `/files/...`, stay unchanged. */
function belowVersion(text: string): string {
  const path = text.replace(/^\//, '');
  if (path.startsWith('v1/')) return `/${path}`;
  const isOfApi = !text.startsWith('/') || groupOf(path.replace(/[?#].*/s, '').split('/')) !== undefined;
  return isOfApi ? `/v1/${path}` : text;
}

function withQuery(path: string, fields: Record<string, unknown>): string {
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      throw new UsageError(`${name}: a query cannot have nested fields.`);
  }
  const query = encodeQuery(fields);
  return path.includes('?') ? path + query.replace('?', '&') : path + query;
}

function headersFrom(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text) => {
      const [, name, value = ''] = /^([!#$%&'*+.^_`|~\w-]+):(.*)$/.exec(text) ?? [];
      if (name !== undefined) return [name.toLowerCase(), value.trimStart()];
      throw new UsageError(
        `-H: "${text}" is not in the form name:value.`,
        'For example -H "Accept: application/json".',
      );
    }),
  );
}
