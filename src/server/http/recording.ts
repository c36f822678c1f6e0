import { appendFileSync, readFileSync } from 'node:fs';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';

/** One request and its answer, as a line of a recording. Headers that could hold a token are not kept. */
interface Recorded {
  method: string;
  path: string;
  query?: string;
  body?: string;
  status: number;
  headers: Record<string, string>;
  answer: string;
  /** Whether `answer` is Base64. */
  binary?: true;
}

const keptHeaders = new Set(['content-type', 'location', 'retry-after', 'allow']);

/** Appends each request with its answer to a file. */
export function createRecorder(file: string) {
  appendFileSync(file, '', { mode: 0o600 });
  return (request: InstanceRequest, response: InstanceResponse): void => {
    const query = request.query.toString();
    const body = textOf(request.body);
    const binary = typeof response.body !== 'string';
    const line: Recorded = {
      method: request.method,
      path: request.path,
      ...(query === '' ? {} : { query }),
      ...(body === '' ? {} : { body }),
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => keptHeaders.has(name))),
      answer: binary ? Buffer.from(response.body as Uint8Array).toString('base64') : (response.body as string),
      ...(binary ? { binary } : {}),
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
}

export class BadRecording extends Error {}

export interface Replay {
  answer(request: InstanceRequest): InstanceResponse;
  /** Numbers of the lines that are no recorded request; they are left out. */
  skipped: number[];
}

/**
 * Answers from a recording: the same request gets its answers in the order they were given, the last one again and again.
 *
 * @throws BadRecording for a file in which no line is a recorded request
 */
export function createReplay(file: string): Replay {
  const answers = new Map<string, Recorded[]>();
  const skipped: number[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const recorded = parse(line);
    if (!recorded) {
      skipped.push(index + 1);
      continue;
    }
    const key = keyOf(recorded.method, recorded.path, recorded.query ?? '', recorded.body ?? '');
    const before = answers.get(key);
    if (before) before.push(recorded);
    else answers.set(key, [recorded]);
  }
  if (answers.size === 0 && skipped.length > 0) throw new BadRecording(`${file} is not a recording of serve --record.`);
  const answer = (request: InstanceRequest): InstanceResponse => {
    const waiting = answers.get(keyOf(request.method, request.path, request.query.toString(), textOf(request.body)));
    if (!waiting) return notRecorded(request);
    const { status, headers, answer: body, binary } = waiting.length > 1 ? waiting.shift()! : waiting[0]!;
    return { status, headers: { ...headers }, body: binary ? Buffer.from(body, 'base64') : body };
  };
  return { answer, skipped };
}

const isHeaderValue = (value: unknown) => typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value);

/** A line as the recorder writes it; undefined for anything else, which could not be sent as an answer. */
function parse(line: string): Recorded | undefined {
  try {
    const { headers = {}, ...rest } = JSON.parse(line) as Partial<Recorded>;
    const isRecorded =
      typeof rest.method === 'string' &&
      typeof rest.path === 'string' &&
      Number.isInteger(rest.status) &&
      rest.status! >= 200 &&
      rest.status! <= 599 &&
      typeof rest.answer === 'string' &&
      Object.entries(headers).every(([name, value]) => keptHeaders.has(name) && isHeaderValue(value));
    return isRecorded ? ({ headers, ...rest } as Recorded) : undefined;
  } catch {
    return undefined;
  }
}

const textOf = (body: InstanceRequest['body']) =>
  body === undefined ? '' : typeof body === 'string' ? body : Buffer.from(body).toString();
const keyOf = (...parts: string[]) => JSON.stringify(parts);

const notRecorded = ({ method, path }: InstanceRequest): InstanceResponse => ({
  status: 404,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    error: {
      code: 404,
      reason: 'not-found',
      message: `${method} ${path} with this query and body is not in the recording.`,
    },
  }),
});
