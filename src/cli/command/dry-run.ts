import { type Endpoint, pathWith } from '../../contract/endpoint.ts';
import { encodeQuery } from '../../contract/fields.ts';
import { visibleLines } from '../output/index.ts';
import type { Globals } from '../program/globals.ts';
import type { Invocation } from './command.ts';

/** The parts of a call that are printed, of any endpoint. */
interface PrintedCall {
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  params: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** Prints method, address and body as they would be sent. Nothing is sent. */
export const printRequest = (invocation: Invocation, call: PrintedCall): Promise<void> =>
  printRequests(invocation, [call]);

/** As `printRequest`, for several: as JSON they are one array. */
export async function printRequests(invocation: Invocation, calls: readonly PrintedCall[]): Promise<void> {
  const address = (await invocation.session.address()).value;
  await printWireRequests(
    invocation,
    calls.map(({ endpoint, params, query, body }) => ({
      method: endpoint.method,
      url: `${address.replace(/\/$/, '')}${pathWith(endpoint.path, params)}${encodeQuery(query ?? {})}`,
      body,
    })),
  );
}

interface WireRequest {
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
  const printed = requests.map(({ body, ...rest }) => ({
    ...rest,
    ...(body === undefined ? {} : { body: body instanceof Uint8Array ? Buffer.from(body).toString() : body }),
  }));
  const { output: format } = globals;
  if (format === 'json' || format === 'jsonl' || format === 'yaml') {
    const { printObject } = await import('../output/index.ts');
    return printObject({ ...io.screen, format }, printed.length === 1 ? printed[0] : printed, [], sink);
  }
  const isVisible = io.screen.terminal || sink === io.err;
  for (const request of printed) await sink.write(isVisible ? visibleLines(wireText(request)) : wireText(request));
}

function wireText({ method, url, headers = {}, body }: WireRequest): string {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body, null, 2);
  const lines = [`${method} ${url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (text !== undefined) lines.push(...(lines.length > 1 ? [''] : []), text.replace(/\n$/, ''));
  return `${lines.join('\n')}\n`;
}
