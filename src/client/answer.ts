import type { Fault } from '../contract/errors.ts';
import { AnsweredError } from './errors/answered-error.ts';
import { UnknownShape } from './errors/unknown-shape.ts';
import { retryAfterMs } from './retry.ts';
import type { Redactor } from './secrets.ts';
import type { WireResponse } from './transport.ts';

export type Json = Record<string, unknown>;

/** Which endpoint gave an answer, so that what it lacks can be told with its name. */
const origins = new WeakMap<object, string>();

/** The answer as it came: members that the contract does not know stay in. */
export function parseAnswer(bytes: Uint8Array, endpoint: string): Json {
  const text = textOf(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UnknownShape(`${endpoint} answered with ${kindOf(text)} instead of JSON.`, {
      endpoint,
      hint: 'Check that the address is the one of the service.',
    });
  }
  if (typeof value !== 'object' || value === null) {
    throw new UnknownShape(`${endpoint} answered with JSON that is no object.`, { endpoint });
  }
  origins.set(value, endpoint);
  return value as Json;
}

type At<T, Path extends string> = Path extends `${infer Name}.${infer Rest}`
  ? Name extends keyof T
    ? At<NonNullable<T[Name]>, Rest>
    : unknown
  : Path extends keyof T
    ? Exclude<T[Path], undefined>
    : unknown;

/** The member at a path such as `urls.app`, for what a command cannot do without. Throws `UnknownShape` if it is not there. */
export function expectField<T extends object, const Path extends string>(answer: T, path: Path): At<T, Path> {
  let here: unknown = answer;
  for (const name of path.split('.')) {
    here = typeof here === 'object' && here !== null && Object.hasOwn(here, name) ? (here as Json)[name] : undefined;
  }
  if (here === undefined) throw missing(path, origins.get(answer));
  return here as At<T, Path>;
}

export function missing(field: string, endpoint?: string): UnknownShape {
  return new UnknownShape(`${endpoint ?? 'The service'} answered without ${field}.`, {
    endpoint,
    field,
    hint: 'The service may be newer or older than this docsctl: compare their versions.',
  });
}

/** The error of an answer that is no success. All of it has gone through `redactor`: services echo what they get. */
export function answeredError(response: WireResponse, redactor: Redactor, now: number): AnsweredError {
  const { status, headers } = response;
  const text = redactor.text(textOf(response.body));
  const body = jsonOf(text);
  const told: Json = isObject(body) && isObject(body.error) ? body.error : {};
  const waitMs = retryAfterMs(headers, now);
  return new AnsweredError({
    status,
    headers: redactor.headers(headers),
    message:
      messageOf(body, told) ?? plainText(text, headers) ?? `The service answered ${status}${statusText(status)}.`,
    reason: stringOf(told.reason),
    details: Array.isArray(told.details) ? (told.details.filter(isObject) as unknown as Fault[]) : undefined,
    requestId: stringOf(told.requestId) ?? stringOf(redactor.text(headers['x-request-id'] ?? '')),
    body: body ?? text,
    hint:
      waitMs === undefined ? undefined : `The service asks to wait ${Math.ceil(waitMs / 1000)} s before the next try.`,
  });
}

export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Gateways in between write their own: a text for `error`, or `message` at the top.
function messageOf(body: unknown, told: Json): string | undefined {
  if (!isObject(body)) return undefined;
  return stringOf(told.message) ?? stringOf(body.error) ?? stringOf(body.message);
}

function plainText(text: string, headers: WireResponse['headers']): string | undefined {
  const line = text.trim();
  const plain = headers['content-type']?.startsWith('text/plain') && !/[\n<]/.test(line) && line.length <= 200;
  return plain ? stringOf(line) : undefined;
}

function statusText(status: number): string {
  // Loaded here because it is needed so rarely, and node:http takes longer to load than most commands.
  const text = process.getBuiltinModule('node:http').STATUS_CODES[status];
  return text === undefined ? '' : ` ${text}`;
}

function kindOf(text: string): string {
  if (text.trim() === '') return 'nothing';
  return /^\s*<(!doctype|html|head|body)/i.test(text) ? 'a web page' : 'something else';
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const stringOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
