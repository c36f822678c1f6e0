import type { Definition, Endpoint } from '../../contract/endpoint.ts';
import { fieldsOf, decodeQuery } from '../../contract/fields.ts';
import { checkValue, validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { DomainError, Invalid } from './errors.ts';

/** A request as any transport brings it; the body whole. */
export interface InstanceRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Record<string, string | undefined>;
  body?: Uint8Array | string | undefined;
  /** The caller's user id where no token is needed: in-process, or after `--as`. */
  as?: string;
  /** Time of the request in milliseconds since 1970, where it is not the instance's clock: for the demo. */
  now?: number;
}

export interface InstanceResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Path of the endpoint that answered, with its parameters by name: for metrics. */
  route?: string;
}

/** Tells one request from another in the log; no secret, so that nothing has to be loaded to make it. */
export const newRequestId = () => Math.random().toString(36).slice(2, 10).padEnd(8, '0');

const maxBody = 10 * 1024 * 1024;
const maxDepth = 200;

/** Largest body the endpoint takes, in bytes. */
export const bodyLimit = (endpoint: Pick<Definition, 'maxBody'> | undefined) => endpoint?.maxBody ?? maxBody;

/** @throws DomainError `too-large`, `unsupported-media-type` or `malformed-json` */
export function readBody(endpoint: Endpoint, request: InstanceRequest): Record<string, unknown> {
  const { body } = request;
  if (endpoint.method === 'GET' || body === undefined || body.length === 0) return {};
  const limit = bodyLimit(endpoint);
  const size = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (size > limit) throw tooLarge(limit);
  requireJson(request.headers['content-type']);
  return parse(typeof body === 'string' ? body : utf8(body));
}

/** @throws DomainError `unsupported-media-type` */
export function requireJson(contentType: string | undefined): void {
  if (contentType?.split(';')[0]!.trim().toLowerCase() === 'application/json') return;
  throw new DomainError('unsupported-media-type', 'The body must be JSON: send Content-Type: application/json.');
}

export const tooLarge = (limit: number) =>
  new DomainError(
    'too-large',
    `The body is larger than the ${Math.round(limit / 1024 / 1024)} MiB this endpoint takes.`,
  );

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('malformed-json', 'The body is not valid UTF-8.');
  }
}

function parse(text: string): Record<string, unknown> {
  if (isDeeperThan(text, maxDepth)) {
    throw new DomainError('malformed-json', `The body nests deeper than ${maxDepth} levels.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed-json', `The body is not JSON: ${(error as Error).message}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new DomainError('malformed-json', 'The body must be a JSON object.');
  }
  // Only an escape can bring what UTF-8 and the database cannot carry unchanged.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '');
  return value as Record<string, unknown>;
}

/** Judged on the text, because walking a value that is nested too deep overflows the stack. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 34) {
      for (i++; i < text.length && text.charCodeAt(i) !== 34; i++) if (text.charCodeAt(i) === 92) i++;
    } else if (code === 123 || code === 91) {
      if (++depth > limit) return true;
    } else if (code === 125 || code === 93) depth--;
  }
  return false;
}

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
    throw new Invalid(path, 'holds a NUL character or half of a surrogate pair, which cannot be stored', 'format');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorable(key, `${path}/(name)`);
    refuseUnstorable(member, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

/** @throws Invalid with every fault of the query */
export function readQuery(endpoint: Endpoint, query: URLSearchParams): Record<string, unknown> {
  if (query.size > 0) return readGiven(endpoint, query);
  let read = defaults.get(endpoint);
  if (!read) defaults.set(endpoint, (read = readGiven(endpoint, query)));
  return { ...read };
}

/** What is asked for by those who say nothing. */
const defaults = new WeakMap<Endpoint, Record<string, unknown>>();

function readGiven(endpoint: Endpoint, query: URLSearchParams): Record<string, unknown> {
  const { query: fields } = fieldsOf(endpoint);
  const given: Record<string, string[]> = {};
  if (query.size > 0) {
    for (const name of Object.keys(fields)) {
      const values = query.getAll(name);
      if (values.length > 0) given[name] = values;
    }
  }
  for (const [name, values] of Object.entries(given)) {
    if (values.some((value) => value.includes('\0')))
      throw new Invalid(name, 'must not hold a NUL character', 'format');
  }
  const decoded = decodeQuery(fields, given);
  const result = endpoint.query().safeParse(decoded);
  if (result.success) return result.data;
  throw new Invalid(validationIssues('query', markMissing(decoded, result.error.issues)));
}

/** @throws Invalid with every fault of the body */
export function checkBody(endpoint: Endpoint, body: Record<string, unknown>): unknown {
  if (!endpoint.body) return {};
  const result = checkValue(endpoint.body(), body);
  if (result.success) return result.data;
  throw new Invalid(validationIssues('body', markMissing(body, result.issues)), result.dropped);
}
