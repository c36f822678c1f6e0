import type { Endpoint } from '../../contract/endpoint.ts';
import { fieldsOf, decodeQuery } from '../../contract/fields.ts';
import { validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { Invalid } from './errors.ts';

/** Those that the service reads never have several values. */
interface RequestHeaders {
  readonly [name: string]: string | string[] | undefined;
  readonly accept?: string | undefined;
  readonly authorization?: string | undefined;
  readonly 'content-type'?: string | undefined;
}

/** A request from any transport, with its whole body. */
export interface InstanceRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: RequestHeaders;
  body?: Uint8Array | string | undefined;
  /** The caller's user id if no token is needed: for calls in this process, with `--as` or without. */
  as?: string;
  /** Aborted when the client no longer waits for the response. */
  signal?: AbortSignal | undefined;
  /** Time of the request in milliseconds since 1970, if it is not the instance's clock: for the demo. */
  now?: number;
}

export interface InstanceResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Path of the endpoint that answered, with its parameters by name: for metrics. */
  route?: string;
}

/** Identifies a request in the log. It need not be secret, so no module for secure random numbers is loaded. */
export const newRequestId = () => Math.random().toString(36).slice(2, 10).padEnd(8, '0');

/** @throws Invalid with every error of the query */
export function readQuery(endpoint: Endpoint, query: URLSearchParams): Record<string, unknown> {
  if (query.size > 0) return parseQuery(endpoint, query);
  let values = defaults.get(endpoint);
  if (!values) defaults.set(endpoint, (values = parseQuery(endpoint, query)));
  return { ...values };
}

/** The values of an empty query. */
const defaults = new WeakMap<Endpoint, Record<string, unknown>>();

function parseQuery(endpoint: Endpoint, query: URLSearchParams): Record<string, unknown> {
  const { query: fields } = fieldsOf(endpoint);
  const texts: Record<string, string[]> = {};
  for (const name of Object.keys(fields)) {
    const values = query.getAll(name);
    if (values.some((value) => value.includes('\0')))
      throw new Invalid(name, 'must not contain a NUL character', 'format');
    if (values.length > 0) texts[name] = values;
  }
  const decoded = decodeQuery(fields, texts);
  const result = endpoint.query().safeParse(decoded);
  if (result.success) return result.data;
  throw new Invalid(validationIssues('query', markMissing(decoded, result.error.issues)));
}
