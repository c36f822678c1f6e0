import { type Endpoint, pathWith } from '../../../contract/endpoint.ts';
import { encodeQuery } from '../../../contract/fields.ts';
import { visible, visibleLines } from '../../output/index.ts';
import type { Globals } from '../../program/globals.ts';
import type { Change } from '../../../contract/changes.ts';
import type { Invocation } from '../command.ts';
import type { Effect } from './check-call.ts';

/** The parts of a call that are printed, of any endpoint. */
interface PrintedCall {
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  params: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** A call that is not sent, of an endpoint whose object can be looked up. */
interface CheckedCall extends PrintedCall {
  endpoint: Endpoint;
}

/** What a dry run tells of a call. */
export interface Preview extends Effect {
  call: PrintedCall;
}

/** Prints method, address and body as they would be sent. Nothing is sent. */
export const printRequest = (invocation: Invocation, call: PrintedCall): Promise<void> =>
  printRequests(invocation, [call]);

/** Like `printRequest`, but for several: as JSON they are one array. */
export async function printRequests(invocation: Invocation, calls: readonly PrintedCall[]): Promise<void> {
  for (const { endpoint, params } of calls) await (await invocation.names()).assertOrganization(endpoint, params);
  await printPreviews(
    invocation,
    calls.map((call) => ({ call })),
  );
}

/**
 * The dry run of one write: checks all that GET requests can check, and prints the request with what it would change.
 *
 * @param changes if the command knows them better than the body tells
 * @throws HttpError as the service would answer the request
 */
export async function dryRun(invocation: Invocation, call: CheckedCall, changes?: readonly Change[]): Promise<void> {
  const preview = await previewOf(invocation, call);
  await printPreviews(invocation, [changes ? { ...preview, changes } : preview]);
}

/**
 * Checks a call and compares it with what there is; sends GET requests only.
 *
 * @throws HttpError as the service would answer the request, CommandError if it needs an approval
 */
export async function previewOf(invocation: Invocation, call: CheckedCall): Promise<Preview> {
  const { endpoint, params, query, body } = call;
  const names = await invocation.names();
  if (endpoint.method === 'GET') {
    await names.assertOrganization(endpoint, params);
    return { call };
  }
  const { checkCall, checkTexts, effectOf } = await import('./check-call.ts');
  checkTexts(body);
  const input = await names.resolve(endpoint, { params, query, body }).catch(async (error: unknown) => {
    // The service checks the permission first, also for objects that the caller cannot see.
    await checkCall(invocation, { endpoint, ...(await names.prepare(endpoint, { params, body })) });
    throw error;
  });
  const resolved = { ...call, ...input };
  const { params: named, body: sent } = resolved;
  const problem = await invocation.session.approvals.problem({ endpoint, params: { ...named }, body: sent });
  if (problem) throw problem;
  return { call: resolved, ...(await effectOf(invocation, resolved)) };
}

/** Prints requests with what they would change; as JSON, several are one array. */
export async function printPreviews(invocation: Invocation, previews: readonly Preview[]): Promise<void> {
  const address = (await invocation.session.address()).value;
  await printWireRequests(
    invocation,
    previews.map(({ call: { endpoint, params, query, body }, object, changes }) => ({
      method: endpoint.method,
      url: `${address.replace(/\/$/, '')}${pathWith(endpoint.path, params)}${encodeQuery(query ?? {})}`,
      body,
      ...(object ? { object } : {}),
      ...(changes ? { changes } : {}),
    })),
  );
}

interface WireRequest extends Effect {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: unknown;
}

/** Whether the output options select values of an answer, which a request does not have. */
const selectsValues = ({ output, jq, columns }: Globals) =>
  output === 'id' || jq !== undefined || columns !== undefined;

/**
 * Prints requests as text, or as JSON or YAML with `--output`. A script that selects values of the answer would mistake
 * a request for one: then standard output stays empty, and the request goes to standard error.
 */
export async function printWireRequests(invocation: Invocation, requests: readonly WireRequest[]): Promise<void> {
  const { globals, io } = invocation;
  const sink = selectsValues(globals) ? io.err : io.out;
  const printed = requests.map(({ body, object, changes, ...rest }) => ({
    ...rest,
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }),
    ...(object ? { object } : {}),
    ...(changes ? { changes } : {}),
  }));
  const { output: format } = globals;
  if (format === 'json' || format === 'jsonl' || format === 'yaml') {
    const { printObject } = await import('../../output/index.ts');
    return printObject({ ...io.screen, format }, printed.length === 1 ? printed[0] : printed, [], sink);
  }
  const isVisible = io.screen.terminal || sink === io.err;
  for (const request of printed) {
    const text = wireText(request);
    await sink.write(isVisible ? visibleLines(text) : text);
    if (request.changes) await sink.write(await changesText(request.changes, invocation, isVisible));
  }
}

function wireText({ method, url, headers = {}, body, object, changes }: WireRequest): string {
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (object) lines.push(object.title === object.id ? object.id : `${visible(object.title)} (${object.id})`);
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  // An edit is described by its changes.
  if (text !== undefined && !changes) lines.push(...(lines.length > 1 && !object ? [''] : []), text.replace(/\n$/, ''));
  return `${lines.join('\n')}\n`;
}

async function changesText(changes: readonly Change[], { io }: Invocation, isVisible: boolean): Promise<string> {
  if (changes.length === 0) return '  nothing would change\n';
  const [{ changeLines }, { loadPaint }] = await Promise.all([
    import('../../output/change-lines.ts'),
    import('../../output/paint.ts'),
  ]);
  const paint = await loadPaint(io.screen.color);
  const safe = isVisible ? visible : (text: string) => text;
  const lines = await Promise.all(changes.map((change) => changeLines(change, paint, safe)));
  return `${lines
    .flat()
    .map((line) => `  ${line}`)
    .join('\n')}\n`;
}
