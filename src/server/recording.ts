import { appendFileSync, readFileSync } from 'node:fs';
import type { InstanceRequest, InstanceResponse } from './request.ts';

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

/**
 * Answers from a recording: the same request gets its answers in the order they were given, the last one again and again.
 *
 * @throws BadRecording for a file that is none
 */
export function createReplay(file: string) {
  const answers = new Map<string, Recorded[]>();
  for (const [at, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    if (line.trim() === '') continue;
    const recorded = parse(line);
    if (!recorded) throw new BadRecording(`${file}:${at + 1} is not a line of a recording.`);
    const key = keyOf(recorded.method, recorded.path, recorded.query ?? '', recorded.body ?? '');
    answers.set(key, [...(answers.get(key) ?? []), recorded]);
  }
  return (request: InstanceRequest): InstanceResponse => {
    const waiting = answers.get(keyOf(request.method, request.path, request.query.toString(), textOf(request.body)));
    if (!waiting) return notRecorded(request);
    const { status, headers, answer, binary } = waiting.length > 1 ? waiting.shift()! : waiting[0]!;
    return { status, headers: { ...headers }, body: binary ? Buffer.from(answer, 'base64') : answer };
  };
}

function parse(line: string): Recorded | undefined {
  try {
    const value = JSON.parse(line) as Partial<Recorded>;
    const isOne =
      typeof value.method === 'string' &&
      typeof value.path === 'string' &&
      typeof value.status === 'number' &&
      typeof value.answer === 'string';
    return isOne ? ({ headers: {}, ...value } as Recorded) : undefined;
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
