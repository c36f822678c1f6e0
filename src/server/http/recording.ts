import { appendFileSync, readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { InstanceRequest, InstanceResponse } from '../engine/request.ts';

/** Headers that could hold a token are not recorded. */
const recordedHeaders = new Set(['content-type', 'location', 'retry-after', 'allow']);

/** One request and its response: a line of a recording. Only what could be sent as a response is valid. */
const Recorded = z.object({
  method: z.string(),
  path: z.string(),
  query: z.optional(z.string()),
  body: z.optional(z.string()),
  status: z.int().check(z.gte(200), z.lte(599)),
  headers: z._default(
    z.record(
      z.string().check(z.refine((name) => recordedHeaders.has(name))),
      z.string().check(z.regex(/^[\t\x20-\x7e]*$/)),
    ),
    {},
  ),
  answer: z.string(),
  /** Whether `answer` is Base64. */
  binary: z.optional(z.literal(true)),
});
type Recorded = z.output<typeof Recorded>;

/** Appends each request with its response to a file. */
export function createRecorder(file: string) {
  appendFileSync(file, '', { mode: 0o600 });
  return (request: InstanceRequest, response: InstanceResponse): void => {
    const query = request.query.toString();
    const body = textOf(request.body);
    const line: Recorded = {
      method: request.method,
      path: request.path,
      ...(query === '' ? {} : { query }),
      ...(body === '' ? {} : { body }),
      status: response.status,
      headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => recordedHeaders.has(name))),
      ...(typeof response.body === 'string'
        ? { answer: response.body }
        : { answer: Buffer.from(response.body).toString('base64'), binary: true }),
    };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  };
}

export class InvalidRecording extends Error {}

export interface Replay {
  answer(request: InstanceRequest): InstanceResponse;
  /** Numbers of the lines that are not recorded requests; they are left out. */
  skipped: number[];
}

/**
 * Answers from a recording. The same request gets its recorded responses in their order, and the last one from then on.
 *
 * @throws InvalidRecording if no line of the file is a recorded request
 */
export function createReplay(file: string): Replay {
  const responses = new Map<string, Recorded[]>();
  const skipped: number[] = [];
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const recorded = parse(line);
    if (!recorded) {
      skipped.push(index + 1);
      continue;
    }
    const key = keyOf(recorded.method, recorded.path, recorded.query ?? '', recorded.body ?? '');
    const earlier = responses.get(key);
    if (earlier) earlier.push(recorded);
    else responses.set(key, [recorded]);
  }
  if (responses.size === 0 && skipped.length > 0)
    throw new InvalidRecording(`${file} is not a recording of serve --record.`);
  const answer = (request: InstanceRequest): InstanceResponse => {
    const key = keyOf(request.method, request.path, request.query.toString(), textOf(request.body));
    const recorded = responses.get(key) ?? [];
    const [next] = recorded.length > 1 ? recorded.splice(0, 1) : recorded;
    if (!next) return notRecorded(request);
    const { status, headers, answer: body, binary } = next;
    return { status, headers: { ...headers }, body: binary ? Buffer.from(body, 'base64') : body };
  };
  return { answer, skipped };
}

function parse(line: string): Recorded | undefined {
  try {
    return Recorded.safeParse(JSON.parse(line)).data;
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
