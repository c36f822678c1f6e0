import type { Definition, Endpoint } from '../../contract/endpoint.ts';
import { fieldsOf, decodeQuery } from '../../contract/fields.ts';
import { checkValue, validationIssues, markMissing } from '../../contract/validation-issues.ts';
import { messageOf } from '../../shared/error-text.ts';
import { isObject } from '../../shared/is-object.ts';
import { escapeSegment } from '../../shared/json-pointer.ts';
import { DomainError, Invalid } from './errors.ts';

/** Those that the service reads never have several values. */
export interface RequestHeaders {
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
  /** The caller's user id where no token is needed: for calls in this process, with `--as` or without. */
  as?: string;
  /** Aborted when the client no longer waits for the response. */
  signal?: AbortSignal | undefined;
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

/** Identifies a request in the log. It need not be secret, so no module for secure random numbers is loaded. */
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
  if (contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json') return;
  throw new DomainError('unsupported-media-type', 'The body must be JSON: send Content-Type: application/json.');
}

export const tooLarge = (limit: number) =>
  new DomainError(
    'too-large',
    `The body is too large: this endpoint accepts at most ${Math.round(limit / 1024 / 1024)} MiB.`,
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
    throw new DomainError('malformed-json', `The body is nested more than ${maxDepth} levels deep.`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('malformed-json', `The body is not valid JSON: ${messageOf(error)}.`);
  }
  if (!isObject(value)) throw new DomainError('malformed-json', 'The body must be a JSON object.');
  // Only an escape can contain what UTF-8 and the database cannot store unchanged.
  if (/\\u(?:0000|d[89a-f])/i.test(text)) refuseUnstorable(value, '');
  return value;
}

/** Checks the text, because walking a value that is nested too deep overflows the stack. */
function isDeeperThan(text: string, limit: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === characters.quote) isInString = !isInString;
    else if (isInString) {
      if (code === characters.backslash) index++;
    } else if (code === characters.brace || code === characters.bracket) {
      depth++;
      if (depth > limit) return true;
    } else if (code === characters.closingBrace || code === characters.closingBracket) depth--;
  }
  return false;
}

const characters = { quote: 34, backslash: 92, brace: 123, closingBrace: 125, bracket: 91, closingBracket: 93 };

function refuseUnstorable(value: unknown, path: string): void {
  if (typeof value === 'string' && (!value.isWellFormed() || value.includes('\0'))) {
    throw new Invalid(path, 'contains a NUL character or half of a surrogate pair, which cannot be stored', 'format');
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    refuseUnstorable(key, `${path}/(name)`);
    refuseUnstorable(member, `${path}/${escapeSegment(key)}`);
  }
}

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

/** @throws Invalid with every error of the body */
export function checkBody(endpoint: Endpoint, body: Record<string, unknown>): unknown {
  if (!endpoint.body) return {};
  const result = checkValue(endpoint.body(), body);
  if (result.success) return result.data;
  throw new Invalid(validationIssues('body', markMissing(body, result.issues)), result.dropped);
}
