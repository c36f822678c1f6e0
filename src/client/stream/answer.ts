import type { ValidationIssue } from '../../contract/errors.ts';
import { hasMembers, isObject } from '../../shared/is-object.ts';
import { HttpError } from '../errors/http-error.ts';
import { UnexpectedResponse } from '../errors/unexpected-response.ts';
import { retryAfterMs } from '../retry.ts';
import type { Redactor } from '../secrets.ts';
import type { WireResponse } from '../transport.ts';
import { jsonOf } from '../../shared/json-of.ts';

export type Json = Record<string, unknown>;

/** The endpoint of each answer, for messages about missing members. */
const origins = new WeakMap<object, string>();

/** The parsed answer, with members that the contract does not know. */
export function parseAnswer(bytes: Uint8Array, endpoint: string): Json {
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnexpectedResponse(`${endpoint} answered with ${kindOf(text)} instead of JSON.`, {
      endpoint,
      hint: 'Check that the address is the one of the service.',
    });
  }
  if (!hasMembers(value)) {
    throw new UnexpectedResponse(`${endpoint} answered with JSON that is not an object.`, { endpoint });
  }
  origins.set(value, endpoint);
  return value;
}

type At<T, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof T
    ? At<NonNullable<T[Name]>, Rest>
    : unknown
  : Path extends keyof T
    ? Exclude<T[Path], undefined>
    : unknown;

/**
 * The member at a path such as `urls.app`, which a command needs.
 *
 * @throws UnexpectedResponse if it is missing
 */
export function expectField<T extends object, const Path extends string>(answer: T, path: Path): At<T, Path> {
  let member: unknown = answer;
  for (const name of path.split('.')) {
    member = hasMembers(member) && Object.hasOwn(member, name) ? member[name] : undefined;
  }
  if (member === undefined) throw missing(path, origins.get(answer));
  // The type follows from the path, which the compiler cannot see.
  return member as At<T, Path>;
}

export function missing(field: string, endpoint?: string): UnexpectedResponse {
  return new UnexpectedResponse(`${endpoint ?? 'The service'} answered without ${field}.`, {
    endpoint,
    field,
    hint: 'The service may be newer or older than this docsctl: compare their versions.',
  });
}

/** The error of an answer that is not a success. Its texts are redacted, because services repeat what they receive. */
export function answeredError(response: WireResponse, redactor: Redactor, now: number): HttpError {
  const { status, headers } = response;
  const text = redactor.text(textOf(response.body));
  const body = jsonOf(text);
  const error: Json = isObject(body) && isObject(body.error) ? body.error : {};
  const waitMs = retryAfterMs(headers, now);
  return new HttpError({
    status,
    headers: redactor.headers(headers),
    message:
      messageOf(body, error) ?? plainText(text, headers) ?? `The service answered ${status}${statusText(status)}.`,
    reason: stringOf(error.reason),
    details: Array.isArray(error.details) ? error.details.filter(isValidationIssue) : undefined,
    requestId: stringOf(error.requestId) ?? stringOf(redactor.text(headers['x-request-id'] ?? '')),
    body: body ?? text,
    hint:
      waitMs === undefined ? undefined : `The service asks to wait ${Math.ceil(waitMs / 1000)} s before the next try.`,
  });
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

// The members are not checked: an incomplete detail is better than none.
const isValidationIssue = (value: unknown): value is ValidationIssue => isObject(value);

// Gateways send other forms: `error` as text, or `message` at the top level.
function messageOf(body: unknown, error: Json): string | undefined {
  if (!isObject(body)) return undefined;
  return stringOf(error.message) ?? stringOf(body.error) ?? stringOf(body.message);
}

function plainText(text: string, headers: WireResponse['headers']): string | undefined {
  const line = text.trim();
  const plain = headers['content-type']?.startsWith('text/plain') && !/[\n<]/.test(line) && line.length <= 200;
  return plain ? stringOf(line) : undefined;
}

function statusText(status: number): string {
  // Loaded only here: node:http takes longer to load than most commands take to run.
  const text = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return text === undefined ? '' : ` ${text}`;
}

function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*<(!doctype|html|head|body)/i.test(text) ? 'a web page' : 'something else';
}

const stringOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
